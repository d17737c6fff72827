import fc from 'fast-check';
import t from 'tap';
import { catalog } from '../../../../actors/channels/catalog.ts';
import { type ChannelId, channelIds } from '../../../../actors/channels/channel-ids.ts';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { limits } from '../../../../actors/limits.ts';
import type { CampaignSpec, Recurring } from '../../../../actors/programs/campaigns/records.ts';
import {
  campaignFault,
  givenScheduleFault,
} from '../../../../actors/programs/campaigns/validation.ts';
import { tries } from '../../../support/tries.ts';

const contents: Readonly<Record<string, MessageContent>> = {
  whole: { title: 'T', body: 'B', payload: { whatsapp: { templateName: 'a' }, kakao: {} } },
  plain: { title: 'T', body: 'B' },
  untitled: { body: 'B' },
  whatsapp: { payload: { whatsapp: { templateName: 'a' } } },
  kakao: { payload: { kakao: {} } },
};
const known = {
  content: (id: string) => contents[id],
  hasSegment: (id: string) => id === 'seg_1',
  hasTopic: (key: string) => key === 'news',
};

function judged(change: Partial<CampaignSpec>) {
  const base = {
    name: 'N',
    messageId: 'whole',
    schedule: { type: 'now' },
    ifLate: 'hold',
  } as const;
  return campaignFault({ ...base, ...change }, known);
}

const every = (every: Recurring['every'], rest: Partial<Recurring> = {}): Recurring => ({
  type: 'recurring',
  every,
  at: '09:00',
  timezone: 'UTC',
  ...rest,
});
const fallback = (minutes: number, schedule: CampaignSpec['schedule'] = { type: 'now' }) => ({
  channels: ['fcm'] as const,
  fallbackChannels: ['sms'] as const,
  fallbackAfterMinutes: minutes,
  schedule,
});
const ownHour = { timezoneDelivery: { at: '09:00' } };
const two = [
  { id: 'a', weight: 1, messageId: 'whole' },
  { id: 'b', weight: 1, messageId: 'whole' },
];
const trial = { sampleShare: 0.1, winnerMetric: 'opened', decideAfterMinutes: 60 } as const;
const goal = { event: 'order', withinHours: 24 };
const counted = { ...trial, winnerMetric: 'converted' } as const;
const longFilter = (characters: number) => {
  const empty = JSON.stringify({ tag: 'a', eq: '' }).length;
  return { tag: 'a', eq: 'x'.repeat(characters - empty) } as const;
};

t.test('a campaign that fits together is taken', async (t) => {
  for (const change of [
    {},
    { segmentId: 'seg_1' },
    { filter: { tag: 'a', eq: 1 } },
    { filter: longFilter(limits.campaignFilterCharsMax) },
    { channels: [...channelIds] },
    fallback(5),
    fallback(10_080),
    fallback(30, every('hour')),
    fallback(720, every('day')),
    fallback(720, every('week', { weekdays: [0, 1] })),
    fallback(720, every('week', { weekdays: [0, 6] })),
    fallback(5_040, every('week')),
    fallback(10_080, every('week', { interval: 2, weekdays: [3] })),
    fallback(10_080, every('month')),
    { ...ownHour, schedule: every('day') },
    { optimalTime: true, schedule: every('hour', { interval: 24 }) },
    { optimalTime: false, ...ownHour },
    { optimalTime: false, ...fallback(60) },
    { variants: two, experiment: trial },
    { variants: two, experiment: counted, goal },
    { variants: two, experiment: trial, schedule: every('day') },
    { variants: two, ...ownHour },
    { messageId: 'untitled', channels: ['sms', 'line'] },
    { messageId: 'untitled' },
    { messageId: 'whatsapp', channels: ['whatsapp'] },
    { messageId: 'whatsapp' },
    { messageId: 'kakao', channels: ['kakao'] },
    { messageId: 'plain', channels: ['kakao', 'email'] },
    { messageId: 'whole', channels: ['kakao'] },
    { ...fallback(60), messageId: 'whole', fallbackChannels: ['kakao'] },
    { ...fallback(60), messageId: 'plain', fallbackChannels: ['kakao', 'sms'] },
  ] satisfies Partial<CampaignSpec>[])
    t.equal(judged(change), undefined, JSON.stringify(change).slice(0, 200));
});

