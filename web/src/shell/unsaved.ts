// Knows whether leaving the page would lose typed text: each open form reports it.
const watched = new Set<() => boolean>();

/** Use it in an effect; the returned function ends the watch. */
export function watch(isUnsaved: () => boolean): () => void {
  watched.add(isUnsaved);
  return () => watched.delete(isUnsaved);
}

export function anyUnsaved(): boolean {
  return [...watched].some((isUnsaved) => isUnsaved());
}

/** Forgets everything without asking, for example when another user signs in. */
export function forget(): void {
  watched.clear();
}
