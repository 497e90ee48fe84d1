// Decides how a file can be previewed. Only types that the server found in the content are ever shown.
const IMAGES = new Set(['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']);

export type PreviewKind = 'image' | 'pdf';

export function previewKindOf(mime: string): PreviewKind | null {
  if (IMAGES.has(mime)) return 'image';
  return mime === 'application/pdf' ? 'pdf' : null;
}