t.test('what does not fit together is refused by the name of a member', async (t) => {
  for (const [change, field, words, code = 'invalid'] of [
    [{ segmentId: 'seg_1', filter: { tag: 'a', eq: 1 } }, 'filter', 'segmentId'],
    [{ filter: longFilter(limits.campaignFilterCharsMax + 1) }, 'filter', 'segment'],
    [{ segmentId: 'seg_2' }, 'segmentId', 'segment not found', 'not_found'],
    [{ fallbackChannels: ['sms'], channels: ['fcm'] }, 'fallbackAfterMinutes', 'is missing'],
    [{ fallbackAfterMinutes: 60, channels: ['fcm'] }, 'fallbackChannels', 'is missing'],
    [{ fallbackChannels: ['sms'], fallbackAfterMinutes: 60 }, 'channels', 'is missing'],
    [
      { ...fallback(60), channels: ['fcm', 'sms', 'email'], fallbackChannels: ['email', 'line'] },
      'fallbackChannels',
      'email is already in channels',
    ],
    [fallback(31, every('hour')), 'fallbackAfterMinutes', 'at most 30 '],
    [fallback(721, every('day')), 'fallbackAfterMinutes', 'at most 720 '],
    [fallback(721, every('week', { weekdays: [0, 1] })), 'fallbackAfterMinutes', 'at most 720 '],
    [fallback(721, every('week', { weekdays: [0, 6] })), 'fallbackAfterMinutes', 'at most 720 '],
    [fallback(5_041, every('week')), 'fallbackAfterMinutes', 'at most 5040 '],
    [{ ...fallback(60), ...ownHour }, 'fallbackChannels', 'timezoneDelivery'],
    [{ ...fallback(60), optimalTime: true }, 'fallbackChannels', 'optimalTime'],
    [{ ...ownHour, optimalTime: true }, 'optimalTime', 'timezoneDelivery'],
    [{ ...ownHour, schedule: every('hour', { interval: 23 }) }, 'timezoneDelivery', 'daily'],
    [{ optimalTime: true, schedule: every('hour') }, 'optimalTime', 'daily'],
    [{ schedule: every('day', { weekdays: [1] }) }, 'schedule.weekdays', 'week'],
    [{ schedule: every('week', { dayOfMonth: 1 }) }, 'schedule.dayOfMonth', 'month'],
    [{ schedule: every('day', { startMs: 5, endMs: 5 }) }, 'schedule.endAt', 'after'],
    [{ variants: [two[0], two[1], two[0]] }, 'variants[2].id', 'twice'],
    [{ experiment: trial }, 'variants', 'is missing'],
    [{ experiment: counted, variants: two }, 'goal', 'is missing'],
    [{ experiment: trial, variants: two, ...ownHour }, 'experiment', 'timezoneDelivery'],
    [{ experiment: trial, variants: two, optimalTime: true }, 'experiment', 'optimalTime'],
    [
      { experiment: trial, variants: two, schedule: every('hour') },
      'experiment.decideAfterMinutes',
      'less than 60 ',
    ],
    [{ messageId: 'none' }, 'messageId', 'message not found', 'not_found'],
    [
      { variants: [two[0], { ...two[1], messageId: 'none' }] },
      'variants[1].messageId',
      'message not found',
      'not_found',
    ],
    [{ messageId: 'plain', channels: ['whatsapp'] }, 'messageId', 'payload.whatsapp'],
    [
      { ...fallback(60), messageId: 'plain', fallbackChannels: ['whatsapp'] },
      'messageId',
      'payload.whatsapp',
    ],
    [
      { channels: ['whatsapp'], variants: [two[0], { ...two[1], messageId: 'plain' }] },
      'variants[1].messageId',
      'payload.whatsapp',
    ],
    [{ messageId: 'plain', channels: ['kakao'] }, 'messageId', 'payload.kakao, which kakao'],
    [
      { ...fallback(60), messageId: 'plain', fallbackChannels: ['kakao'] },
      'messageId',
      'payload.kakao',
    ],
    [
      { channels: ['kakao'], variants: [two[0], { ...two[1], messageId: 'plain' }] },
      'variants[1].messageId',
      'payload.kakao',
    ],
    [{ messageId: 'untitled', channels: ['email'] }, 'messageId', 'title, which email'],
    [
      { ...fallback(60), messageId: 'untitled', channels: ['sms'], fallbackChannels: ['apns'] },
      'messageId',
      'title, which apns',
    ],
    [{ messageId: 'whatsapp', channels: ['whatsapp', 'sms'] }, 'messageId', 'body, which sms'],
    [{ messageId: 'kakao', channels: ['kakao', 'viber'] }, 'messageId', 'body, which viber'],
  ] as [Partial<CampaignSpec>, string, string, string?][]) {
    const fault = judged(change);
    const what = `${JSON.stringify(change).slice(0, 160)}: ${fault?.message}`;
    t.equal(fault?.field, field, what);
    t.equal(fault?.code, code, what);
    t.ok(fault?.message.startsWith(`${field}: `), what);
    t.ok(fault?.message.includes(words), what);
  }
});

