import t from 'tap';
import { acceptedReply } from '../../../actors/events/ingest/accepted-reply.ts';
import type { IngestReply } from '../../../actors/events/protocol.ts';
import type { Asker, AskOptions } from '../../../engine/actor/asker.ts';
import type { Answer, Message } from '../../../engine/actor/message.ts';
import { JoinedEvents } from '../../../http/ingest/joined-events.ts';

interface Asked {
  readonly to: number;
  readonly parts: readonly number[] | undefined;
  readonly text: string;
  readonly answer: (answer: Answer) => void;
}

function scene() {
  const asked: Asked[] = [];
  let flush: () => void = () => undefined;
  const asker = {
    askThen: (to: number, message: Message, { bytes }: AskOptions, answer: Asked['answer']) => {
      const { parts } = message as { parts?: readonly number[] };
      asked.push({ to, parts, text: Buffer.from(bytes ?? []).toString(), answer });
    },
  } as unknown as Asker;
  const joined = new JoinedEvents(asker, (task) => {
    flush = task;
  });
  const told: [string, unknown][] = [];
  const add = (name: string, to = 7, by = 1) =>
    joined.add(to, { kind: 'events.ingest', by }, Buffer.from(name), (answer) =>
      told.push([name, answer.ok ? answer.value : answer.fault.code]),
    );
  return { asked, told, add, tick: () => flush() };
}

const ok = (value: IngestReply): Answer => ({ ok: true, value });

t.test('requests of a tick are asked at once, each app and caller for itself', async (t) => {
  const { asked, told, add, tick } = scene();
  for (const name of ['a', 'bb']) t.ok(add(name));
  add('other', 8);
  add('stranger', 7, 2);
  t.same(asked, []);
  tick();
  t.match(asked, [
    { to: 7, parts: [1, 2], text: 'abb' },
    { to: 8, text: 'other' },
    { to: 7, text: 'stranger' },
  ]);
  t.equal(asked[1]?.parts, undefined, 'one alone is asked as it is');
  asked[0]?.answer(ok({ ...acceptedReply(3), each: [1, 2] }));
  t.same(told, [
    ['a', acceptedReply(1)],
    ['bb', acceptedReply(2)],
  ]);
});

t.test('thirty-two leave before the tick ends', async (t) => {
  const { asked, add } = scene();
  for (let i = 0; i < 33; i++) add('x');
  t.same(
    asked.map(({ parts }) => parts?.length),
    [32],
  );
});

t.test('a refusal is everybody’s', async (t) => {
  const { asked, told, add, tick } = scene();
  add('a');
  add('b');
  tick();
  asked[0]?.answer({ ok: false, fault: { code: 'not_found', message: 'app not found' } });
  t.same(told, [
    ['a', 'not_found'],
    ['b', 'not_found'],
  ]);
});

const apart: readonly (readonly [string, Answer])[] = [
  ['what cannot be answered together', ok({ ...acceptedReply(0), isApart: true })],
  ['what hit a bug', { ok: false, fault: { code: 'internal', message: 'internal error' } }],
];
for (const [name, answer] of apart)
  t.test(`${name} is asked one by one, and the next requests, too`, async (t) => {
    const { asked, told, add, tick } = scene();
    add('a');
    add('b');
    tick();
    asked[0]?.answer(answer);
    t.same(told, []);
    t.match(asked.slice(1), [{ text: 'a' }, { text: 'b' }]);
    asked[2]?.answer(ok(acceptedReply(1)));
    t.same(told, [['b', acceptedReply(1)]]);
    let alone = 0;
    while (!add('c')) alone++;
    t.equal(alone, 256);
    t.ok(add('d', 8), 'other apps are not concerned');
  });

t.test('a long body is not joined', async (t) => {
  const { add } = scene();
  t.notOk(add('x'.repeat(2_049)));
  t.ok(add('x'.repeat(2_048)));
});
