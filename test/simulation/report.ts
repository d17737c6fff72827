// A run in words: what held or what broke, what led up to it, and how to see it again.

import { wordsOf } from './invariants.ts';
import type { Outcome } from './world.ts';

/** Several lines about a run. */
export function report(outcome: Outcome): string {
  const { seed, hash, findings, newest, virtualMs, events, crashes, sends, calls } = outcome;
  const hours = (virtualMs / 3_600_000).toFixed(1);
  const head = `seed ${seed}: ${hours} virtual hours, ${events} events, ${crashes} crashes, ${sends} sends, ${calls} calls, hash ${hash}`;
  if (findings.length === 0) return `${head}\nevery invariant held`;
  return [
    head,
    ...findings.map(({ invariant, detail }) => `${invariant} (${wordsOf(invariant)})\n  ${detail}`),
    'the last events:',
    ...newest.map((line) => `  ${line}`),
    `to run it again: npx tsx test/simulation/simulate.ts --seed ${seed} --trace`,
  ].join('\n');
}
