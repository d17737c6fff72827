// The picture in a mail that tells of its opening.

/** Stands for it in previews: `.invalid` leads nowhere (RFC 2606). */
export const previewPixelUrl = 'https://tracked.invalid/o/preview.gif';

export function pixelTag(url: string): string {
  return `<img src="${url}" width="1" height="1" alt="" style="display:block;border:0">`;
}
