// Several test files in one process, one after the other: most of a small file's time is starting
// Node.js. The files share tap's one root, which would end when it is idle, so its teardown is kept
// aside and done after each file.

import t from 'tap';
import { beginFile, checkAll } from './after-kill.ts';
import { moduleAt } from './places.ts';

const limitMsPerFile = 60_000;
/** Of a group with few and long files, as in a browser, before `run.mjs` ends it. */
const limitMsMin = process.env['ENGAGE_TEST_LONG'] === '1' ? 590_000 : 290_000;

/**
 * Runs test files, named by their sources' paths from the root. One that cannot be loaded fails,
 * and does not stop the rest. The line with a file's name follows its tests; what must outlive a
 * kill is checked after the last file (after-kill.ts).
 */
export async function together(files: readonly string[]): Promise<void> {
  const waiting = new Set(files);
  // Whatever ends the process early, what did not run has not passed.
  process.once('exit', () => {
    if (waiting.size > 0) process.exitCode = 1;
  });
  const tornDown: (() => unknown)[] = [];
  t.teardown = (work) => void tornDown.push(work);
  for (const file of files) {
    t.setTimeout(Math.max(files.length * limitMsPerFile, limitMsMin));
    beginFile(file);
    await import(moduleAt(file).href).catch((problem) => t.fail(`${file}: ${problem?.stack}`));
    await t.test(file, async (t) => {
      for (const work of tornDown.splice(0).reverse()) await work();
      t.pass('every test above ran');
    });
    waiting.delete(file);
  }
  await t.test('after a kill -9', checkAll);
}
