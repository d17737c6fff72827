// How the route of an export asks for its pages: one ahead of the client, again while a shard is
// busy, never past a fault.

import t from 'tap';
import { FaultError } from '../../../engine/base/fault.ts';
import type { Call } from '../../../http/call/call.ts';
import type { Pieces } from '../../../http/call/route.ts';
import { exportSubscribers } from '../../../http/routes/audience/export-subscribers.ts';

const busy = new FaultError({ code: 'overloaded', message: 'busy', retryAfterSeconds: 0 });
const broken = new FaultError({ code: 'internal', message: 'broken' });

/** A call of three pages of two people; what is in `faults` answers instead, in order. */
function exporting(faults: (FaultError | undefined)[] = []) {
  const asked: unknown[] = [];
  const call = {
    query: { format: 'jsonl' },
    edge: { clock: { now: () => Date.UTC(2026, 8, 21, 23, 59) } },
    app: () => 8269,
    param: () => 'app_1',
    to: () => ({
      ask: async (kind: string, body: { from: number }) => {
        asked.push({ kind, ...body });
        const fault = faults.shift();
        if (fault !== undefined) throw fault;
        const { from } = body;
        return { text: Buffer.from(`${from};`), next: from === 4 ? null : from + 2, end: 6 };
      },
    }),
  } as unknown as Call<never, never>;
  return { asked, reply: () => exportSubscribers.handle(call) };
}

async function textOf(pieces: Pieces | undefined): Promise<string> {
  let text = '';
  for await (const piece of pieces ?? []) text += String(piece);
  return text;
}

t.test('pages follow each other to the end that the first one named', async (t) => {
  const { asked, reply } = exporting();
  const { status, headers, stream } = await reply();
  t.equal(status, 200);
  t.same(
    new Map(headers).get('content-disposition'),
    'attachment; filename="subscribers-app_1-2026-09-21.jsonl"',
  );
  t.equal(await textOf(stream), '0;2;4;');
  t.same(asked, [
    { kind: 'subscribers.export', format: 'jsonl', from: 0 },
    { kind: 'subscribers.export', format: 'jsonl', from: 2, end: 6 },
    { kind: 'subscribers.export', format: 'jsonl', from: 4, end: 6 },
  ]);
});

t.test('one page is read ahead of the client, and no more', async (t) => {
  const { asked, reply } = exporting();
  const pieces = (await reply()).stream?.[Symbol.asyncIterator]();
  t.equal(asked.length, 1, 'the first page decides what the head says');
  await pieces?.next();
  t.equal(asked.length, 2);
  await pieces?.return?.();
  t.equal(asked.length, 2);
});

t.test('a shard that is busy is asked again, and nothing is lost or repeated', async (t) => {
  const { asked, reply } = exporting([busy, undefined, busy, busy]);
  t.equal(await textOf((await reply()).stream), '0;2;4;');
  t.equal(asked.length, 6);
  const never = exporting(Array(30).fill(busy));
  await t.rejects(never.reply(), busy);
  t.equal(never.asked.length, 30);
});

t.test('any other fault ends it: before the head as a refusal, after it as a fault', async (t) => {
  await t.rejects(exporting([broken]).reply(), broken);
  const { stream } = await exporting([undefined, broken]).reply();
  await t.rejects(textOf(stream), broken);
});
