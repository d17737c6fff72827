// How often a property is tried: all of it in `.ci/run` and with ENGAGE_TEST_LONG=1, a third
// otherwise, so that `npm test` stays a matter of minutes.

/** The long form of the tests. */
const isLong = process.env['ENGAGE_TEST_LONG'] === '1';

/** Of `all` tries, how many this run makes. */
export function tries(all: number): number {
  return isLong ? all : Math.ceil(all / 3);
}
