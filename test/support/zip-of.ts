// A ZIP archive with files of these names, empty ones unless their contents are given.

import { deflateRawSync } from 'node:zlib';

interface Oddities {
  /** Before the archive; its places count from the beginning of the file. */
  readonly before?: Buffer;
  /** The names that the directory has instead. */
  readonly listed?: readonly string[];
  /** Extra fields of each entry of the directory. */
  readonly extra?: Buffer;
  /** With the wide records of ZIP64; the narrow one then says nothing, or this count. */
  readonly wide?: true | { readonly narrowCount: number };
  /** What the record at the end says. */
  readonly count?: number;
  readonly comment?: Buffer;
  /** By name; compressed. */
  readonly contents?: Readonly<Record<string, Uint8Array>>;
  /** The bits of each header before a file. */
  readonly flags?: number;
  /** What headers before files say of how contents are compressed; default deflate. */
  readonly method?: number;
}

export function zipOf(
  names: readonly string[],
  { before = Buffer.alloc(0), listed: listedNames = names, ...odd }: Oddities = {},
): Buffer {
  const { extra = Buffer.alloc(0), wide, comment = Buffer.alloc(0), contents = {} } = odd;
  const { flags = 0, method = 8 } = odd;
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let at = before.length;
  for (const [i, name] of names.entries()) {
    const bytes = Buffer.from(name);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    const content = contents[name];
    const packed = content === undefined ? Buffer.alloc(0) : deflateRawSync(content);
    local.writeUInt16LE(flags, 6);
    if (content !== undefined) local.writeUInt16LE(method, 8);
    local.writeUInt32LE(packed.length, 18);
    local.writeUInt32LE(content?.byteLength ?? 0, 22);
    local.writeUInt16LE(bytes.length, 26);
    locals.push(local, bytes, packed);
    const shown = Buffer.from(listedNames[i] ?? '');
    const entry = Buffer.alloc(46);
    entry.writeUInt32LE(0x02014b50, 0);
    if (content !== undefined) entry.writeUInt16LE(8, 10);
    entry.writeUInt32LE(packed.length, 20);
    entry.writeUInt32LE(content?.byteLength ?? 0, 24);
    entry.writeUInt16LE(shown.length, 28);
    entry.writeUInt16LE(extra.length, 30);
    entry.writeUInt32LE(at, 42);
    if (i < listedNames.length) directory.push(entry, shown, extra);
    at += local.length + bytes.length + packed.length;
  }
  const listed = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  const count = odd.count ?? listedNames.length;
  end.writeUInt16LE(count, 8);
  end.writeUInt16LE(count, 10);
  end.writeUInt32LE(listed.length, 12);
  end.writeUInt32LE(at, 16);
  end.writeUInt16LE(comment.length, 20);
  if (wide === undefined) return Buffer.concat([before, ...locals, listed, end, comment]);
  const narrowCount = wide === true ? 0xffff : wide.narrowCount;
  end.writeUInt16LE(narrowCount, 8);
  end.writeUInt16LE(narrowCount, 10);
  end.fill(0xff, 12, 20);
  const wideEnd = Buffer.alloc(56);
  wideEnd.writeUInt32LE(0x06064b50, 0);
  wideEnd.writeBigUInt64LE(44n, 4);
  wideEnd.writeBigUInt64LE(BigInt(count), 24);
  wideEnd.writeBigUInt64LE(BigInt(count), 32);
  wideEnd.writeBigUInt64LE(BigInt(listed.length), 40);
  wideEnd.writeBigUInt64LE(BigInt(at), 48);
  const locator = Buffer.alloc(20);
  locator.writeUInt32LE(0x07064b50, 0);
  locator.writeBigUInt64LE(BigInt(at + listed.length), 8);
  locator.writeUInt32LE(1, 16);
  return Buffer.concat([before, ...locals, listed, wideEnd, locator, end, comment]);
}
