// The texts of the app. Whatever imports them is evaluated after they are loaded.
import { loading, type Everyday } from './loading';

export { language, remember, writeFor, type Messages } from './loading';
export const t: Everyday = await loading;
