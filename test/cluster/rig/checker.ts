// Judges a run by its history alone. Each problem is a sentence; a run without one kept every
// promise of section "What is claimed" in docs/CLUSTER.md that a client can see.

import type { Call, FaultWindow, History, RegisterCall, SendCall } from './history.ts';
import { isLinearizable } from './linearizable.ts';
import { outagesOf } from './outages.ts';
import { streamProblems } from './stream-problems.ts';

interface Bounds {
  /** A partition is served again so long after the fault that stopped it. */
  readonly outageMsMax: number;
  /** A call to the provider may have been under way for so long when its owner died. */
  readonly inFlightMs: number;
}

interface Verdict {
  readonly problems: readonly string[];
  /** Messages that the provider took a second time although a fault excuses it, and without. */
  readonly excused: number;
  readonly unexcused: number;
}

export function verdictOf(history: History, bounds: Bounds): Verdict {
  const repeats = repeatsOf(history, bounds);
  return {
    problems: [
      ...registerProblems(history.calls),
      ...eventProblems(history),
      ...sendProblems(history),
      ...deliveryProblems(history),
      ...repeats.problems,
      ...outageProblems(history, bounds),
      ...streamProblems(history.frames),
    ],
    excused: repeats.excused,
    unexcused: repeats.problems.length,
  };
}

function registerProblems(calls: readonly Call[]): string[] {
  const registers = new Map<string, RegisterCall[]>();
  for (const call of calls) {
    if (call.kind !== 'write' && call.kind !== 'read') continue;
    const known = registers.get(call.register);
    if (known === undefined) registers.set(call.register, [call]);
    else known.push(call);
  }
  return [...registers].flatMap(([name, all]) =>
    isLinearizable(all) ? [] : [`the calls on ${name} have no order: ${JSON.stringify(all)}`],
  );
}

function eventProblems({ calls, readBack }: History): string[] {
  const ends = new Map<string, Set<string>>();
  for (const call of calls)
    if (call.kind === 'event')
      ends.set(call.eventId, (ends.get(call.eventId) ?? new Set()).add(call.end));
  const problems: string[] = [];
  for (const [id, known] of ends) {
    const count = readBack.events.get(id) ?? 0;
    if (known.has('acknowledged') && count === 0) problems.push(`the event ${id} is lost`);
    if (count > 1) problems.push(`the event ${id} is there ${count} times`);
    if (count > 0 && !known.has('acknowledged') && !known.has('unknown'))
      problems.push(`the event ${id} was refused and is there`);
  }
  for (const id of readBack.events.keys())
    if (!ends.has(id)) problems.push(`nobody sent the event ${id}, and it is there`);
  return problems;
}

const isSend = (call: Call): call is SendCall => call.kind === 'send';

/** A key gives one send at all times, and no two keys give the same. */
function sendProblems({ calls, readBack }: History): string[] {
  const problems: string[] = [];
  const sends = new Map<string, string>();
  const keys = new Map<string, string>();
  const note = (key: string, sendId: string, when: string) => {
    const known = sends.get(key) ?? sendId;
    if (known !== sendId) problems.push(`the key ${key} gave ${known}, and ${when} ${sendId}`);
    const other = keys.get(sendId) ?? key;
    if (other !== key) problems.push(`the keys ${other} and ${key} have one send, ${sendId}`);
    sends.set(key, known);
    keys.set(sendId, other);
  };
  for (const { key, sendId } of calls.filter(isSend))
    if (sendId !== undefined) note(key, sendId, 'later');
  for (const key of sends.keys())
    if (!readBack.sends.has(key)) problems.push(`the send of ${key} is lost`);
  for (const [key, sendId] of readBack.sends) note(key, sendId, 'at the end');
  return problems;
}

/** All that is acknowledged goes out, and nothing that nobody may have accepted. */
function deliveryProblems({ calls, deliveries, readBack }: History): string[] {
  const delivered = new Set(deliveries.map(({ key }) => key));
  const sends = calls.filter(isSend);
  const accepted = new Set(sends.flatMap(({ key, end }) => (end === 'acknowledged' ? [key] : [])));
  const maybe = new Set(sends.flatMap(({ key, end }) => (end === 'unknown' ? [key] : [])));
  const missing = [...accepted].filter((key) => !delivered.has(key));
  const unasked = [...delivered].filter((key) => !accepted.has(key) && !maybe.has(key));
  return [
    ...missing.map((key) => {
      const why = readBack.failedSends.get(key);
      return `the message of ${key} never reached the provider${why === undefined ? '' : ` (${why})`}`;
    }),
    ...unasked.map((key) => `the message of ${key} was sent, and no call for it was accepted`),
  ];
}

function repeatsOf(
  { deliveries, faults }: History,
  { inFlightMs }: Bounds,
): { readonly problems: string[]; readonly excused: number } {
  const times = new Map<string, number[]>();
  for (const { key, atMs } of deliveries) times.set(key, [...(times.get(key) ?? []), atMs]);
  const problems: string[] = [];
  let excused = 0;
  for (const [key, all] of times) {
    all.sort((a, b) => a - b);
    for (const [index, nextMs] of all.slice(1).entries()) {
      const atMs = all[index] as number;
      if (faults.some((fault) => excuses(fault, atMs, nextMs, inFlightMs))) excused++;
      else problems.push(`the message of ${key} was sent at ${atMs} and again at ${nextMs}`);
    }
  }
  return { problems, excused };
}

/** Whether the fault hid from the owner what the provider took at `atMs`. */
function excuses(fault: FaultWindow, atMs: number, nextMs: number, inFlightMs: number): boolean {
  const { mayRepeatSends, fromMs, untilMs } = fault;
  return mayRepeatSends && atMs >= fromMs - inFlightMs && atMs <= untilMs && nextMs > fromMs;
}

function outageProblems(history: History, { outageMsMax }: Bounds): string[] {
  return outagesOf(history)
    .filter(({ ms }) => ms > outageMsMax)
    .map(
      ({ org, fromMs, ms, kind }) =>
        `${org} took no write for ${Math.round(ms)} ms from ${Math.round(fromMs)} (${kind})`,
    );
}
