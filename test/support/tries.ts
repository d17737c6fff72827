// How often a property is tried, and how many places a walk visits: all in `.ci/run` and with
// ENGAGE_TEST_LONG=1, a part of them otherwise, so that `npm test` stays a matter of minutes.

/** The long form of the tests. */
const isLong = process.env['ENGAGE_TEST_LONG'] === '1';

/** Of `all` tries, how many this run makes; a long one makes a smaller part in the short form. */
export function tries(all: number, part = 6): number {
  return isLong ? all : Math.ceil(all / part);
}

/** Of a walk over all places: 1, or every how many of them this run visits. */
export function everyNth(short: number): number {
  return isLong ? 1 : short;
}
