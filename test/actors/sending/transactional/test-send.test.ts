// A test of a message through the whole product, without providers: whom it reaches, what refuses
// it, and that everything that comes of it says what it was.

import t from 'tap';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import type { MessageContent } from '../../../../actors/content/shape/message-schema.ts';
import { deliveryFailures } from '../../../../actors/insight/insights/delivery-failures.ts';
import type { DeviceInput } from '../../../../actors/people/audience/protocol.ts';
import type { SendsExhausted } from '../../../../actors/runtime/exhausted.ts';
import { eventsOf } from '../../../../actors/runtime/facts.ts';
import type { TransactionalProtocol } from '../../../../actors/sending/transactional/protocol.ts';
import { decodeBlock } from '../../../../engine/actor/block.ts';
import type { Message } from '../../../../engine/actor/message.ts';
import { hourMs } from '../../../../engine/base/brand.ts';
import { encodeRecord } from '../../../../storage/codec.ts';
import { sends } from '../../../../storage/tables/send.ts';
import { partitionWithApp, TestPartition } from '../../../support/partition.ts';

type Asked = Omit<TransactionalProtocol['message.test']['body'], 'by' | 'id' | 'claim'>;

const to = { externalUserId: 'ada' };
const email = { channel: 'email' as const, endpoint: 'ada@example.com' };
const push = { channel: 'fcm' as const, endpoint: 'token-of-ada' };

async function world(devices: readonly DeviceInput[] = [email, push]) {
  const { one, app } = await partitionWithApp();
  await one.value(app, 'subscriber.upsert', {
    subscriber: { ...to, tags: { first_name: 'Ada' }, devices },
  });
  one.takeGrants();
  const test = async (content: MessageContent, asked: Partial<Asked> = {}) => {
    const { id } = await one.value(app, 'message.create', { message: { content } });
    return one.ask(app, 'message.test', { id, to, claim: null, ...asked });
  };
  const sent = async (content: MessageContent, asked: Partial<Asked> = {}) => {
    const answer = await test(content, asked);
    if (!answer.ok) throw new Error(answer.fault.message);
    return (answer.value as { id: string }).id;
  };
  const report = async (outcome: Outcome) => {
    for (const { channel, attempts } of one.takeGrants())
      await one.ask(app, 'dispatch.report', {
        channel,
        reports: attempts.map(({ target, attempt }) => ({
          sendId: attempt.sendId,
          target,
          attempt: attempt.attempt,
          outcome,
        })),
      });
  };
  const read = (id: string) => one.value(app, 'transactional.read', { id });
  /** Every event of the app that the log has: its name, whose send, and what the service added. */
  const events = () =>
    one.store
      .blocks(1, 1e6)
      .flatMap(({ block }) => decodeBlock(block).entries)
      .flatMap((entry) => eventsOf(entry))
      .flatMap((batch) =>
        Array.from({ length: batch.count }, (_, row) => ({
          name: batch.name(row),
          sendId: batch.reference(row, 'sendId'),
          meta: JSON.parse(batch.metaJson(row) ?? '{}'),
        })),
      );
  return { one, app, test, sent, report, read, events };
}

const greeting: MessageContent = { title: 'Hi {{ first_name }}', body: 'Hello {{ nobody }}!' };

t.test("it leaves for the person's enabled devices, each in its form", async (t) => {
  const { one, app, sent } = await world();
  const device = { channel: 'fcm' as const, endpoint: 'other-token' };
  const { id: deviceId } = await one.value(app, 'device.add', { ref: to, device });
  await one.value(app, 'device.enable', { ref: to, deviceId, enabled: false });
  const id = await sent(greeting);
  const attempts = one
    .takeGrants()
    .flatMap((grant) => grant.attempts.map(({ attempt }) => attempt));
  t.same(attempts.map(({ endpoint }) => endpoint).sort(), [email.endpoint, push.endpoint]);
  for (const attempt of attempts)
    t.match(attempt, {
      sendId: id,
      lane: 'express',
      content: { title: 'Hi Ada', body: 'Hello !' },
    });
  await sent({ title: 'x', body: '<b>{{ first_name }}</b>' }, { channels: ['email'] });
  const [grant, ...others] = one.takeGrants();
  t.same(others, [], 'only these channels');
  t.match(grant, {
    channel: 'email',
    attempts: [{ attempt: { content: { body: '<b>Ada</b>' } } }],
  });
});

t.test('everything that comes of it says that it was a test, and of nothing else', async (t) => {
  const { one, app, sent, report, read, events } = await world();
  const id = await sent(greeting);
  await report({ outcome: 'accepted' });
  const request = { to, title: 'x', body: 'x' };
  const plain = await one.value(app, 'transactional.accept', { request, claim: null });
  await report({ outcome: 'accepted' });
  t.match(await read(id), { status: 'delivered', test: true });
  t.notOk('test' in (await read(plain.id)));
  const receipts = events().filter(({ name }) => name === 'delivered');
  t.equal(receipts.length, 4);
  for (const { sendId, meta } of receipts)
    t.equal(meta.test, sendId === id ? true : undefined, JSON.stringify(meta));
});

t.test('it is still one after a restart, a day of tries, and a redrive', async (t) => {
  const { one, app, sent, report, read, events } = await world([push]);
  const id = await sent(greeting);
  for (let hour = 0; hour < 26; hour++) {
    await report({ outcome: 'retry', reason: 'http_503' });
    await one.advance(hourMs);
  }
  t.match(await read(id), { status: 'failed', test: true, failures: { open: 1 } });
  await one.value(app, 'dead_letter.redrive', { all: true });
  await report({ outcome: 'accepted' });
  t.match(await read(id), { status: 'delivered', test: true, failures: { recovered: 1 } });
  t.match(
    events().filter(({ sendId }) => sendId === id),
    [
      { name: 'failed', meta: { test: true } },
      { name: 'delivered', meta: { test: true } },
    ],
  );
  const again = new TestPartition({ store: one.store.crash() });
  t.match(await again.value(app, 'transactional.read', { id }), { test: true });
});

