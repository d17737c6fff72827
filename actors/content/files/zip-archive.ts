// What stands in a ZIP archive: names, and the archives within it. Programs read archives in
// different ways: by the directory at the end, by the headers before the files, by another name in
// an extra field. So a name counts wherever one of them would find it, and a directory that does
// not add up is not read. A program opens an inner archive by its name, so the compressed ones with
// a name of one are unpacked, as far as it is allowed; of stored ones the names stand in the bytes
// of the outer one. APPNOTE.TXT 4.3 to 4.6.9.

import { inflateRawSync } from 'node:zlib';

const entriesMax = 10_000;
const commentBytesMax = 0xffff;

const localHeader = { sign: Buffer.from('PK\x03\x04'), bytes: 30, lengthsAt: 26 };
const directoryHeader = { sign: Buffer.from('PK\x01\x02'), bytes: 46, lengthsAt: 28 };
const headers = [localHeader, directoryHeader];
type Header = (typeof headers)[number];

const end = { sign: 0x06054b50, bytes: 22 };
const wideEnd = { sign: 0x06064b50, bytes: 56 };
const wideEndLocator = { sign: 0x07064b50, bytes: 20 };

const wideSizes = 0x0001;
const unicodePath = 0x7075;
const isMasked = 1 << 13;

interface Directory {
  readonly at: number;
  readonly until: number;
  readonly count: number;
}

/** A line of the directory: its place, its names, and where it says that its file's header is. */
interface ListedEntry {
  readonly at: number;
  readonly names: readonly string[];
  readonly localAt: number;
}

/** The names that the directory lists; `undefined`: no ZIP archive that can be read whole. */
export function listedNames(bytes: Uint8Array): readonly string[] | undefined {
  return listedEntries(viewOf(bytes))?.map(({ names }) => names[0] ?? '');
}

/** The lines of the directory; `undefined`: as of `listedNames`. */
function listedEntries(view: Buffer): readonly ListedEntry[] | undefined {
  const directory = directoryOf(view);
  if (directory === undefined || directory.count > entriesMax) return undefined;
  const { count, until } = directory;
  const entries: ListedEntry[] = [];
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
    entries.push({
      at,
      names: namesAt(view, at, directoryHeader),
      localAt: localAtOf(view, at),
    });
    at = next;
  }
  return at === until ? entries : undefined;
}

/** As the line says, or its extra field of wide sizes, which has those that the line leaves out. */
function localAtOf(view: Buffer, at: number): number {
  const narrow = view.readUInt32LE(at + 42);
  if (narrow !== 0xffff_ffff) return narrow;
  const sizes = [20, 24].filter((place) => view.readUInt32LE(at + place) === 0xffff_ffff);
  for (const [kind, from, until] of extraFields(view, at, directoryHeader)) {
    const place = from + 8 * sizes.length;
    if (kind === wideSizes && place + 8 <= until) return Number(view.readBigUInt64LE(place));
  }
  return narrow;
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
    for (const at of headersIn(view, header)) {
      if (names.length > 4 * entriesMax) return undefined;
      names.push(...namesAt(view, at, header));
    }
  return names;
}

