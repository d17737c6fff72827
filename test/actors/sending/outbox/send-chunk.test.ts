// Rows of a batch's sends, 32 in a record: whoever reads a send finds what was queued, erasure
// finds everything that was said to somebody, and retention takes chunks as it takes rows.

import fc from 'fast-check';
import t from 'tap';
import type { RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import type { SendContent } from '../../../../actors/sending/outbox/records.ts';
import {
  chunkSends,
  chunksOf,
  fitsChunk,
  idInRun,
  newSendRun,
  sendRow,
} from '../../../../actors/sending/outbox/send-chunk.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { formatId } from '../../../../engine/base/id.ts';
import { seededRng } from '../../../../engine/base/rng.ts';
import { Documents } from '../../../../storage/documents.ts';
import { MemoryStore } from '../../../../storage/memory.ts';
import { sends } from '../../../../storage/tables/send.ts';
import { type SendChunkRow, sendChunks } from '../../../../storage/tables/send-chunk.ts';
import { tries } from '../../../support/tries.ts';
import { BatchScene, users } from '../transactional/batch-scene.ts';

const app = 9;
const text = fc.string({ maxLength: 20 });
const content: fc.Arbitrary<SendContent> = fc
  .record(
    {
      body: text,
      title: text,
      image: text,
      deepLink: text,
      data: fc.dictionary(text, text),
      buttons: fc.array(fc.record({ label: text, url: text }), { maxLength: 2 }),
      payload: fc.constant({ whatsapp: { templateName: 'a', bodyParams: ['b'] } }),
      options: fc.record({ ttlSeconds: fc.nat(), sound: text }, { requiredKeys: [] }),
    },
    { requiredKeys: ['body', 'options'] },
  )
  .chain((plain) =>
    fc.option(text, { nil: undefined }).map((html) => {
      const rendered = plain as RenderedContent;
      return html === undefined
        ? { plain: rendered }
        : { plain: rendered, email: { ...rendered, body: html } };
    }),
  );
const aSend = fc.record({
  person: fc.nat(),
  content,
  channels: fc.array(fc.constantFrom('email' as const, 'sms' as const), {
    minLength: 1,
    maxLength: 3,
  }),
});

t.test(
  'a send reads from its chunk as it was queued, and no other id reads anything',
  async (t) => {
    fc.assert(
      fc.property(fc.array(aSend, { minLength: 1, maxLength: 80 }), fc.nat(), (queued, seed) => {
        const documents = new Documents(new MemoryStore(), { strict: true });
        const run = newSendRun(app, 1_700_000_000_000, seededRng(seed));
        const device = (i: number) =>
          formatId('dev', { ordinal: app, atMs: 5, high16: 0, low32: i });
        const rows = queued.map(({ person, content, channels }) => ({
          person,
          content,
          targets: channels.map((channel, i) => ({ deviceId: device(i), channel })),
        }));
        const writes = chunksOf(run, rows);
        if (writes.length !== Math.ceil(rows.length / chunkSends))
          throw new Error('too many records');
        documents.stage(app, writes);
        const reader = { get: documents.get.bind(documents) };
        const read = (id: string) =>
          sendRow({ get: (table, key) => reader.get(table, app, key) }, app, id);
        for (const [place, row] of rows.entries()) {
          const id = idInRun(run, place);
          const found = read(id);
          const expected = {
            id,
            ...row,
            acceptedMs: run.atMs,
            outcomes: [],
            deadLettersOpen: 0,
            deadLettersRecovered: 0,
          };
          if (!same(found, expected))
            throw new Error(`${JSON.stringify(found)} for ${JSON.stringify(expected)}`);
        }
        if (read(idInRun(run, rows.length)) !== undefined) throw new Error('a send too many');
      }),
      { seed: 4, numRuns: tries(200) },
    );
    t.pass();
  },
);

t.test('a long send, and one that may live shorter, have rows of their own', async (t) => {
  const long = { plain: { body: 'x'.repeat(20_000), options: {} } };
  t.notOk(fitsChunk(long));
  const scene = await BatchScene.make(4);
  const { results } = await scene.send({ title: 'a', body: '{{ first_name }}' }, [
    ...users(2),
    { to: { externalUserId: 'user-2' }, data: { ttlSeconds: '60' } },
    { to: { externalUserId: 'user-3' }, body: 'x'.repeat(10_000) },
  ]);
  const at = new Documents(scene.one.store);
  t.equal(at.range(sends, scene.app, { limit: 9 }).length, 2);
  t.match(at.range(sendChunks, scene.app, { limit: 9 }), [{ value: { people: [0, 1] } }]);
  t.equal(scene.outbox.jobs.size, 4);
  for (const { id = '' } of results)
    t.match(await scene.one.value(scene.app, 'transactional.read', { id }), { status: 'pending' });
});

t.test('erasing somebody takes their words out of chunks: of open sends at once', async (t) => {
  const scene = await BatchScene.make(3);
  const { one } = scene;
  await scene.send({ title: 'a', body: 'Dear {{ first_name }}' }, [...users(3), ...users(1)]);
  const words = () => {
    const chunks = new Documents(one.store).range(sendChunks, scene.app, { limit: 9 });
    return chunks.flatMap(({ value }) => (value as SendChunkRow).words.map(([body]) => body));
  };
  t.same(words(), ['Dear Name 0', 'Dear Name 1', 'Dear Name 2', 'Dear Name 0']);
  await one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-0' } });
  t.same(words(), [undefined, 'Dear Name 1', 'Dear Name 2', undefined]);
  t.same([...scene.openSends().keys()].length, 2);
});

t.test('and of ended ones within hours', async (t) => {
  const scene = await BatchScene.make(2);
  const { one } = scene;
  one.takeGrants();
  await scene.send({ title: 'a', body: 'Dear {{ first_name }}' }, users(2));
  for (const { channel, attempts } of one.takeGrants()) {
    const reports = attempts.map(({ target, attempt }) => ({
      sendId: attempt.sendId,
      target,
      attempt: attempt.attempt,
      outcome: { outcome: 'accepted' as const },
    }));
    await one.value(scene.app, 'dispatch.report', { channel, reports });
  }
  await one.value(scene.app, 'subscriber.erase', { ref: { externalUserId: 'user-1' } });
  await one.advance(hourMs);
  const [chunk] = new Documents(one.store).range(sendChunks, scene.app, { limit: 9 });
  t.match(chunk?.value, { words: [['Dear Name 0'], []] });
  const rows = new Documents(one.store).range(sends, scene.app, { limit: 9 });
  t.notMatch(JSON.stringify(rows), /Name 1/);
});

t.test('a chunk goes with the app’s retention', async (t) => {
  const scene = await BatchScene.make(2);
  const { one } = scene;
  const { results } = await scene.send({ title: 'a', body: 'b', ttlSeconds: 60 }, users(2));
  const chunks = () => new Documents(one.store).range(sendChunks, scene.app, { limit: 9 }).length;
  t.equal(chunks(), 1);
  for (const { channel, attempts } of one.takeGrants()) {
    const reports = attempts.map(({ target, attempt }) => ({
      sendId: attempt.sendId,
      target,
      attempt: attempt.attempt,
      outcome: { outcome: 'accepted' as const },
    }));
    await one.value(scene.app, 'dispatch.report', { channel, reports });
  }
  await one.advance(89 * dayMs);
  t.equal(chunks(), 1);
  await one.advance(2 * dayMs);
  t.equal(chunks(), 0);
  const [{ id = '' } = {}] = results;
  t.match(await one.value(scene.app, 'transactional.read', { id }), { status: 'pending' });
});

t.test('chunks whose sends still wait keep no later one from going', async (t) => {
  const scene = await BatchScene.make(1);
  const { one } = scene;
  const waiting = 33; // more than one turn looks at
  for (let i = 0; i < waiting; i++) {
    await scene.send({ title: 'a', body: 'b' }, users(1));
    await one.advance(1_000);
  }
  one.takeGrants(); // of which nothing is heard any more
  await scene.send({ title: 'a', body: 'b' }, users(1));
  for (const { channel, attempts } of one.takeGrants())
    await one.value(scene.app, 'dispatch.report', {
      channel,
      reports: attempts.map(({ target, attempt: { sendId, attempt } }) => ({
        ...{ sendId, target, attempt },
        outcome: { outcome: 'accepted' as const },
      })),
    });
  t.equal(scene.outbox.jobs.size, waiting);
  await one.advance(91 * dayMs);
  await one.advance(1_000); // a page a second
  const left = new Documents(one.store).range(sendChunks, scene.app, { limit: 99 });
  t.equal(left.length, waiting);
});

function same(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  return Object.fromEntries(
    Object.entries(value)
      .sort(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, member]) => [name, sorted(member)]),
  );
}

