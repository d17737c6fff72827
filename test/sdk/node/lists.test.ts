// Lists, exports and batches: what several calls or a long answer look like to a program.

import fc from 'fast-check';
import t from 'tap';
import { joined, partsOf } from '../../../sdk/node/src/batch.ts';
import { Engage, EngageError } from '../../../sdk/node/src/engage.ts';
import { tries } from '../../support/tries.ts';
import { answering, scriptedServer } from '../support/scripted-server.ts';

const page = (items: readonly number[], nextCursor: string | null) =>
  answering(200, { items: items.map((id) => ({ id: `seg_${id}` })), nextCursor, total: 5 });

t.test('a list is asked for page by page, and not before it is read', async (t) => {
  const { url, asked } = await scriptedServer(
    t,
    page([1, 2], 'a b'),
    page([], 'c'),
    page([3], null),
  );
  const engage = new Engage({ baseUrl: url, apiKey: 'ek', appId: 'app' });
  const list = engage.segments.list({ q: 'x' });
  t.equal(asked.length, 0);
  t.equal((await list).items.length, 2, 'awaited, it is the first page');
  const ids: string[] = [];
  for await (const { id } of list) ids.push(id);
  t.same(ids, ['seg_1', 'seg_2', 'seg_3']);
  t.same(
    asked.map(({ line }) => line),
    ['', '&cursor=a+b', '&cursor=c'].map((more) => `GET /v1/apps/app/segments?q=x${more}`),
  );
});

t.test('who stops early asks for no more', async (t) => {
  const { url, asked } = await scriptedServer(t, page([1, 2], 'a'), page([3], null));
  const engage = new Engage({ baseUrl: url, apiKey: 'ek', appId: 'app' });
  for await (const _one of engage.segments.list()) break;
  t.equal(asked.length, 1);
});

t.test('a server that repeats a page does not keep a program forever', async (t) => {
  const { url } = await scriptedServer(t, page([1], 'a'), page([1], 'a'));
  const engage = new Engage({ baseUrl: url, apiKey: 'ek', appId: 'app' });
  await t.rejects(async () => {
    for await (const _one of engage.segments.list());
  }, /same page twice/);
});

t.test('an export arrives as lines, whatever its chunks are', async (t) => {
  const text = '{"tags":{"n":"Zoë"}}\r\n{"tags":{"n":"Ước"}}\nlast';
  const bytes = Buffer.from(text);
  const { url, asked } = await scriptedServer(t, (response) => {
    response.writeHead(200, { 'content-type': 'application/x-ndjson' });
    for (let at = 0; at < bytes.length; at += 3) response.write(bytes.subarray(at, at + 3));
    response.end();
  });
  const engage = new Engage({ baseUrl: url, apiKey: 'ek', appId: 'app' });
  const lines: string[] = [];
  for await (const line of (await engage.subscribers.export({ format: 'jsonl' })).lines())
    lines.push(line);
  t.same(lines, ['{"tags":{"n":"Zoë"}}', '{"tags":{"n":"Ước"}}', 'last']);
  t.equal(await (await engage.campaigns.exportRecipients('cmp_1')).text(), text);
  t.equal(asked[1]?.line, 'GET /v1/apps/app/campaigns/cmp_1/recipients?format=csv');
});

t.test('every part of a batch is within bounds, and all recipients are in one, in order', (t) => {
  const recipient = fc.record({ externalUserId: fc.string(), note: fc.string({ unit: 'binary' }) });
  const some = fc.tuple(
    fc.array(recipient, { minLength: 1, maxLength: 20 }),
    fc.integer({ min: 1, max: 200 }),
  );
  fc.assert(
    fc.property(some, fc.integer({ min: 0, max: 40_000 }), ([few, times], room) => {
      const recipients = Array.from({ length: times }, (_, at) => ({
        at,
        room: 'x'.repeat(room),
      })).flatMap((one) => few.map((each) => ({ ...each, ...one })));
      const parts = partsOf({ body: 'Hello', recipients }, 'recipients') as {
        readonly body: string;
        readonly recipients: readonly unknown[];
      }[];
      for (const part of parts) {
        if (part.recipients.length > 1_000 || part.body !== 'Hello') return false;
        if (Buffer.byteLength(JSON.stringify(part)) > 1_048_576) return false;
      }
      const all = parts.flatMap((part) => part.recipients);
      return all.length === recipients.length && all.every((one, at) => one === recipients[at]);
    }),
    { numRuns: tries(15) },
  );
  t.end();
});

t.test('results of parts have the index of the whole batch', (t) => {
  const part = (queued: number, rejected: number) => ({
    queued,
    rejected,
    results: Array.from({ length: queued + rejected }, (_, index) => ({ index })),
    warnings: [
      { field: 'colour', warning: 'is not known' },
      { field: 'recipients[1].colour', warning: 'is not known' },
    ],
  });
  const whole = joined([part(2, 0), part(1, 2)], [2, 3], 'recipients');
  t.same(whole, {
    queued: 3,
    rejected: 2,
    results: [0, 1, 2, 3, 4].map((index) => ({ index })),
    warnings: [
      { field: 'colour', warning: 'is not known' },
      { field: 'recipients[1].colour', warning: 'is not known' },
      { field: 'recipients[3].colour', warning: 'is not known' },
    ],
  });
  t.end();
});

t.test('a recipient that no call could carry is refused before anything is sent', (t) => {
  const recipients = [{ externalUserId: 'a' }, { externalUserId: 'x'.repeat(1_048_576) }];
  t.throws(() => partsOf({ recipients }, 'recipients'), /^recipients\[1\]: expected at most/);
  t.end();
});

t.test('a batch that breaks off says what was accepted, with the key to go on', async (t) => {
  const results = Array.from({ length: 1_000 }, (_, index) => ({ index, outcome: 'queued' }));
  const { url, asked } = await scriptedServer(
    t,
    answering(202, { queued: 1_000, replayed: 0, rejected: 0, results }),
    answering(403, { error: 'the key may not send', code: 'forbidden' }),
  );
  const engage = new Engage({ baseUrl: url, apiKey: 'ek', appId: 'app' });
  const recipients = Array.from({ length: 1_500 }, (_, at) => ({ externalUserId: `u${at}` }));
  const error = await engage.notifications.sendBatch({ body: 'a', recipients }).then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(error instanceof EngageError)) throw new Error('it did not fail');
  t.match(error.partial, { queued: 1_000 });
  const [first, second] = asked.map(({ headers }) => headers['idempotency-key']);
  t.equal(first, second, 'one key for all parts: each recipient has its own by it');
  t.equal(error.idempotencyKey, first);
});
