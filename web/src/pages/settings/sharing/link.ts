// The link of an invitation, made from the address at which the app is open.

/** The code comes after the `#`: browsers never send that part, so no proxy or log sees it. */
export function invitationLink(code: string): string {
  return `${location.origin}${location.pathname}#/invitation?code=${encodeURIComponent(code)}`;
}
