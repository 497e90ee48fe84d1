// The texts of pages that few people open. Whatever imports them is evaluated after they are loaded.
import { language, seldomLoaders, type Seldom } from './loading';

export const seldom: Seldom = await seldomLoaders[language]();
