// What a picture is, by its first bytes: never by its name or declared type, and never SVG, which
// may run scripts.

interface PictureHead {
  readonly type: 'image/png' | 'image/jpeg' | 'image/gif' | 'image/webp';
  readonly width: number;
  readonly height: number;
}

/** `undefined` for anything else, and for a picture without width or height. */
export function readPictureHead(bytes: Uint8Array): PictureHead | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const head = pngHead(view) ?? gifHead(view) ?? webpHead(view) ?? jpegHead(view);
  return head === undefined || head.width === 0 || head.height === 0 ? undefined : head;
}

function pngHead(view: Buffer): PictureHead | undefined {
  const isPng = view.length >= 24 && view.toString('latin1', 0, 8) === '\x89PNG\r\n\x1a\n';
  if (!isPng || view.toString('latin1', 12, 16) !== 'IHDR') return undefined;
  return { type: 'image/png', width: view.readUInt32BE(16), height: view.readUInt32BE(20) };
}

function gifHead(view: Buffer): PictureHead | undefined {
  if (view.length < 13 || !/^GIF8[79]a$/.test(view.toString('latin1', 0, 6))) return undefined;
  return { type: 'image/gif', width: view.readUInt16LE(6), height: view.readUInt16LE(8) };
}

function webpHead(view: Buffer): PictureHead | undefined {
  const isWebp =
    view.length >= 30 &&
    view.toString('latin1', 0, 4) === 'RIFF' &&
    view.toString('latin1', 8, 12) === 'WEBP';
  if (!isWebp) return undefined;
  const type = 'image/webp';
  switch (view.toString('latin1', 12, 16)) {
    case 'VP8 ':
      return {
        type,
        width: view.readUInt16LE(26) & 0x3fff,
        height: view.readUInt16LE(28) & 0x3fff,
      };
    case 'VP8L': {
      const bits = view.readUInt32LE(21);
      return { type, width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 };
    }
    case 'VP8X':
      return { type, width: view.readUIntLE(24, 3) + 1, height: view.readUIntLE(27, 3) + 1 };
    default:
      return undefined;
  }
}

/** Walks the segments to the frame's head; a picture may begin with large ones of a camera. */
function jpegHead(view: Buffer): PictureHead | undefined {
  if (view.length < 4 || view.readUInt16BE(0) !== 0xffd8) return undefined;
  let at = 2;
  while (at + 9 < view.length && view[at] === 0xff) {
    const marker = view[at + 1] ?? 0;
    if (marker === 0xff) {
      at++; // a filling byte
      continue;
    }
    const isFrame = marker >= 0xc0 && marker <= 0xcf && ![0xc4, 0xc8, 0xcc].includes(marker);
    if (isFrame)
      return {
        type: 'image/jpeg',
        width: view.readUInt16BE(at + 7),
        height: view.readUInt16BE(at + 5),
      };
    const length = view.readUInt16BE(at + 2);
    if (length < 2) return undefined;
    at += 2 + length;
  }
  return undefined;
}
