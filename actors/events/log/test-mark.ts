// Marks events of test sends. The service writes the mark into their meta, where quotes inside a
// text are escaped, so no provider's words can look like it.

const mark = '"test":true';
const markBytes = Buffer.from(mark);

/**
 * What files list blocks with such events under, in their index of names. Files of earlier builds
 * list none. No event has this name: it has a control character.
 */
export const testsName = '\u0000tests';

export function isMarkedTest(metaJson: string | undefined): boolean {
  return metaJson?.includes(mark) === true;
}

/** Whether a section of metas may have the mark. */
export function mayHoldMark(metas: Buffer | undefined): boolean {
  return metas?.includes(markBytes) === true;
}
