// Copies of emails: each counts for the allowance and the daily cap as an email of its own, once
// over retries and kills; and what happens to a copy is no news of the recipient.

import fc from 'fast-check';
import t from 'tap';
import {
  readReturnAddress,
  returnAddresses,
} from '../../../../actors/channels/email/return-path.ts';
import type { Attempt, MailParts } from '../../../../actors/channels/port/attempt.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { minuteMs } from '../../../../engine/base/brand.ts';
import { HmacSha256 } from '../../../../engine/base/hmac.ts';
import { tries } from '../../../support/tries.ts';
import { endpointOf, Scene } from '../../programs/campaigns/scene.ts';
import { addRelay, eventOf, tellRelay } from '../callbacks/relay.ts';

async function open(limits: object = {}, addresses = 1) {
  const scene = await Scene.open({ available: ['email'] });
  await scene.people(
    1,
    Array.from({ length: addresses }, () => 'email' as const),
  );
  await scene.orgLimits(limits);
  return scene;
}

const accept = (scene: Scene, mail?: MailParts, key?: number) =>
  scene.one.ask(scene.app, 'transactional.accept', {
    request: { to: { externalUserId: 'user-0' }, title: 'Hi', body: 'Hi', ...(mail && { mail }) },
    claim: key === undefined ? null : { key: [1, 2, 3, key], fingerprint: [4, key] },
  } as never);

async function notify(scene: Scene, mail?: MailParts) {
  const answer = await accept(scene, mail);
  await scene.run();
  if (!answer.ok) throw new Error(answer.fault.message);
  return scene.one.value(scene.app, 'transactional.read', {
    id: (answer.value as { id: string }).id,
  });
}

const shown = (scene: Scene) => scene.one.value(scene.org, 'org.emails', {});
const delivered = async (scene: Scene) => (await shown(scene)).delivered;
const copies = (count: number, name = 'c') =>
  Array.from({ length: count }, (_, i) => `${name}${i}@example.com`);

t.test('a mail counts with its copies, without those who opted out', async (t) => {
  const scene = await open({ emailAllowance: 100 });
  await scene.optOut('email', 'c1@example.com');
  const to = endpointOf('user-0', 'email').toUpperCase();
  const send = await notify(scene, { cc: [...copies(3), to], bcc: copies(2, 'b') });
  t.match(scene.sent[0]?.content.mail, {
    cc: ['c0@example.com', 'c2@example.com'],
    bcc: copies(2, 'b'),
  });
  t.equal(await delivered(scene), 5);
  t.match(send.outcomes, [{ status: 'delivered', copies: 4 }]);
  await notify(scene);
  t.equal(await delivered(scene), 6);
  t.ok(scene.isMemoryOfLog());
});

t.test('all of them fit into the allowance, or none leaves', async (t) => {
  for (const [allowance, leaves] of [
    [3, false],
    [4, true],
    [null, true],
  ] as const) {
    const scene = await open({ emailAllowance: allowance });
    const send = await notify(scene, { cc: copies(3) });
    t.equal(scene.sent.length, leaves ? 1 : 0);
    t.match(send.outcomes, [leaves ? { copies: 3 } : { reason: 'email_cap' }]);
    t.equal(await delivered(scene), leaves ? 4 : 0);
  }
});

t.test('in flight they are reserved, and free again where the mail is refused', async (t) => {
  const scene = await open({ emailAllowance: 8 });
  const letGo = scene.hold();
  await accept(scene, { cc: copies(2), bcc: copies(1, 'b') });
  await scene.run();
  t.same(await shown(scene), { delivered: 0, reserved: 4 });
  scene.answers = () => ({ outcome: 'permanent', reason: 'refused' });
  await accept(scene, { cc: copies(4) });
  await scene.run();
  t.equal(scene.sent.length, 1, 'five more would be nine');
  await accept(scene, { cc: copies(3) });
  await scene.run();
  t.same(await shown(scene), { delivered: 0, reserved: 8 });
  await letGo();
  t.same(await shown(scene), { delivered: 4, reserved: 0 });
});

t.test('what the mail server refused of the copies does not count', async (t) => {
  const scene = await open({ emailAllowance: 100 });
  scene.answers = () => ({ outcome: 'accepted', copiesRefused: 2 });
  const send = await notify(scene, { cc: copies(3) });
  t.equal(await delivered(scene), 2);
  t.match(send.outcomes, [{ copies: 1 }]);
});

t.test('of a person with several addresses one mail has the copies', async (t) => {
  const scene = await open({ emailAllowance: 100 }, 3);
  await notify(scene, { cc: copies(2) });
  t.same(
    scene.sent.map(({ content }) => content.mail?.cc ?? []),
    [copies(2), [], []],
  );
  t.equal(await delivered(scene), 5);
});

t.test('who is copied and gets a mail as the recipient, too, gets one', async (t) => {
  const scene = await open({ emailAllowance: 100 }, 3);
  const [first = '', second = '', third = ''] = ['', '-1', '-2'].map((more) =>
    endpointOf('user-0', 'email', more),
  );
  await notify(scene, { cc: [second.toUpperCase(), ...copies(1)], bcc: [third, first] });
  t.same(scene.sent.map(({ endpoint }) => endpoint).sort(), [first, second, third].sort());
  t.same(
    scene.sent.flatMap(({ content: { mail } }) => [...(mail?.cc ?? []), ...(mail?.bcc ?? [])]),
    copies(1),
  );
  t.equal(await delivered(scene), 4);
  t.ok(scene.isMemoryOfLog());
});

