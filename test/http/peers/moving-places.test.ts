// Messages to partitions that move: to the owner, wherever it is; again only if nobody has seen
// them; and refused in time.

import t from 'tap';
import type { Answer, Message } from '../../../engine/actor/message.ts';
import { moved } from '../../../engine/actor/turn-faults.ts';
import type { PeerAnswer, PeerCall } from '../../../engine/peers/peer-call.ts';
import { encodeAnswer } from '../../../http/peers/ask-bytes.ts';
import { HeldRequests } from '../../../http/peers/held-requests.ts';
import { MovingPlaces } from '../../../http/peers/moving-places.ts';
import { Owners } from '../../../http/peers/owners.ts';

const isMoved: Answer = { ok: false, fault: moved };

function scene(answers: {
  here?: (times: number) => Answer;
  there?: (call: PeerCall) => PeerAnswer;
}) {
  let nowMs = 0;
  const owners = new Owners(['here']);
  const calls: string[] = [];
  const clock = { monotonic: () => nowMs };
  const held = new HeldRequests({ owners, clock, after: () => () => undefined });
  const places = new MovingPlaces({
    ...{ held, clock },
    askHere: (_shard, { answer }) => {
      calls.push('here');
      answer(answers.here?.(calls.length) ?? { ok: true, value: 'here' });
    },
    client: {
      ask: async (call) => {
        calls.push(call.address);
        return answers.there?.(call) ?? answered({ ok: true, value: call.address });
      },
    },
  });
  return {
    ...{ held, calls },
    hear: (member: string, term: number, isHeld?: true) =>
      owners.hear({
        kind: 'cluster.owners',
        member: 'here',
        owners: [{ partition: 1, member, address: `${member}:1`, term, ...(isHeld && { isHeld }) }],
      }),
    pass: (ms: number) => void (nowMs += ms),
    ask: (bytes?: Uint8Array) =>
      new Promise<Answer>((answer) => {
        const options = bytes === undefined ? {} : { bytes };
        const message: Message = { kind: 'any' };
        places.ask({ partition: 1, to: 4_097, message, options, answer });
      }),
  };
}

function answered(answer: Answer): PeerAnswer {
  return { kind: 'answered', status: 200, body: Buffer.from(encodeAnswer(answer)) };
}

t.test('a message goes to the owner, here or elsewhere', async (t) => {
  const { hear, ask } = scene({});
  hear('here', 1);
  t.match(await ask(), { ok: true, value: 'here' });
  hear('there', 2);
  t.match(await ask(), { ok: true, value: 'there:1' });
});

t.test('it waits for an owner, and while the partition is about to move', async (t) => {
  const { hear, ask, held, calls } = scene({});
  const one = ask();
  hear('here', 1, true);
  const two = ask();
  t.equal(held.count, 2);
  t.strictSame(calls, []);
  hear('there', 2);
  t.match(await Promise.all([one, two]), [{ value: 'there:1' }, { value: 'there:1' }]);
});

t.test('one that came too late here is asked of the next owner', async (t) => {
  const { hear, ask, held, calls } = scene({ here: () => isMoved });
  hear('here', 1);
  const asked = ask();
  t.equal(held.count, 1);
  hear('there', 2);
  t.match(await asked, { value: 'there:1' });
  t.strictSame(calls, ['here', 'there:1']);
});

t.test('its bytes went with it, so the caller has to repeat it', async (t) => {
  const { hear, ask, calls } = scene({ here: () => isMoved });
  hear('here', 1);
  t.match(await ask(new Uint8Array(3)), isMoved);
  t.strictSame(calls, ['here']);
});

t.test('what another server refused or never saw is asked again, after news', async (t) => {
  for (const answer of [
    { kind: 'unsent' },
    { kind: 'answered', status: 421, body: Buffer.alloc(0) },
  ] as const) {
    const { hear, ask, held } = scene({ there: () => answer });
    hear('there', 1);
    const asked = ask(new Uint8Array(3));
    await new Promise((next) => setImmediate(next));
    t.equal(held.count, 1);
    hear('here', 2);
    t.match(await asked, { value: 'here' });
  }
});

t.test('what another server may have done is never asked again', async (t) => {
  const { hear, ask, calls } = scene({ there: () => ({ kind: 'unanswered' }) });
  hear('there', 1);
  t.match(await ask(), { ok: false, fault: { code: 'unanswered' } });
  t.strictSame(calls, ['there:1']);
});

t.test('without an owner it is refused, after two seconds', async (t) => {
  const { hear, ask, pass, held } = scene({});
  const asked = ask();
  pass(1_999);
  hear('here', 1, true);
  t.equal(held.count, 1);
  pass(1);
  hear('here', 1, true);
  t.match(await asked, isMoved);
});

t.test('so many wait', async (t) => {
  const { ask, held, hear } = scene({});
  const asked = Array.from({ length: 1_000 }, () => ask());
  t.match(await ask(), { ok: false, fault: { code: 'overloaded' } });
  t.equal(held.count, 1_000);
  hear('here', 1);
  t.ok((await Promise.all(asked)).every(({ ok }) => ok));
});
