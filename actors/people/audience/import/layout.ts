// Where the parts of a packed row lie (`PackedRows`), for those who write and read them.

/** Of ids of people and devices, as texts. */
export const idBytes = 30;
/** A double behind its first byte. */
export const instantBytes = 8;
/** From the end of a device's endpoint to its two instants: `enabled`, true, and the names. */
export const createdBehind = 1 + 7 + 1 + 1 + 9 + 1;
export const updatedBehind = createdBehind + instantBytes + 1 + 9 + 1;
/** The same of a record, counted from its end. */
export const createdBefore = 2 * instantBytes + 1;
export const updatedBefore = instantBytes;

/** Where the part of a row begins in what all rows have one after another. */
export function startOf(ends: Uint32Array, row: number): number {
  return row === 0 ? 0 : (ends[row - 1] as number);
}