/** Where the headers of a kind stand, whatever the directory says. */
function* headersIn(view: Buffer, header: Header): Generator<number> {
  for (let at = view.indexOf(header.sign); at >= 0; at = view.indexOf(header.sign, at + 4))
    if (isAt(view, at, header)) yield at;
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
function namesAt(view: Buffer, at: number, header: Header): readonly string[] {
  const { bytes, lengthsAt } = header;
  const nameEnd = at + bytes + view.readUInt16LE(at + lengthsAt);
  // Bit 11 says UTF-8; names of other code pages keep their ASCII, and so their extensions.
  const names = [view.toString('utf8', at + bytes, nameEnd)];
  // A version and a checksum come first.
  for (const [kind, from, until] of extraFields(view, at, header))
    if (kind === unicodePath)
      names.push(view.toString('utf8', from + 5, Math.max(from + 5, until)));
  return names;
}

/** The extra fields of a whole header: their kinds, and from where to where. */
function* extraFields(
  view: Buffer,
  at: number,
  { bytes, lengthsAt }: Header,
): Generator<readonly [kind: number, from: number, until: number]> {
  const start = at + bytes + view.readUInt16LE(at + lengthsAt);
  const end = start + view.readUInt16LE(at + lengthsAt + 2);
  for (let field = start; field + 4 <= end; ) {
    const next = field + 4 + view.readUInt16LE(field + 2);
    yield [view.readUInt16LE(field), field + 4, Math.min(next, end)];
    field = next;
  }
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

/** Of archives, and of documents that are one. */
const archiveName =
  /\.(?:zip|zipx|docx|dotx|xlsx|xltx|pptx|potx|ppsx|vsdx|odt|ods|odp|odg|epub|kmz|cbz|jar|pkpass)[.\s]*(?:[\0:].*)?$/i;

const deflated = 8;
const stored = 0;
const isEncrypted = 1 << 0;

/** How many bytes all archives within a file may still have. */
export interface UnpackBudget {
  bytesLeft: number;
}

interface Entry {
  readonly at: number;
  readonly method: number;
  readonly flags: number;
}

/** Each unpacked, or why one of them cannot be. */
export function packedArchives(
  bytes: Uint8Array,
  budget: UnpackBudget,
): readonly Uint8Array[] | { readonly problem: string } {
  const view = viewOf(bytes);
  const unpacked: Uint8Array[] = [];
  for (const { at, method, flags } of namedArchives(view)) {
    if (method === stored) continue;
    if ((flags & isEncrypted) !== 0)
      return { problem: 'an archive with a password is within the archive' };
    const start = dataAt(view, at);
    if (method !== deflated || start === undefined)
      return { problem: 'an archive within the archive cannot be read' };
    const inner = inflated(view.subarray(start), budget.bytesLeft);
    if ('problem' in inner) return inner;
    budget.bytesLeft -= inner.bytes.byteLength;
    unpacked.push(inner.bytes);
  }
  return unpacked;
}

/** Entries with the name of an archive, by the headers before files and by the directory. */
function namedArchives(view: Buffer): readonly Entry[] {
  const found = new Map<string, Entry>();
  const add = (entry: Entry) => found.set(`${entry.at} ${entry.method} ${entry.flags & 1}`, entry);
  for (const at of headersIn(view, localHeader))
    if (isArchive(view, at, localHeader)) add(headerOf(view, at, at + 6));
  for (const { at: line, names, localAt } of listedEntries(view) ?? [])
    if (names.some((name) => archiveName.test(name))) {
      add(headerOf(view, localAt, line + 8));
      // What its own header says is another way to read it.
      if (localAt + localHeader.bytes <= view.length) add(headerOf(view, localAt, localAt + 6));
    }
  return [...found.values()];
}

function isArchive(view: Buffer, at: number, header: Header): boolean {
  return namesAt(view, at, header).some((name) => archiveName.test(name));
}

/** Flags and method stand side by side in both kinds of header. */
function headerOf(view: Buffer, at: number, flagsAt: number): Entry {
  return { at, flags: view.readUInt16LE(flagsAt), method: view.readUInt16LE(flagsAt + 2) };
}

/** Where a file's bytes begin; `undefined`: there is no header. */
function dataAt(view: Buffer, at: number): number | undefined {
  const isThere =
    at + localHeader.bytes <= view.length &&
    localHeader.sign.equals(view.subarray(at, at + localHeader.sign.length));
  if (!isThere) return undefined;
  return at + localHeader.bytes + view.readUInt16LE(at + 26) + view.readUInt16LE(at + 28);
}

function inflated(
  bytes: Uint8Array,
  bytesMax: number,
): { readonly bytes: Uint8Array } | { readonly problem: string } {
  try {
    return { bytes: inflateRawSync(bytes, { maxOutputLength: Math.max(1, bytesMax) }) };
  } catch (error) {
    const isTooLarge = (error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE';
    const problem = isTooLarge
      ? 'the archives within the archive are too large to look into'
      : 'an archive within the archive cannot be read';
    return { problem };
  }
}
