// Where a copy of a partition stands in the log, as its own store keeps it with each turn: a
// restart reads on from there. `[generation u32][position u48][term u32][seq u48][sum u32][writer
// u32]`.

import type { LogPlace } from './log-reader.ts';

/** The log's generation too: a log that was built anew is another one. */
interface KeptPlace extends LogPlace {
  readonly generation: number;
}

const placeBytes = 28;

export function encodePlace(place: KeptPlace): Uint8Array {
  const bytes = Buffer.allocUnsafe(placeBytes);
  bytes.writeUInt32LE(place.generation, 0);
  bytes.writeUIntLE(place.position, 4, 6);
  bytes.writeUInt32LE(place.term, 10);
  bytes.writeUIntLE(place.seq, 14, 6);
  bytes.writeUInt32LE(place.sum, 20);
  bytes.writeUInt32LE(place.writer, 24);
  return bytes;
}

/** `undefined` for what is no place. */
export function decodePlace(stored: Uint8Array): KeptPlace | undefined {
  if (stored.length !== placeBytes) return undefined;
  const bytes = Buffer.from(stored.buffer, stored.byteOffset, stored.byteLength);
  return {
    generation: bytes.readUInt32LE(0),
    position: bytes.readUIntLE(4, 6),
    term: bytes.readUInt32LE(10),
    seq: bytes.readUIntLE(14, 6),
    sum: bytes.readUInt32LE(20),
    writer: bytes.readUInt32LE(24),
  };
}