t.test('a test that fails leaves a letter that says so, and counts as no failure', async (t) => {
  const { one, app, sent, report } = await world([push]);
  const id = await sent(greeting);
  const told: Message[] = [];
  for (let hour = 0; hour < 26; hour++) {
    told.push(...one.effects.filter(({ port }) => port === 'host').map(({ message }) => message));
    await report({ outcome: 'retry', reason: 'http_503' });
    await one.advance(hourMs);
  }
  const given = told.filter(({ kind }) => kind === 'sends.given_up') as SendsExhausted[];
  t.same(
    given.flatMap(({ sends: counted }) => counted),
    [],
  );
  const { items } = await one.value(app, 'dead_letter.list', { limit: 10 });
  t.match(items, [{ sendId: id, test: true }]);
  const facts = { span: 3, nowMs: one.clock.nowMs, timezone: 'UTC' };
  t.same(deliveryFailures({ limit: 10 }, facts, items), { items: [] });
});

t.test('who opted out is not reached, and a suppression is a receipt of a test, too', async (t) => {
  const { one, app, sent, read, events } = await world([email]);
  await one.value(app, 'suppression.add', {
    channel: 'email',
    address: email.endpoint,
    source: 'api',
  });
  const id = await sent(greeting);
  t.same(one.takeGrants(), []);
  t.match(await read(id), { status: 'suppressed', outcomes: [{ reason: 'opt_out' }], test: true });
  t.match(events().at(-1), { name: 'suppressed', meta: { reason: 'opt_out', test: true } });
});

t.test('without a device it is accepted, and suppressed as no_device', async (t) => {
  const { sent, read, events } = await world([]);
  const id = await sent(greeting);
  t.match(await read(id), {
    status: 'suppressed',
    outcomes: [{ reason: 'no_device' }],
    test: true,
  });
  t.match(events().at(-1), { name: 'suppressed', meta: { reason: 'no_device', test: true } });
});

t.test(
  'what cannot be rendered for this person is refused by its member, and nothing leaves',
  async (t) => {
    const wrong: readonly (readonly [MessageContent, Partial<Asked>, string])[] = [
      [{ title: 'x', body: '{{ nobody }}' }, {}, 'body'],
      [{ body: 'x' }, {}, 'title'],
      [{ body: 'x' }, { channels: ['email'] }, 'title'],
      [{ payload: { whatsapp: { templateName: 'a' } } }, {}, 'body'],
      [{ title: 'x', body: 'x', image: '{{ first_name }}' }, {}, 'image'],
    ];
    for (const devices of [[email, push], [email]]) {
      const { one, test, sent } = await world(devices);
      for (const [content, asked, field] of wrong)
        t.match(await test(content, asked), { ok: false, fault: { code: 'invalid', field } });
      t.same(one.takeGrants(), []);
      if (devices.length > 1) t.ok(await sent({ body: 'x' }, { channels: ['fcm'] }), 'no mail');
    }
    const { test } = await world([]);
    t.match(await test({ title: 'x', body: '{{ nobody }}' }), {
      ok: false,
      fault: { field: 'body' },
    });
    t.match(await test(greeting, { to: { externalUserId: 'ben' } }), {
      ok: false,
      fault: { code: 'not_found', field: 'externalUserId' },
    });
  },
);

t.test('its time to live counts from when it was accepted', async (t) => {
  const { one, app, sent, read } = await world([push]);
  const id = await sent({ ...greeting, ttlSeconds: 60 });
  const { channel, attempts } = one.takeGrants()[0] ?? { channel: 'fcm', attempts: [] };
  t.equal(attempts.length, 1);
  await one.advance(61_000);
  const reports = attempts.map(({ target }) => ({
    sendId: id,
    target,
    attempt: 1,
    outcome: undefined,
  }));
  await one.ask(app, 'dispatch.report', { channel, reports });
  t.match(await read(id), { outcomes: [{ reason: 'expired' }] });
});

t.test('a row that was written before there were tests is read as none', async (t) => {
  const row = { id: 'ntf_1', person: 0, acceptedMs: 1, content: {}, targets: [], outcomes: [] };
  const before = encodeRecord(1, [...Object.values(row), 0, 0]);
  t.same(sends.decode(before, new Uint8Array()), {
    ...row,
    deadLettersOpen: 0,
    deadLettersRecovered: 0,
  });
});

t.test('what is tried on KakaoTalk alone names a template of its', async (t) => {
  const kakao = { channel: 'kakao' as const, endpoint: '+821012345678' };
  const words = { title: 'x', body: 'x' };
  const templated = { ...words, payload: { kakao: { templateId: 'T1' } } };
  const refused = { ok: false, fault: { code: 'invalid', field: 'payload.kakao' } };
  const alone = await world([kakao]);
  t.match(await alone.test(words), refused, 'where it is all that the person has');
  t.match(await alone.test(templated), { ok: true });
  const both = await world([kakao, email]);
  t.match(await both.test(words, { channels: ['kakao'] }), refused);
  t.match(await both.test(words), { ok: true });
  t.match(await both.test(templated, { channels: ['kakao'] }), { ok: true });
  const nobody = await world([]);
  t.match(await nobody.test(words, { channels: ['kakao'] }), refused, 'with nobody to reach');
});
