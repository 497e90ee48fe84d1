// Would something be lost by leaving? Whatever is typed into says so, as long as it is on the screen.
const watched = new Set<() => boolean>();

/** For an effect: what it returns ends the watch. */
export function watch(isUnsaved: () => boolean): () => void {
  watched.add(isUnsaved);
  return () => watched.delete(isUnsaved);
}

export function anyUnsaved(): boolean {
  return [...watched].some((isUnsaved) => isUnsaved());
}

/** Where nothing may stay, such as for somebody else, nothing is asked. */
export function forget(): void {
  watched.clear();
}
