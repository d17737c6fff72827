// Unpacks what reports are mailed in: gzip, a ZIP archive with one file, or neither, as their first
// bytes say. What comes out is bounded while it comes: archives of strangers may hold a thousand
// times what their head says.

import { gunzip, inflateRaw, type ZlibOptions } from 'node:zlib';

const unpackedBytesMax = 24 * 1_024 * 1_024;

/** The text within; `undefined` where it cannot be read or is too long. */
export async function unpackedReport(bytes: Uint8Array): Promise<string | undefined> {
  const packed = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (packed[0] === 0x1f && packed[1] === 0x8b) return textOf(await within(gunzip, packed));
  if (packed.length > 4 && packed.readUInt32LE(0) === localMark) {
    const entry = firstEntry(packed);
    if (entry === undefined) return undefined;
    return textOf(entry.isStored ? entry.bytes : await within(inflateRaw, entry.bytes));
  }
  return packed.length > unpackedBytesMax ? undefined : textOf(packed);
}

type Unpack = (
  bytes: Buffer,
  options: ZlibOptions,
  then: (error: Error | null, result: Buffer) => void,
) => void;

function within(unpack: Unpack, bytes: Buffer): Promise<Buffer | undefined> {
  return new Promise((resolve) =>
    unpack(bytes, { maxOutputLength: unpackedBytesMax }, (error, result) =>
      resolve(error === null ? result : undefined),
    ),
  );
}

/**
 * XML says its encoding; those of reports are UTF-8, or ASCII within it, or UTF-16. Without a mark
 * that shows in the first sign, a `<`.
 */
function textOf(bytes: Buffer | undefined): string | undefined {
  if (bytes === undefined) return undefined;
  return new TextDecoder(encodingOf(bytes)).decode(bytes).trimStart();
}

function encodingOf({ 0: first, 1: second }: Buffer): 'utf-16le' | 'utf-16be' | 'utf-8' {
  if ((first === 0xff && second === 0xfe) || (first === 0x3c && second === 0)) return 'utf-16le';
  if ((first === 0xfe && second === 0xff) || (first === 0 && second === 0x3c)) return 'utf-16be';
  return 'utf-8';
}

// APPNOTE.TXT of the ZIP format, 4.3.
const localMark = 0x04034b50;
const centralMark = 0x02014b50;
const endMark = 0x06054b50;
const endBytes = 22;
const commentBytesMax = 65_535;

/** By the directory at the end, as the heads of files may leave lengths out. */
function firstEntry(zip: Buffer): { bytes: Buffer; isStored: boolean } | undefined {
  const at = endOf(zip);
  if (at === undefined) return undefined;
  const entry = zip.readUInt32LE(at + 16);
  if (entry + 46 > zip.length || zip.readUInt32LE(entry) !== centralMark) return undefined;
  const isEncrypted = (zip.readUInt16LE(entry + 8) & 1) !== 0;
  const method = zip.readUInt16LE(entry + 10);
  const length = zip.readUInt32LE(entry + 20);
  const local = zip.readUInt32LE(entry + 42);
  if (isEncrypted || (method !== 0 && method !== 8)) return undefined;
  if (local + 30 > zip.length || zip.readUInt32LE(local) !== localMark) return undefined;
  const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
  if (start + length > zip.length) return undefined;
  return { bytes: zip.subarray(start, start + length), isStored: method === 0 };
}

function endOf(zip: Buffer): number | undefined {
  const last = zip.length - endBytes;
  for (let at = last; at >= Math.max(0, last - commentBytesMax); at--)
    if (zip.readUInt32LE(at) === endMark) return at;
  return undefined;
}
