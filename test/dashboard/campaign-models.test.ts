import fc from 'fast-check';
import t from 'tap';
import { bestOfCampaigns, ratesOf } from '../../actors/programs/campaigns/rates.ts';
import type { AnswerOf } from '../../dashboard/api/client.ts';
import { movedBy, ticksOf } from '../../dashboard/chart/model.ts';
import { blankDraft, bodyOf, draftOf } from '../../dashboard/screens/campaigns/editor/draft.ts';
import { foldOf, missingOf } from '../../dashboard/screens/campaigns/editor/missing.ts';
import {
  alignedByHour,
  compareRows,
  csvOf,
  namesApart,
} from '../../dashboard/screens/compare/model.ts';
import { instantOfWall, wallOf } from '../../dashboard/time/wall-clock.ts';
import { percentText } from '../../dashboard/ui/percents.ts';

const zones = ['UTC', 'Europe/Berlin', 'America/New_York', 'Asia/Kathmandu', 'Australia/Lord_Howe'];
const nowMs = Date.parse('2026-11-24T09:00:00Z');

const hourMs = 3_600_000;

t.test(
  'a wall clock of an instant leads back to it, unless the clock shows it twice',
  async (t) => {
    const minuteMs = 60_000;
    fc.assert(
      fc.property(
        fc.constantFrom(...zones),
        fc.integer({ min: 0, max: 33_333_333 }),
        (zone, minute) => {
          const atMs = minute * minuteMs;
          const found = instantOfWall(wallOf(atMs, zone), zone);
          return found !== undefined && (found.kind === 'twice' || found.atMs === atMs);
        },
      ),
    );
    t.equal(instantOfWall('tomorrow', 'UTC'), undefined);
  },
);

t.test(
  'a clock that is put forward skips a time, one that is put back shows it twice',
  async (t) => {
    const skipped = instantOfWall('2026-03-29T02:30', 'Europe/Berlin');
    t.strictSame(skipped, { atMs: Date.parse('2026-03-29T01:30:00Z'), kind: 'skipped' });
    const twice = instantOfWall('2026-10-25T02:30', 'Europe/Berlin');
    t.strictSame(twice, { atMs: Date.parse('2026-10-25T00:30:00Z'), kind: 'twice' });
  },
);

t.test('a draft that is saved and opened again says the same', async (t) => {
  const draft = {
    ...blankDraft('Asia/Bangkok', nowMs),
    name: 'Digest',
    messageId: 'msg_1',
    audience: 'filter' as const,
    filter: { tag: 'plan', eq: 'pro' },
    topic: 'news',
    hasChannels: true,
    channels: ['fcm' as const],
    hasFallback: true,
    fallbackChannels: ['email' as const],
    when: 'recurring' as const,
    weekdays: ['mon' as const, 'thu' as const],
    hasVariants: true,
    variants: [
      { row: 0, id: 'a', weight: 1, messageId: 'msg_1' },
      { row: 1, id: 'b', weight: 2, messageId: 'msg_2' },
    ],
    hasHoldout: true,
    holdoutPercent: 12.5,
    hasGoal: true,
    goalEvent: 'order',
  };
  const body = bodyOf(draft);
  const opened = draftOf(
    { ...body, timezoneDelivery: null, throttle: null } as unknown as Parameters<typeof draftOf>[0],
    'Asia/Bangkok',
    nowMs,
  );
  t.strictSame(bodyOf(opened), body);
  t.equal(body.holdoutShare, 0.125);
  t.strictSame(missingOf(draft, true), []);
});

t.test('what is missing names its field and its fold', async (t) => {
  const blank = blankDraft('UTC', nowMs);
  t.strictSame(
    missingOf({ ...blank, audience: 'segment', hasThrottle: true, perMinute: undefined }, true).map(
      ({ fold, field }) => `${fold} ${field}`,
    ),
    ['what messageId', 'who segmentId', 'when throttle'],
  );
  t.equal(foldOf('schedule.at'), 'when');
  t.equal(foldOf('fallbackChannels'), 'who');
  t.equal(foldOf('topic'), 'who');
  t.equal(foldOf('variants[0].messageId'), 'what');
});

t.test('a half-filled part is left out of what is saved', async (t) => {
  const body = bodyOf({ ...blankDraft('UTC', nowMs), hasFallback: true, hasVariants: true });
  t.equal(body.fallbackChannels, null);
  t.equal(body.variants, null);
  t.notOk('messageId' in body);
});

t.test('campaigns of one name stay apart', async (t) => {
  t.strictSame(namesApart(['A', 'B', 'A']), ['A (1)', 'B', 'A (2)']);
});

