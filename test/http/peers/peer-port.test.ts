// The internal port: who has no key of the cluster cannot speak there, during a rotation servers
// with the newer and the older key understand each other, and questions are answered by the owner
// alone.

import { once } from 'node:events';
import { request as plainRequest } from 'node:http';
import { connect } from 'node:net';
import { connect as connectTls } from 'node:tls';
import t, { type Test } from 'tap';
import type { Answer, Message } from '../../../engine/actor/message.ts';
import type { PlacedAsk } from '../../../engine/actor/router.ts';
import { moved } from '../../../engine/actor/turn-faults.ts';
import type { Log } from '../../../engine/observe/log.ts';
import { decodeAnswer, encodeAsk } from '../../../http/peers/ask-bytes.ts';
import { Owners } from '../../../http/peers/owners.ts';
import { createPeerPort } from '../../../http/peers/peer-port.ts';
import { createPeerClient } from '../../../storage/peers/peer-client.ts';

const [older, newer, wrong] = [1, 2, 3].map((fill) => Buffer.alloc(32, fill)) as [
  Buffer,
  Buffer,
  Buffer,
];

async function portOf(
  t: Test,
  keys: readonly Uint8Array[],
  answerOf: (asked: PlacedAsk) => Answer = () => ({ ok: true, value: 'done' }),
) {
  const owners = new Owners(['here']);
  owners.hear({
    kind: 'cluster.owners',
    member: 'here',
    owners: [{ partition: 1, member: 'here', address: 'here:1', term: 1 }],
  });
  const asked: PlacedAsk[] = [];
  const port = createPeerPort({
    ...{ keys, owners, log: { error: t.fail, warn: t.fail } as unknown as Log },
    askHere: (_shard, ask) => {
      asked.push(ask);
      ask.answer(answerOf(ask));
    },
    copy: () => Promise.reject(new Error('none')),
    served: () => undefined,
  });
  const number = await port.listen({ host: '127.0.0.1', port: 0 });
  t.teardown(() => port.close());
  return { asked, number, address: `127.0.0.1:${number}` };
}

async function ask(
  t: Test,
  address: string,
  keys: readonly Uint8Array[],
  message: Message = { kind: 'any' },
  partition = 1,
) {
  const client = createPeerClient(keys);
  t.teardown(() => client.close());
  const about = { partition, to: 4_097, lane: 'bulk', timeoutMs: 1_000, weight: 3 } as const;
  const body = encodeAsk({ ...about, message, bytes: Buffer.from('body') });
  return client.ask({ address, method: 'POST', path: '/ask', body, timeoutMs: 5_000 });
}

t.test('a question reaches the owner as it was asked', async (t) => {
  const message = {
    kind: 'any',
    none: undefined,
    nothing: null,
    list: [1, -0, 2 ** 40, 1.5],
    bytes: new Uint8Array([1, 2, 3]),
    map: new Map([[1, { a: 'b' }]]),
    text: 'ä\u0000😀',
  } as Message;
  const { asked, address } = await portOf(t, [newer], ({ message }) => ({
    ok: true,
    value: message,
  }));
  const answered = await ask(t, address, [newer], message);
  const [first] = asked;
  t.equal(first?.partition, 1);
  t.equal(first?.to, 4_097);
  t.match(first?.options, { lane: 'bulk', timeoutMs: 1_000, weight: 3 });
  t.equal(Buffer.from(first?.options.bytes ?? []).toString(), 'body');
  t.same(first?.message, message);
  if (answered.kind !== 'answered') throw new Error(answered.kind);
  t.equal(answered.status, 200);
  t.same(decodeAnswer(answered.body), { ok: true, value: message });
});

t.test('a question to who does not own the partition is refused, and nothing done', async (t) => {
  const { asked, address } = await portOf(t, [newer]);
  t.match(await ask(t, address, [newer], undefined, 2), { kind: 'answered', status: 421 });
  t.strictSame(asked, []);
  const late = await portOf(t, [newer], () => ({ ok: false, fault: moved }));
  t.match(await ask(t, late.address, [newer]), { kind: 'answered', status: 421 });
});

t.test('during a rotation both keys are taken', async (t) => {
  const { address } = await portOf(t, [newer, older]);
  t.match(await ask(t, address, [newer]), { kind: 'answered', status: 200 });
  t.match(await ask(t, address, [older, newer]), { kind: 'answered', status: 200 });
});

t.test('nobody speaks without the key', async (t) => {
  const { asked, address, number } = await portOf(t, [newer]);
  t.match(await ask(t, address, [wrong]), { kind: 'unsent' }, 'another key');
  const plain = plainRequest(`http://${address}/ask`, { method: 'POST' });
  plain.end('{}');
  await t.rejects(once(plain, 'response'), 'plain HTTP');
  const tls = connectTls({ host: '127.0.0.1', port: number, rejectUnauthorized: false });
  await t.rejects(once(tls, 'secureConnect'), 'TLS without a key');
  const noise = connect(number, '127.0.0.1');
  noise.on('error', () => undefined);
  noise.write('GET / HTTP/1.1\r\nhost: a\r\nx-engage-forwarded: 1 1.2.3.4\r\n\r\n');
  const said: Buffer[] = [];
  noise.on('data', (part: Buffer) => said.push(part));
  await once(noise, 'close');
  t.notMatch(Buffer.concat(said).toString('latin1'), /HTTP/);
  t.strictSame(asked, []);
});

t.test('before its front is made, a forwarded request is for somebody else', async (t) => {
  const { address } = await portOf(t, [newer]);
  const client = createPeerClient([newer]);
  t.teardown(() => client.close());
  const headers = { 'x-engage-forwarded': '1 1.2.3.4' };
  const call = { address, method: 'GET', path: '/v1/apps', headers, timeoutMs: 1_000 };
  t.match(await client.ask(call), { kind: 'answered', status: 421 });
});
