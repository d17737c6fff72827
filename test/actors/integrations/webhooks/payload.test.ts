import assert from 'node:assert/strict';
import fc from 'fast-check';
import t from 'tap';
import {
  noIds,
  type WebhookEvent,
  webhookKinds,
} from '../../../../actors/integrations/webhooks/event.ts';
import { storedPayload, webhookPayload } from '../../../../actors/integrations/webhooks/payload.ts';
import type { CampaignStats } from '../../../../actors/programs/campaigns/protocol.ts';
import { campaignStatsView } from '../../../../http/routes/campaigns/campaign-stats-shape.ts';
import { tries } from '../../../support/tries.ts';

const deliveryId = 'whd_00000000000000000000000001';
const members = [
  'id',
  'type',
  'subscriberId',
  'externalUserId',
  'campaignId',
  'journeyId',
  'messageId',
  'sendId',
  'deviceId',
  'channel',
  'at',
  'seq',
  'meta',
];
const nothing = {
  ...noIds,
  atMs: Date.UTC(2026, 10, 21, 12, 0, 0, 7),
  seq: 42,
};
const funnel = { sent: 1, delivered: 2, bounced: 3, suppressed: 4, failed: 5 };
const left = { unsubscribed: 9, complained: 10 };
const people = { ...funnel, opened: 6, clicked: 7, converted: 8, ...left };
const compared = { treated: null, lift: null };
const comparison = { holdout: { size: 1, converted: null, conversionRate: null }, ...compared };
const stats: CampaignStats = {
  ...people,
  campaignId: 'cmp_1',
  name: 'Spring sale',
  state: 'completed',
  audience: 10,
  ...comparison,
  rates: null,
  devices: { sent: 1, delivered: 2, bounced: 3, failed: 5 },
  byChannel: { fcm: funnel },
  byVariant: { A: { ...people, ...compared } },
  occurrences: [
    {
      ...people,
      number: 1,
      startedMs: 1_790_000_000_000,
      endedMs: null,
      audience: 10,
      ...comparison,
      nextDay: 0,
      winner: null,
    },
    {
      ...people,
      number: 2,
      startedMs: 1_790_000_000_000,
      endedMs: 1_790_000_001_000,
      audience: 10,
      ...comparison,
      nextDay: 0,
      winner: 'A',
    },
  ],
  fallback: { eligible: 0, sent: 0, suppressed: 0, suppressedBy: {} },
  suppressedBy: { no_device: 1 },
  deferredBy: {},
  progress: null,
};
const metas = {
  'campaign.completed': stats,
  'campaign.failed': { name: 'Spring sale', reason: 'no_sender' },
  'campaign.chunk_processed': { processed: 10, total: 20 },
  'delivery.degraded': {
    channel: 'fcm',
    attempts: 60,
    failed: 20,
    sinceMs: 1_790_000_000_000,
    reasons: { unavailable: 20 },
  },
  'subscriber.unsubscribed': { source: 'link', identityClass: 'email' },
  'webhook.test': {},
} as const;

function eventOf(kind: (typeof webhookKinds)[number]): WebhookEvent {
  const meta = kind in metas ? metas[kind as keyof typeof metas] : { reason: 'unavailable' };
  return { ...nothing, kind, meta } as WebhookEvent;
}

const read = (event: WebhookEvent) =>
  JSON.parse(webhookPayload(event, deliveryId).toString('utf8'));

t.test('every kind has the same members in the same order; what is absent is null', async (t) => {
  for (const kind of webhookKinds) {
    const payload = read(eventOf(kind));
    t.same(Object.keys(payload), members, kind);
    t.match(payload, { id: deliveryId, type: kind, subscriberId: null, channel: null, seq: 42 });
    t.equal(payload.at, '2026-11-21T12:00:00.007Z');
    t.equal(typeof payload.meta, 'object');
    const { meta, ...event } = eventOf(kind);
    const stored = { ...event, metaJson: JSON.stringify(meta) };
    t.ok(storedPayload(stored, deliveryId).equals(webhookPayload(eventOf(kind), deliveryId)), kind);
  }
});

t.test(
  'whatever an event holds, receivers read the same, and the bytes are always the same',
  async () => {
    const text = fc.option(fc.string({ unit: 'grapheme', maxLength: 40 }), { nil: null });
    fc.assert(
      fc.property(
        text,
        text,
        fc.dictionary(fc.string(), fc.jsonValue()),
        fc.integer({ min: 0, max: 8.64e15 - 1 }),
        (externalUserId, sendId, meta, atMs) => {
          const event: WebhookEvent = {
            ...nothing,
            kind: 'message.failed',
            externalUserId,
            sendId,
            atMs,
            meta,
          };
          const { id, type, at, meta: told, ...rest } = read(event);
          const { atMs: _, ...expected } = { ...nothing, externalUserId, sendId };
          assert.deepEqual(rest, JSON.parse(JSON.stringify(expected)));
          assert.deepEqual({ id, type }, { id: deliveryId, type: 'message.failed' });
          assert.equal(Date.parse(at), atMs);
          assert.deepEqual(told, JSON.parse(JSON.stringify(meta)));
          const stored = { ...event, metaJson: JSON.stringify(meta) };
          assert.ok(webhookPayload(event, deliveryId).equals(storedPayload(stored, deliveryId)));
        },
      ),
      { numRuns: tries(50) },
    );
  },
);

t.test('the stats of a finished campaign are those of its route', async (t) => {
  const waiting: CampaignStats = {
    ...stats,
    stateReason: 'no_sender',
    progress: {
      done: 1,
      total: 2,
      ratePerSecond: 0.5,
      expectedEndMs: 1_790_000_000_000,
      waitingFor: { reason: 'quiet_hours', text: 'It waits.', untilMs: 1_790_000_000_000 },
    },
  };
  const unknownEnd: CampaignStats = {
    ...stats,
    progress: {
      done: 1,
      total: 2,
      ratePerSecond: 0,
      expectedEndMs: null,
      waitingFor: { reason: 'throttled', text: 'It waits.', people: 3 },
    },
  };
  for (const meta of [stats, waiting, unknownEnd]) {
    const event: WebhookEvent = { ...nothing, kind: 'campaign.completed', meta };
    t.same(read(event).meta, JSON.parse(JSON.stringify(campaignStatsView(meta))));
  }
});

t.test('instants of a degraded channel are texts', async (t) => {
  const { meta } = read(eventOf('delivery.degraded'));
  t.same(meta, {
    channel: 'fcm',
    attempts: 60,
    failed: 20,
    reasons: { unavailable: 20 },
    since: '2026-09-21T14:13:20.000Z',
  });
});