t.test('a schedule that is given may lie a minute in the past, and no more', async (t) => {
  const nowMs = Date.UTC(2026, 5, 1);
  const at = (atMs: number) => givenScheduleFault({ type: 'at', atMs }, nowMs)?.field;
  t.equal(at(nowMs + 1), undefined);
  t.equal(at(nowMs - 60_000), undefined);
  t.equal(at(nowMs - 60_001), 'schedule.at');
  t.equal(givenScheduleFault({ type: 'now' }, nowMs), undefined);
  t.equal(givenScheduleFault(every('day', { startMs: 1, endMs: nowMs + 1 }), nowMs), undefined);
  t.equal(givenScheduleFault(every('day', { endMs: nowMs }), nowMs)?.field, 'schedule.endAt');
});

t.test('a fallback is taken exactly where every rule of the specification holds', async (t) => {
  // Each rule once, as plainly as it can be said.
  const channels = fc.option(
    fc.uniqueArray(fc.constantFrom(...channelIds), { minLength: 1, maxLength: 4 }),
    { nil: undefined },
  );
  const schedule = fc.constantFrom<[CampaignSpec['schedule'], number]>(
    [{ type: 'now' }, Infinity],
    [every('hour'), 60],
    [every('hour', { interval: 5 }), 300],
    [every('day', { interval: 3 }), 4_320],
    [every('week', { weekdays: [1, 4] }), 4_320],
  );
  const minutes = fc.option(
    fc.oneof(fc.integer({ min: 5, max: 10_080 }), fc.constantFrom(30, 31, 150, 151, 2_160, 2_161)),
    { nil: undefined },
  );
  let taken = 0;
  fc.assert(
    fc.property(
      channels,
      channels,
      minutes,
      schedule,
      fc.constantFrom({}, {}, {}, ownHour, { optimalTime: true }),
      (channels, fallbackChannels, fallbackAfterMinutes, [schedule, periodMinutes], own) => {
        const isOwn = Object.keys(own).length > 0;
        if (isOwn && periodMinutes < 1_440) return true;
        const hasFallback = fallbackChannels !== undefined && fallbackAfterMinutes !== undefined;
        const hasNone = fallbackChannels === undefined && fallbackAfterMinutes === undefined;
        const isRight =
          hasNone ||
          (hasFallback &&
            channels !== undefined &&
            new Set([...channels, ...fallbackChannels]).size ===
              channels.length + fallbackChannels.length &&
            fallbackAfterMinutes * 2 <= periodMinutes &&
            !isOwn);
        const given = { channels, fallbackChannels, fallbackAfterMinutes };
        const change = Object.fromEntries(
          Object.entries(given).filter(([, value]) => value !== undefined),
        );
        if (isRight && hasFallback) taken++;
        return (judged({ ...change, ...own, schedule }) === undefined) === isRight;
      },
    ),
    { seed: 11, numRuns: tries(3_000) },
  );
  t.ok(taken > tries(300), `${taken} fallbacks were taken`);
});

t.test('a message has what each named channel shows, whichever of them are named', async (t) => {
  const content = fc.record(
    {
      title: fc.constant('T'),
      body: fc.constant('B'),
      payload: fc.record(
        { whatsapp: fc.constant({ templateName: 'a' }), kakao: fc.constant({}) },
        { requiredKeys: [] },
      ),
    },
    { requiredKeys: [] },
  );
  const shows = (
    channel: ChannelId,
    { title, body, payload }: MessageContent,
    isAlone: boolean,
  ) => {
    if (channel === 'whatsapp') return payload?.['whatsapp'] !== undefined;
    // KakaoTalk shows nothing else, so alone it needs its template; beside others it may go
    // without.
    if (channel === 'kakao')
      return payload?.['kakao'] !== undefined || (body !== undefined && !isAlone);
    const titled = ['email', 'fcm', 'apns', 'webpush'].includes(channel);
    return body !== undefined && (!titled || title !== undefined);
  };
  fc.assert(
    fc.property(
      content,
      fc.uniqueArray(fc.constantFrom(...channelIds), { minLength: 1 }),
      (content, channels) => {
        const base = {
          name: 'N',
          messageId: 'm',
          schedule: { type: 'now' },
          ifLate: 'hold',
        } as const;
        const fault = campaignFault({ ...base, channels }, { ...known, content: () => content });
        return (
          (fault === undefined) ===
          channels.every((channel) => shows(channel, content, channels.length === 1))
        );
      },
    ),
    { seed: 5, numRuns: tries(2_000) },
  );
  t.equal(Object.keys(catalog).length, 13);
});
