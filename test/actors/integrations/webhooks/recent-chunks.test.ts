import t from 'tap';
import {
  encodeChunk,
  type StoredEvent,
} from '../../../../actors/integrations/webhooks/event-chunk.ts';
import { RecentChunks } from '../../../../actors/integrations/webhooks/recent-chunks.ts';

const eventOf = (seq: number, externalUserId: string | null): StoredEvent => ({
  kind: 'message.delivered',
  subscriberId: null,
  externalUserId,
  campaignId: null,
  journeyId: null,
  messageId: null,
  sendId: null,
  deviceId: null,
  channel: 'fcm',
  atMs: 5,
  seq,
  metaJson: '{}',
});

t.test('a chunk is read once, and anew when its person was taken out', async (t) => {
  const chunks = new RecentChunks();
  const name = { atMs: 5, chunk: 1 };
  const before = encodeChunk(9, 5, [eventOf(1, 'ada')]);
  const first = chunks.eventsOf(9, name, before);
  t.equal(chunks.eventsOf(9, name, Buffer.from(before)), first);
  t.equal(first[0]?.externalUserId, 'ada');
  const after = encodeChunk(9, 5, [eventOf(1, null)]);
  t.equal(chunks.eventsOf(9, name, after)[0]?.externalUserId, null);
  t.not(chunks.eventsOf(8, name, before), first, 'another app has chunks of its own');
});

t.test('it keeps the newest', async (t) => {
  const chunks = new RecentChunks();
  const bytes = encodeChunk(9, 5, [eventOf(1, 'ada')]);
  const [first] = [chunks.eventsOf(9, { atMs: 5, chunk: 0 }, bytes)];
  for (let chunk = 1; chunk < 32; chunk++) chunks.eventsOf(9, { atMs: 5, chunk }, bytes);
  t.equal(chunks.eventsOf(9, { atMs: 5, chunk: 0 }, bytes), first);
  chunks.eventsOf(9, { atMs: 5, chunk: 32 }, bytes);
  t.not(chunks.eventsOf(9, { atMs: 5, chunk: 0 }, bytes), first);
});
