// Decides how a file can be previewed, by the type that the server detected from the content.
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

export type PreviewKind = 'image' | 'pdf';

export function previewKindOf(mime: string): PreviewKind | null {
  if (IMAGES.has(mime)) return 'image';
  return mime === 'application/pdf' ? 'pdf' : null;
}
