// Tries some generated histories in a process of its own: `history-run.ts <first seed> <count>`.
// Prints one line of JSON: what happened, or the history that went wrong.

import { History, seen } from './history.ts';

const [first = 1, count = 1] = process.argv.slice(2).map(Number);
let answer: object = { seen };
for (let seed = first; seed < first + count; seed++) {
  const wrong = await History.of(seed, 30);
  if (wrong.length === 0) continue;
  answer = { seed, wrong };
  break;
}
process.stdout.write(`${JSON.stringify(answer)}\n`);
