// What the verdicts of a step's channels are combineVerdicts, and what caps count of sends that are
// decided and not folded.

import fc from 'fast-check';
import t from 'tap';
import { type ChannelId, channelIds } from '../../../../actors/channels/channel-ids.ts';
import { combineVerdicts, countedBy } from '../../../../actors/programs/journeys/send-policy.ts';
import { CapCounts } from '../../../../actors/sending/gate/caps.ts';
import type { Verdict } from '../../../../actors/sending/gate/verdict.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { tries } from '../../../support/tries.ts';

const now: Verdict = { answer: 'send' };
const hold = (untilMs: number): Verdict => ({ answer: 'hold', reason: 'quiet_hours', untilMs });
const not = (reason: Extract<Verdict, { answer: 'suppress' }>['reason']): Verdict => ({
  answer: 'suppress',
  reason,
});

t.test('the channels of a step answer together', async (t) => {
  const cases: readonly (readonly [string, Partial<Record<ChannelId, Verdict>>, object])[] = [
    ['one may', { fcm: now, email: not('no_device') }, { kind: 'sent', channels: ['fcm'] }],
    [
      'one may, and who is held goes along, to be held by the pump',
      { fcm: hold(9), email: now },
      { kind: 'sent', channels: ['fcm', 'email'] },
    ],
    [
      'but not who is over a cap at their hour',
      { fcm: hold(9), email: now, line: hold(9) },
      { kind: 'sent', channels: ['fcm', 'email'] },
    ],
    [
      'all that reach are held: until the first may',
      { fcm: hold(9), email: hold(5), sms: not('no_device') },
      { kind: 'held', untilMs: 5, reason: 'quiet_hours' },
    ],
    [
      'none may: the reason that was nearest to having left',
      { fcm: not('no_device'), email: not('opt_out'), sms: not('frequency_cap') },
      { kind: 'suppressed', reason: 'frequency_cap' },
    ],
    ['nobody is there', { fcm: not('no_device') }, { kind: 'suppressed', reason: 'no_device' }],
  ];
  for (const [what, verdicts, answer] of cases) {
    const channels = channelIds.filter((channel) => verdicts[channel] !== undefined);
    t.match(
      combineVerdicts(
        channels,
        (channel) => verdicts[channel] ?? now,
        (channel) => channel !== 'line',
      ),
      answer,
      what,
    );
  }
});

t.test('the first channel that lets it through is the first to the caps over all', async (t) => {
  const asked: (readonly [string, boolean])[] = [];
  combineVerdicts(
    ['fcm', 'email', 'sms'],
    (channel, isFirst) => {
      asked.push([channel, isFirst]);
      return channel === 'fcm' ? not('no_device') : now;
    },
    () => true,
  );
  t.same(asked, [
    ['fcm', true],
    ['email', true],
    ['sms', false],
  ]);
});

t.test('sends ahead count toward caps as if they were folded', async (t) => {
  const sendAt = fc.record({
    atHours: fc.integer({ min: 0, max: 60 }),
    channels: fc.subarray(['fcm', 'email'] as ChannelId[], { minLength: 1 }),
  });
  const cap = fc.record(
    {
      max: fc.integer({ min: 1, max: 4 }),
      perHours: fc.integer({ min: 1, max: 48 }),
      channel: fc.constantFrom<ChannelId>('fcm', 'email'),
    },
    { requiredKeys: ['max', 'perHours'] },
  );
  fc.assert(
    fc.property(
      fc.array(sendAt, { maxLength: 8 }),
      fc.nat(8),
      fc.array(cap, { minLength: 1, maxLength: 3 }),
      fc.constantFrom<ChannelId>('fcm', 'email'),
      fc.boolean(),
      (unsorted, folded, caps, channel, isFirst) => {
        const sends = unsorted
          .toSorted((a, b) => a.atHours - b.atHours)
          .map(({ atHours, channels }) => ({ atMs: (1000 + atHours) * hourMs, channels }));
        const nowMs = 1060 * hourMs;
        const fold = (count: number) => {
          const counts = new CapCounts();
          for (const { atMs, channels } of sends.slice(0, count))
            for (const [i, one] of channels.entries())
              counts.counter(caps, one, 2)?.(1, i === 0, atMs);
          return counts;
        };
        const whole = fold(sends.length).isReached(caps, 1, channel, nowMs, isFirst);
        const ahead = sends.slice(folded);
        const parts = fold(folded).isReached(caps, 1, channel, nowMs, isFirst, (one) =>
          countedBy(one, ahead, nowMs),
        );
        return whole === parts;
      },
    ),
    { numRuns: tries(2000) },
  );
  t.pass('wherever the line between them is');
});
