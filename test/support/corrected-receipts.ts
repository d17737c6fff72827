// Receipts of sends as they may come, corrected ones among them, and what stands of them, found the
// slow way: for tests of the insights that read receipts.

import fc from 'fast-check';
import { dayMs, hourMs } from '../../engine/base/brand.ts';
import type { ScatteredEvent } from './scattered-events.ts';

export const receiptsNowMs = Date.UTC(2026, 2, 30, 12); // the day after Europe changed its clocks

/**
 * What may follow on one another about a device: a late bounce, a redrive, and a redrive that
 * bounced late.
 */
const words = [
  ['delivered'],
  ['delivered'],
  ['bounced'],
  ['suppressed'],
  ['failed'],
  ['delivered', 'bounced'],
  ['failed', 'delivered'],
  ['failed', 'failed'],
  ['failed', 'suppressed'],
  ['failed', 'bounced'],
  ['failed', 'delivered', 'bounced'],
] as const;

const person = fc.integer({ min: 0, max: 9 });
const atMs = fc
  .integer({ min: 0, max: 12 * 24 * 2 })
  .map((half) => receiptsNowMs - 12 * dayMs + (half * hourMs) / 2 + 7);
const channel = fc.integer({ min: 1, max: 3 });

/**
 * Sends to one or two devices, slices of campaigns that made no send, opens and clicks, and names
 * that mean nothing here.
 */
export const receiptsArb = fc
  .array(
    fc.oneof(
      {
        weight: 4,
        arbitrary: fc.record({
          person,
          channel,
          devices: fc.array(
            fc.record({
              words: fc.constantFrom(...words),
              times: fc.array(atMs, { minLength: 3, maxLength: 3 }),
            }),
            { minLength: 1, maxLength: 2 },
          ),
        }),
      },
      {
        weight: 2,
        arbitrary: fc.record({
          person,
          channel: fc.integer({ min: 0, max: 3 }),
          name: fc.constantFrom('suppressed', 'opened', 'clicked', 'session', 'deferred'),
          atMs,
        }),
      },
    ),
    { maxLength: 40 },
  )
  .map((made): ScatteredEvent[] =>
    made.flatMap((one, send): ScatteredEvent[] =>
      'name' in one
        ? [one]
        : one.devices.flatMap(({ words: of, times }, device) =>
            of.map((name, i) => ({
              name,
              person: one.person,
              channel: one.channel,
              sendId: `ntf_${send}`,
              deviceId: `dev_${device}`,
              atMs: times[i] as number,
            })),
          ),
    ),
  );

/** The receipts within a time that no newer one of the same device and send corrects. */
export function standing(
  events: readonly ScatteredEvent[],
  seqs: ReadonlyMap<ScatteredEvent, number>,
): readonly ScatteredEvent[] {
  const isReceipt = ({ name }: ScatteredEvent) =>
    ['delivered', 'bounced', 'suppressed', 'failed'].includes(name);
  const seqOf = (event: ScatteredEvent) => seqs.get(event) ?? 0;
  return events.filter(
    (one) =>
      isReceipt(one) &&
      (one.sendId === undefined ||
        !events.some(
          (other) =>
            isReceipt(other) &&
            other.sendId === one.sendId &&
            other.deviceId === one.deviceId &&
            seqOf(other) > seqOf(one),
        )),
  );
}
