// The names in a ZIP archive, from its directory, which also tells an Office document from another
// archive. Nothing is unpacked, so an archive within an archive is not looked into.

const entriesMax = 10_000;
const entryBytes = 46;
const endBytes = 22;
const commentBytesMax = 0xffff;

/** `undefined`: no ZIP archive, or its directory cannot be read. */
export function zipNames(bytes: Uint8Array): readonly string[] | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const end = endOf(view);
  if (end === undefined) return undefined;
  const count = view.readUInt16LE(end + 10);
  const names: string[] = [];
  let at = view.readUInt32LE(end + 16);
  if (count > entriesMax) return undefined;
  for (let i = 0; i < count; i++) {
    if (at + entryBytes > end || view.readUInt32LE(at) !== 0x02014b50) return undefined;
    const nameBytes = view.readUInt16LE(at + 28);
    const next = at + entryBytes + nameBytes + view.readUInt16LE(at + 30);
    // Bit 11 says UTF-8; names of other code pages keep their ASCII, and so their extensions.
    names.push(view.toString('utf8', at + entryBytes, at + entryBytes + nameBytes));
    at = next + view.readUInt16LE(at + 32);
  }
  return names;
}

/** Where the record that ends the directory begins: it is the last, before a comment. */
function endOf(view: Buffer): number | undefined {
  const from = Math.max(0, view.length - endBytes - commentBytesMax);
  for (let at = view.length - endBytes; at >= from; at--)
    if (view.readUInt32LE(at) === 0x06054b50) return at;
  return undefined;
}
