// A pending address gets nothing but the one mail that asks, in generated histories. SEED=7 tries
// one of them alone. More than a slice are tried in processes of their own, as many as there are
// processors: one process would be slowed down by what the test runner notes of each promise, and
// by the memory of it. A history takes 40 ms of a processor; 10,000 took seven minutes of it
// (17 minutes beside other work):
//
//   COUNT=10000 TAP_TIMEOUT=3600 node --import tsx test/actors/sending/opt-in/pending-only.test.ts

import { execFile } from 'node:child_process';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import t from 'tap';
import { tries } from '../../../support/tries.ts';
import { History, seen } from './history.ts';

const slice = 250;

type Seen = typeof seen;

interface Wrong {
  readonly seed: number;
  readonly wrong: readonly string[];
}

t.test('an address that nobody has confirmed gets nothing but the mail that asks', async (t) => {
  const { SEED, COUNT } = process.env;
  const first = Number(SEED ?? 1);
  const count = SEED === undefined ? Number(COUNT ?? tries(600)) : 1;
  const isMany = COUNT !== undefined && count > slice;
  const wrong = isMany ? await apart(first, count) : await here(first, count);
  if (wrong !== undefined) {
    t.fail(`history ${wrong.seed}: ${wrong.wrong.at(-1)}`, { history: wrong.wrong });
    return;
  }
  t.comment(seen);
  if (count > 1)
    for (const [what, times] of Object.entries(seen)) t.ok(times > 10, `${what}: ${times}`);
});

async function here(first: number, count: number): Promise<Wrong | undefined> {
  for (let seed = first; seed < first + count; seed++) {
    const wrong = await History.of(seed, 30);
    if (wrong.length > 0) return { seed, wrong };
  }
  return undefined;
}

/** The first wrong one of each process; adds to what was seen. */
async function apart(first: number, count: number): Promise<Wrong | undefined> {
  const program = fileURLToPath(new URL('./history-run.ts', import.meta.url));
  let next = first;
  let wrong: Wrong | undefined;
  const work = async (): Promise<void> => {
    while (next < first + count && wrong === undefined) {
      const from = next;
      next += slice;
      const many = Math.min(slice, first + count - from);
      const words = [...process.execArgv, program, String(from), String(many)];
      const { stdout } = await promisify(execFile)(process.execPath, words);
      const answer: Wrong | { readonly seen: Seen } = JSON.parse(stdout);
      if ('wrong' in answer) wrong ??= answer;
      else for (const what of Object.keys(seen) as (keyof Seen)[]) seen[what] += answer.seen[what];
    }
  };
  await Promise.all(Array.from({ length: availableParallelism() }, work));
  return wrong;
}