t.test(
  'a comparison says what its rates are of, with intervals, and marks what is shown',
  async (t) => {
    const group = (id: string, sent: number, opened: number, held = 0) => {
      const counts = { sent, delivered: sent, opened, clicked: 0, bounced: 0, failed: 0 };
      const rest = { suppressed: 0, converted: 0, unsubscribed: 0, complained: 0 };
      const lift = { difference: 0.031, low: -0.004, high: 0.066, relative: null };
      const people = { ...counts, ...rest };
      const holdout = { size: held };
      const audience = sent + held;
      return { campaignId: id, audience, ...people, holdout, rates: ratesOf(people, false), lift };
    };
    const items = [group('cmp_1', 1000, 500), group('cmp_2', 1000, 400), group('cmp_3', 0, 0)];
    const answer = {
      items,
      best: bestOfCampaigns(items),
    } as unknown as AnswerOf<'compareCampaigns'>;
    const rows = compareRows(answer);
    const rowOf = (name: string) => rows.find((row) => row.name === name);
    t.equal(rowOf('Open rate')?.best, 0);
    t.equal(rowOf('Delivery rate')?.best, -1, 'even ones have no best');
    t.equal(rowOf('Sent')?.best, -1);
    t.equal(rowOf('Open rate')?.values[2], null, 'nothing is a share of nobody');
    t.equal(rowOf('Conversion rate')?.values[0], null, 'without a goal');
    t.equal(rowOf('Converted')?.values[0], null, 'nobody can convert without a goal');
    t.equal(rowOf('Held out'), undefined, 'nobody was');
    const held = compareRows({
      ...answer,
      items: [...items, group('cmp_4', 70, 10, 30)],
    } as unknown as AnswerOf<'compareCampaigns'>);
    const heldOut = held.find(({ name }) => name === 'Held out');
    t.strictSame(
      heldOut?.values.map((one) => one?.value),
      [0, 0, 0, 30],
      'or the audience would be more than who it went to',
    );
    t.strictSame(rowOf('Lift over the control group')?.values[0], {
      value: 0.031,
      interval: [-0.004, 0.066],
    });
    const csv = csvOf(['A', 'B', 'C'], rows).split('\r\n');
    t.ok(csv.includes('Open rate (of sent),0.5,0.4,'));
    t.ok(
      csv.includes(
        '"Open rate (of sent), lower end of the 95% confidence interval",0.46907,0.370075,',
      ),
    );
    t.ok(
      csv.includes(
        '"Lift over the control group, upper end of the 95% confidence interval",0.066,0.066,0.066',
      ),
    );
  },
);

t.test('a small share does not look like none', async (t) => {
  t.equal(percentText(0.0004), '0.04%');
  t.equal(percentText(0.00000123), '0.00012%');
  t.equal(percentText(0), '0%');
  t.equal(percentText(0.123), '12.3%');
});

t.test('campaigns of different days are summed up over the hours since their start', async (t) => {
  const { xs, values } = alignedByHour([
    { startMs: 5 * hourMs + 1, items: [5, 6].map((hour) => ({ atMs: hour * hourMs, value: 2 })) },
    { startMs: 90 * hourMs, items: [{ atMs: 90 * hourMs, value: 7 }] },
  ]);
  t.strictSame(xs, [0, 1]);
  t.strictSame(values, [
    [2, 4],
    [7, null],
  ]);
});

t.test('ticks of a chart fall on places, at most so many and equally far apart', async (t) => {
  const dayMs = 24 * hourMs;
  const days = Array.from({ length: 30 }, (_, day) => day * dayMs);
  const apart = (ticks: readonly number[], step: number) =>
    ticks.slice(1).map((tick, at) => (tick - (ticks[at] ?? 0)) / step);
  t.strictSame(apart(ticksOf(days, dayMs, 10), dayMs), Array(9).fill(3));
  t.strictSame(apart(ticksOf(days, dayMs, 5), dayMs), Array(4).fill(7));
  const hours = Array.from({ length: 49 }, (_, hour) => hour * hourMs);
  t.strictSame(apart(ticksOf(hours, hourMs, 9), hourMs), Array(8).fill(6));
  t.strictSame(ticksOf([7], 1, 0), [7]);
  t.equal(
    ticksOf(
      Array.from({ length: 9_000 }, (_, n) => n),
      1,
      4,
    ).length,
    4,
  );
});

t.test('arrow keys read a chart from end to end and stop there', async (t) => {
  t.equal(movedBy('ArrowRight', undefined, 3), 0);
  t.equal(movedBy('ArrowLeft', undefined, 3), 2);
  t.equal(movedBy('ArrowRight', 2, 3), 2);
  t.equal(movedBy('End', 0, 3), 2);
  t.equal(movedBy('a', 0, 3), undefined);
});