t.test('over retries, kills and late answers each mail counts once', async (t) => {
  const answers: readonly Outcome[] = [
    { outcome: 'accepted' },
    { outcome: 'accepted', reports: true },
    { outcome: 'retry', reason: 'deferred' },
    { outcome: 'ambiguous', reason: 'timeout' },
    { outcome: 'permanent', reason: 'refused' },
  ];
  const step = fc.oneof(
    fc.record({ send: fc.nat(4), answers: fc.array(fc.constantFrom(...answers)) }),
    fc.constantFrom('kill' as const, 'wait' as const, 'report' as const),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 1, maxLength: 8 }), async (steps) => {
      const scene = await open({ emailAllowance: null });
      await addRelay(scene);
      let last: Outcome = { outcome: 'accepted' };
      for (const one of steps) {
        if (one === 'kill') {
          const letGo = scene.hold();
          await accept(scene, { cc: copies(1) });
          await scene.callGranted();
          await scene.crash();
          await letGo();
        } else if (one === 'wait') await scene.advance(20 * minuteMs);
        else if (one === 'report') {
          const events = scene.sent.map((sent) => eventOf(scene, sent, { kind: 'delivered' }));
          await tellRelay(scene, events);
          await scene.run();
        } else {
          const rest = [...one.answers];
          scene.answers = () => (last = rest.shift() ?? last);
          await notify(scene, one.send === 0 ? undefined : { bcc: copies(one.send) });
        }
      }
      const reached = new Map<string, number>();
      for (const id of new Set(scene.sent.map(({ sendId }) => sendId))) {
        const { outcomes } = await scene.one.value(scene.app, 'transactional.read', { id });
        const taken = outcomes.find(
          ({ status }) => status === 'accepted' || status === 'delivered',
        );
        if (taken !== undefined) reached.set(id, 1 + (taken.copies ?? 0));
      }
      const all = [...reached.values()].reduce((sum, one) => sum + one, 0);
      t.equal(await delivered(scene), all);
      for (const { sendId, content } of scene.sent) {
        const own = content.mail?.cc?.length ?? content.mail?.bcc?.length ?? 0;
        if (reached.has(sendId)) t.equal(reached.get(sendId), 1 + own);
      }
      t.ok(scene.isMemoryOfLog());
    }),
    { numRuns: tries(25) },
  );
});

t.test('each copy is a send of the daily cap', async (t) => {
  const scene = await open({ dailySendCap: 5 });
  t.ok((await accept(scene, { cc: copies(2) }, 1)).ok);
  t.match(await accept(scene, { cc: copies(2) }), { ok: false, fault: { code: 'daily_cap' } });
  t.match(await accept(scene, { cc: copies(2) }, 1), { ok: true, value: { replayed: true } });
  t.ok((await accept(scene, { bcc: copies(1) })).ok);
  t.match(await accept(scene), { ok: false, fault: { code: 'daily_cap' } });
});

const dead = {
  kind: 'hard_bounce',
  reply: { code: 550, enhanced: '5.1.1', text: 'no such user' },
} as const;

const deviceOf = async (scene: Scene) =>
  (await scene.one.value(scene.app, 'subscriber.read', { ref: { externalUserId: 'user-0' } }))
    .devices[0];

t.test('a bounce or a complaint of a copy is no news of the recipient', async (t) => {
  const scene = await open();
  await addRelay(scene);
  const send = await notify(scene, { cc: ['Boss@example.com'], bcc: ['box@example.com'] });
  const sent = scene.sent[0] as Attempt;
  const tell = (to: string, event: Parameters<typeof eventOf>[2]) =>
    tellRelay(scene, [eventOf(scene, sent, { ...event, to })]);
  for (const to of ['boss@example.com', 'BOX@EXAMPLE.COM'])
    for (const event of [dead, { kind: 'complained' }, { kind: 'opened' }, { kind: 'clicked' }])
      t.match(await tell(to, event as never), { taken: 0, ignored: 1 }, `${to} ${event.kind}`);
  t.match(await deviceOf(scene), { enabled: true });
  t.match(await scene.one.value(scene.app, 'transactional.read', { id: send.id }), {
    status: 'pending',
  });
  t.match(await tell(String(sent.endpoint), dead), { taken: 1 });
  t.match(await deviceOf(scene), { enabled: false });
});

t.test('a mail that comes back for a copy alone is no news of the recipient either', async (t) => {
  const scene = await open();
  await notify(scene, { cc: ['boss@example.com'] });
  const { sendId, deviceId, email } = scene.sent[0] as Attempt;
  const person = email?.person as number;
  const key = new HmacSha256(new Uint8Array(32).fill(1));
  const address = returnAddresses({ sendId, deviceId, person }, 'b.example.com', key)?.bounce ?? '';
  const { deviceMark = 0 } = readReturnAddress(address, 'b.example.com', [key]) ?? {};
  const about = async (...about: readonly string[]) => {
    const news = { kind: 'failed', reason: 'mailbox_not_found', effect: 'dead' } as const;
    const body = { sendId, person, deviceMark, news, about };
    return scene.one.value(scene.app, 'callback.email', body);
  };
  t.match(await about('Boss@example.com'), { taken: 0, ignored: 1 });
  t.match(await deviceOf(scene), { enabled: true });
  t.match(await about('boss@example.com', 'forwarded@elsewhere.example'), { taken: 1 });
  t.match(await deviceOf(scene), { enabled: false });
});
