// The compressed archives within a ZIP archive, unpacked as far as it is allowed: a program opens
// an inner archive by its name, so those with a name of one are looked into. Stored ones need no
// unpacking: the names in them stand in the bytes of the outer one. Wherever an entry's header
// before the file and its line in the directory differ, either counts. APPNOTE.TXT 4.3 to 4.5.

import { inflateRawSync } from 'node:zlib';
import {
  type Header,
  headersIn,
  listedEntries,
  localHeader,
  namesAt,
  viewOf,
} from './zip-names.ts';

/** Of archives, and of documents that are one. */
const archiveName =
  /\.(?:zip|zipx|docx|dotx|xlsx|xltx|pptx|potx|ppsx|vsdx|odt|ods|odp|odg|epub|kmz|cbz|jar|pkpass)[.\s]*(?:[\0:].*)?$/i;

const deflated = 8;
const stored = 0;
const isEncrypted = 1;

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
