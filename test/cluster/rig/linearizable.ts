// Whether calls on one register can be put in an order that each caller would have seen: every
// call takes effect at one instant between its beginning and its end, and a read gives what was
// written last. Wing and Gong's search, with the states it has seen; values are different, and
// histories small.

import type { RegisterCall } from './history.ts';

interface Step {
  readonly isWrite: boolean;
  readonly value: number | undefined;
  readonly fromMs: number;
  /** Infinite for a write that nobody answered: it may take effect later, or never. */
  readonly untilMs: number;
}

/** The first value is `undefined`. Reads without an answer and refused calls say nothing. */
export function isLinearizable(calls: readonly RegisterCall[]): boolean {
  const steps = calls.flatMap((call): Step[] => {
    const { kind, value, fromMs, untilMs, end } = call;
    if (end === 'refused' || (end === 'unknown' && kind === 'read')) return [];
    const last = end === 'unknown' ? Number.POSITIVE_INFINITY : untilMs;
    return [{ isWrite: kind === 'write', value, fromMs, untilMs: last }];
  });
  steps.sort((a, b) => a.fromMs - b.fromMs);
  const wanted = steps.reduce(
    (mask, { untilMs }, index) => (untilMs === Number.POSITIVE_INFINITY ? mask : mask | bit(index)),
    0n,
  );
  return search(steps, wanted);
}

interface State {
  readonly done: bigint;
  readonly value: number | undefined;
}

const bit = (index: number) => 1n << BigInt(index);

function search(steps: readonly Step[], wanted: bigint): boolean {
  const seen = new Set<string>();
  const waiting: State[] = [{ done: 0n, value: undefined }];
  for (let state = waiting.pop(); state !== undefined; state = waiting.pop()) {
    if ((state.done & wanted) === wanted) return true;
    const name = `${state.done} ${state.value}`;
    if (seen.has(name)) continue;
    seen.add(name);
    waiting.push(...nextStates(steps, state));
  }
  return false;
}

/** A step may be next if no other that is left had ended before it began. */
function nextStates(steps: readonly Step[], { done, value }: State): State[] {
  const left = steps.flatMap((step, index) =>
    (done & bit(index)) === 0n ? [{ step, index }] : [],
  );
  const firstEndMs = left.reduce(
    (least, { step }) => Math.min(least, step.untilMs),
    Number.POSITIVE_INFINITY,
  );
  return left.flatMap(({ step, index }) => {
    if (step.fromMs > firstEndMs) return [];
    if (!step.isWrite && step.value !== value) return [];
    return [{ done: done | bit(index), value: step.isWrite ? step.value : value }];
  });
}
