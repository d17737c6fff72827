// The names in a ZIP archive. Programs read archives in different ways: by the directory at the
// end, by the headers before the files, by another name in an extra field. So a name counts
// wherever one of them would find it, and a directory that does not add up is not read. Nothing is
// unpacked: of an archive within an archive only what is stored uncompressed is seen.
// APPNOTE.TXT 4.3, 4.6.9.

const entriesMax = 10_000;
const commentBytesMax = 0xffff;

const localHeader = { sign: Buffer.from('PK\x03\x04'), bytes: 30, lengthsAt: 26 };
const directoryHeader = { sign: Buffer.from('PK\x01\x02'), bytes: 46, lengthsAt: 28 };
const headers = [localHeader, directoryHeader];
type Header = (typeof headers)[number];

const end = { sign: 0x06054b50, bytes: 22 };
const wideEnd = { sign: 0x06064b50, bytes: 56 };
const wideEndLocator = { sign: 0x07064b50, bytes: 20 };

const unicodePath = 0x7075;
const isMasked = 1 << 13;

interface Directory {
  readonly at: number;
  readonly until: number;
  readonly count: number;
}

/** The names that the directory lists; `undefined`: no ZIP archive that can be read whole. */
export function listedNames(bytes: Uint8Array): readonly string[] | undefined {
  const view = viewOf(bytes);
  const directory = directoryOf(view);
  if (directory === undefined || directory.count > entriesMax) return undefined;
  const { count, until } = directory;
  const names: string[] = [];
  let { at } = directory;
  for (let i = 0; i < count; i++) {
    if (!isAt(view, at, directoryHeader)) return undefined;
    const next =
      at +
      directoryHeader.bytes +
      lengthsOf(view, at, directoryHeader) +
      view.readUInt16LE(at + 32);
    // Names that are masked are only in an encrypted part of the directory.
    if (next > until || (view.readUInt16LE(at + 8) & isMasked) !== 0) return undefined;
    names.push(namesAt(view, at, directoryHeader)[0] ?? '');
    at = next;
  }
  return at === until ? names : undefined;
}

/** Every name that a program might show; `undefined`: as of `listedNames`. */
export function zipNames(bytes: Uint8Array): readonly string[] | undefined {
  const listed = listedNames(bytes);
  const all = listed && allNames(viewOf(bytes));
  return all && [...(listed ?? []), ...all];
}

/** Of a file of another kind that may be an archive, too, as programs look for it at the end. */
export function hiddenNames(bytes: Uint8Array): readonly string[] | undefined {
  const view = viewOf(bytes);
  return endOf(view) === undefined ? [] : allNames(view);
}

/** `undefined`: too many. */
function allNames(view: Buffer): readonly string[] | undefined {
  const names: string[] = [];
  for (const header of headers)
    for (let at = view.indexOf(header.sign); at >= 0; at = view.indexOf(header.sign, at + 4)) {
      if (names.length > 4 * entriesMax) return undefined;
      if (isAt(view, at, header)) names.push(...namesAt(view, at, header));
    }
  return names;
}

/** Whether a header is there, with its name and its extra fields. */
function isAt(view: Buffer, at: number, header: Header): boolean {
  return (
    at + header.bytes <= view.length &&
    header.sign.equals(view.subarray(at, at + 4)) &&
    at + header.bytes + lengthsOf(view, at, header) <= view.length
  );
}

function lengthsOf(view: Buffer, at: number, { lengthsAt }: Header): number {
  return view.readUInt16LE(at + lengthsAt) + view.readUInt16LE(at + lengthsAt + 2);
}

/** Of a whole header: its name, and the one in its extra fields, which some programs prefer. */
function namesAt(view: Buffer, at: number, { bytes, lengthsAt }: Header): readonly string[] {
  const nameEnd = at + bytes + view.readUInt16LE(at + lengthsAt);
  const extraEnd = nameEnd + view.readUInt16LE(at + lengthsAt + 2);
  // Bit 11 says UTF-8; names of other code pages keep their ASCII, and so their extensions.
  const names = [view.toString('utf8', at + bytes, nameEnd)];
  for (let field = nameEnd; field + 4 <= extraEnd; ) {
    const next = field + 4 + view.readUInt16LE(field + 2);
    // A version and a checksum come first.
    if (view.readUInt16LE(field) === unicodePath)
      names.push(view.toString('utf8', field + 9, Math.max(field + 9, Math.min(next, extraEnd))));
    field = next;
  }
  return names;
}

function directoryOf(view: Buffer): Directory | undefined {
  const at = endOf(view);
  if (at === undefined || at + end.bytes + view.readUInt16LE(at + 20) !== view.length)
    return undefined;
  const narrow = {
    count: view.readUInt16LE(at + 10),
    bytes: view.readUInt32LE(at + 12),
    start: view.readUInt32LE(at + 16),
  };
  const isWhole = view.readUInt32LE(at + 4) === 0 && view.readUInt16LE(at + 8) === narrow.count;
  const locator = at - wideEndLocator.bytes;
  if (locator < 0 || view.readUInt32LE(locator) !== wideEndLocator.sign)
    return isWhole ? exactly(narrow.start, narrow.bytes, narrow.count, at) : undefined;
  const wideAt = Number(view.readBigUInt64LE(locator + 8));
  if (wideAt + wideEnd.bytes > locator || view.readUInt32LE(wideAt) !== wideEnd.sign)
    return undefined;
  const wide = (place: number) => Number(view.readBigUInt64LE(wideAt + place));
  const [count, bytes, start] = [wide(32), wide(40), wide(48)];
  // Where the older record has numbers of its own, programs that know only that one read the same.
  const agrees =
    fits(narrow.count, count, 0xffff) &&
    fits(narrow.bytes, bytes, 0xffff_ffff) &&
    fits(narrow.start, start, 0xffff_ffff);
  const isAlone = wide(24) === count && wideAt + 12 + wide(4) === locator;
  return agrees && isAlone ? exactly(start, bytes, count, wideAt) : undefined;
}

function fits(narrow: number, wide: number, absent: number): boolean {
  return narrow === wide || narrow === absent;
}

/** Nothing may stand between the directory and the record after it. */
function exactly(at: number, bytes: number, count: number, until: number): Directory | undefined {
  return at + bytes === until ? { at, until, count } : undefined;
}

/** Where the record that ends the directory begins: it is the last, before a comment. */
function endOf(view: Buffer): number | undefined {
  const from = Math.max(0, view.length - end.bytes - commentBytesMax);
  for (let at = view.length - end.bytes; at >= from; at--)
    if (view.readUInt32LE(at) === end.sign) return at;
  return undefined;
}

function viewOf(bytes: Uint8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
}
