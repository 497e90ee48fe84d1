// The title of the window names what the page shows: `Checking · Accounts · Farthing`.
import { untrack } from 'svelte';
import type { Resource } from './load.svelte';

class Title {
  /** The name of the object on the page; empty on pages about many. */
  name = $state('');
}

export const title = new Title();

/** Call it while a page is created. What is typed into a form does not change the title. */
export function nameTitle<T>(of: Resource<T>, nameOf: (data: T) => string | undefined): void {
  $effect(() => {
    const { data } = of;
    title.name = (data !== undefined && untrack(() => nameOf(data))) || '';
    return () => (title.name = '');
  });
}