t.test(
  'a row stays while its chunk does, which would speak for the send in its place',
  async (t) => {
    const scene = await BatchScene.make(2);
    const { one } = scene;
    const { results } = await scene.send({ title: 'a', body: 'b' }, users(2));
    const [id = '', open = ''] = results.map((result) => result.id);
    const answered = one.takeGrants().map(({ channel, attempts }) => ({
      channel,
      reports: attempts.map(({ target, attempt }) => ({
        sendId: attempt.sendId,
        target,
        attempt: attempt.attempt,
        outcome: { outcome: 'accepted' as const },
      })),
    }));
    const answer = async (sendId: string) => {
      for (const { channel, reports } of answered) {
        const some = reports.filter((report) => report.sendId === sendId);
        await one.value(scene.app, 'dispatch.report', { channel, reports: some });
      }
    };
    const left = () => {
      const documents = new Documents(one.store);
      return [
        documents.range(sends, scene.app, { limit: 9 }).length,
        documents.range(sendChunks, scene.app, { limit: 9 }).length,
      ];
    };
    await answer(id);
    await one.advance(91 * dayMs);
    t.same(left(), [1, 1], 'the other is under way still');
    t.equal((await one.value(scene.app, 'transactional.read', { id })).status, 'delivered');
    await answer(open);
    for (let hours = 0; hours < 3; hours++) await one.advance(hourMs);
    t.same(left(), [0, 0]);
  },
);
