// Decides how a file can be previewed. Only types that the server found in the content are ever shown.
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

export type Kind = 'image' | 'pdf';

export function kindOf(mime: string): Kind | null {
  if (IMAGES.has(mime)) return 'image';
  return mime === 'application/pdf' ? 'pdf' : null;
}
