// Remembers in this tab that somebody has just signed out, and where they may sign out of their provider as well.
const KEY = 'signed-out';

export const signedOut = {
  /** `url` is empty where there is no provider. */
  note(url: string | null): void {
    sessionStorage.setItem(KEY, url ?? '');
  },
  /** Null when nobody has signed out here. Only addresses of the web lead anywhere. */
  recall(): string | null {
    const url = sessionStorage.getItem(KEY);
    return url && !/^https?:\/\//.test(url) ? '' : url;
  },
  forget(): void {
    sessionStorage.removeItem(KEY);
  },
};
