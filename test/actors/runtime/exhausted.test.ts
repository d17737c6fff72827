// Sends that are given up are told to the host once they are durable: none is missed, none is told
// twice, and a send that arrives or bounces is none.

import t from 'tap';
import type { Outcome } from '../../../actors/channels/port/outcome.ts';
import { noFacts } from '../../../actors/events/log/entry-facts.ts';
import { limits } from '../../../actors/limits.ts';
import {
  ExhaustedCounter,
  exhaustedEffect,
  type SendsExhausted,
} from '../../../actors/runtime/exhausted.ts';
import { factsOf } from '../../../actors/runtime/facts.ts';
import type { DispatchGrant } from '../../../actors/sending/outbox/protocol.ts';
import type { Entry, Message } from '../../../engine/actor/message.ts';
import { hourMs } from '../../../engine/base/brand.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { partitionWithApp } from '../../support/partition.ts';

const busy: Outcome = { outcome: 'retry', reason: 'unavailable', detail: '503' };

async function world() {
  const { one, app } = await partitionWithApp();
  await one.value(app, 'subscriber.upsert', {
    subscriber: { externalUserId: 'u', devices: [{ channel: 'fcm', endpoint: 'phone' }] },
  } as never);
  const send = async () => {
    const { id } = await one.value(app, 'transactional.accept', {
      request: { to: { externalUserId: 'u' }, title: 'T', body: 'B' },
      claim: null,
    });
    return id;
  };
  const told: SendsExhausted['sends'][number][] = [];
  /** Reports an outcome for everything that was granted. */
  const answer = async (outcome: Outcome) => {
    const host = one.effects.map(({ message }) => message as SendsExhausted);
    told.push(...host.flatMap(({ kind, sends }) => (kind === 'sends.given_up' ? sends : [])));
    for (const { channel, attempts } of one.takeGrants() as DispatchGrant[])
      await one.value(app, 'dispatch.report', {
        channel,
        reports: attempts.map(({ target, attempt: { sendId, attempt } }) => ({
          sendId,
          target,
          attempt,
          outcome,
        })),
      });
  };
  return { one, app, send, answer, told };
}

t.test('a send that fails at its last try is told once, with its channel and reason', async (t) => {
  const { one, app, send, answer, told } = await world();
  const id = await send();
  const endMs = one.clock.nowMs + limits.attemptSpanMs;
  while (one.clock.nowMs < endMs - 2 * hourMs) {
    await answer(busy);
    await one.advance(hourMs);
    t.same(told, [], 'not before a day has passed');
  }
  for (let hour = 0; hour < 4; hour++) {
    await answer(busy);
    await one.advance(hourMs);
  }
  t.same(told, [{ app, channel: 'fcm', lane: 'transactional', reason: 'unavailable', count: 1 }]);
  t.equal((await one.value(app, 'transactional.read', { id })).status, 'failed');
});

t.test('one that arrives, bounces or is suppressed is none', async (t) => {
  for (const outcome of [
    { outcome: 'accepted' },
    { outcome: 'permanent', reason: 'bad_request' },
  ] as const) {
    const { send, answer, told } = await world();
    await send();
    await answer(outcome);
    await answer(outcome);
    t.same(told, []);
  }
});

t.test('rows of a wave are counted by their own answers', async (t) => {
  const wave = (kinds: object[], rows: number, codes?: number[]) =>
    ({
      kind: 'wave.settled',
      owner: 7,
      channel: 0,
      kinds,
      people: packOrdinals(Array.from({ length: rows }, (_, person) => person)),
      ...(codes === undefined ? {} : { codes: Uint8Array.from(codes) }),
    }) as unknown as Entry;
  const delivered = { status: 'delivered' };
  const failed = { status: 'failed', reason: 'unknown_outcome' };
  const sendsOf = (entry: Entry) =>
    (exhaustedEffect(7, [factsOf(entry)])?.message as SendsExhausted | undefined)?.sends.map(
      ({ count }) => count,
    );
  t.equal(sendsOf(wave([delivered], 9)), undefined);
  t.same(sendsOf(wave([failed], 9)), [9], 'all of them, where all had one answer');
  t.same(sendsOf(wave([delivered, failed], 4, [0, 1, 1, 0])), [2]);
  t.equal(exhaustedEffect(7, [noFacts]), undefined);
});

t.test('the log has one line for many, and no more lines than a person reads', async (t) => {
  const lines: Record<string, unknown>[] = [];
  const counter = new ExhaustedCounter({
    warn: (fields: unknown) => lines.push(fields as Record<string, unknown>),
  } as never);
  const gaveUp = (app: number, count: number) =>
    counter.add({
      kind: 'sends.given_up',
      sends: [{ app, channel: 'sms', lane: 'campaign', reason: 'timeout', count }],
      retried: [],
    } as SendsExhausted & Message);
  for (let i = 0; i < 1_000; i++) gaveUp(7, 2);
  counter.flush();
  t.same(lines, [
    { evt: 'send.given_up', app: 7, channel: 'sms', reason: 'timeout', count: 2_000 },
  ]);
  lines.length = 0;
  for (let app = 1; app <= 500; app++) gaveUp(app, 1);
  counter.flush();
  t.equal(lines.length, 20);
  t.equal(
    lines.reduce((sum, { count }) => sum + (count as number), 0),
    500,
    'none is left out of the count',
  );
  counter.flush();
  t.equal(lines.length, 20, 'what was said is not said again');
  t.same(counter.figures, [['sms', 'campaign', 2_500]]);
});

t.test(
  'retries make one line a minute for an app and channel, with what was said last',
  async (t) => {
    const lines: unknown[] = [];
    const counter = new ExhaustedCounter({
      info: (fields: unknown) => lines.push(fields),
    } as never);
    const { one, send, answer } = await world();
    await send();
    await answer(busy);
    const host = one.effects.filter(({ port }) => port === 'host');
    t.match(host, [
      { message: { sends: [], retried: [{ channel: 'fcm', count: 1, said: '503' }] } },
    ]);
    const message = host[0]?.message as SendsExhausted;
    for (let seconds = 1; seconds <= 59; seconds++) {
      counter.add(message);
      counter.flush();
    }
    t.same(lines, []);
    counter.flush();
    t.match(lines, [{ evt: 'send.retried', channel: 'fcm', count: 59, said: '503' }]);
    for (let seconds = 1; seconds <= 60; seconds++) counter.flush();
    t.equal(lines.length, 1);
  },
);
