// A server under test whose clock is ahead of this machine's. Its settings are read at each start:
// a test changes `TEST_CLOCK_MS` and restarts the server.

import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { temporaryDirectory } from '../storage/support/directory.ts';

const shift =
  'const real = Date.now; const ms = Number(process.env.TEST_CLOCK_MS); Date.now = () => real() + ms;';

/** How many milliseconds a server that starts with these settings is ahead. */
interface ShiftedClock {
  readonly NODE_OPTIONS: string;
  TEST_CLOCK_MS: string;
}

/** Beside the settings for `startServer`. */
export function shiftedClock(aheadMs = 0): ShiftedClock {
  const file = join(temporaryDirectory(), 'clock.cjs');
  writeFileSync(file, shift);
  return { NODE_OPTIONS: `--require ${file}`, TEST_CLOCK_MS: String(aheadMs) };
}
