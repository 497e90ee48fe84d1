// What can be looked at here, and as what? The server tells the kind by the content alone; nothing else is ever shown.
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

export type Kind = 'image' | 'pdf';

export function kindOf(mime: string): Kind | null {
  if (IMAGES.has(mime)) return 'image';
  return mime === 'application/pdf' ? 'pdf' : null;
}
