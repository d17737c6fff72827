// Marks events of test sends, and deliveries that a relay reports after it accepted the mail. The
// service writes the marks into their meta, where quotes inside a text are escaped, so no
// provider's words can look like one.

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

/** Whether a delivery's relay had accepted it before, as `sent`: that counted for the month. */
export function isMarkedReported(metaJson: string | undefined): boolean {
  return metaJson?.includes('"reported":true') === true;
}

/** Whether a section of metas may have the mark. */
export function mayHoldMark(metas: Buffer | undefined): boolean {
  return metas?.includes(markBytes) === true;
}
