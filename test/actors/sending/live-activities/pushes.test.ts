// What becomes of updates and ends between the call and the device: the token that is used, the
// order, what closes a row, and what a crash between any two turns leaves.

import t from 'tap';
import { liveActivityBytes } from '../../../../actors/channels/port/live-activity.ts';
import type { Outcome } from '../../../../actors/channels/port/outcome.ts';
import { limits } from '../../../../actors/limits.ts';
import { hourMs, minuteMs } from '../../../../engine/base/brand.ts';
import { ActivityScene, tokenOf } from './scene.ts';

const accepted: Outcome = { outcome: 'accepted', providerMessageId: 'm' };
const dead: Outcome = { outcome: 'dead', reason: 'unregistered' };
const busy: Outcome = { outcome: 'retry', reason: 'http_503' };

async function anActivity(scene?: ActivityScene) {
  const where = scene ?? (await ActivityScene.open());
  const client = await where.logIn();
  const id = await where.register(client, tokenOf(1));
  where.grants();
  return { scene: where, client, id };
}

t.test(
  'an update goes to the activity, at once, and its receipt reads like any other',
  async (t) => {
    const { scene, id } = await anActivity();
    const send = await scene.push(
      id,
      { eta: 3, nothing: null },
      { alert: { title: 'A', body: 'B' } },
    );
    const [grant, ...more] = scene.grants();
    t.same(more, []);
    t.match(grant, {
      channel: 'apns',
      attempt: { sendId: send, deviceId: id, endpoint: tokenOf(1), lane: 'express' },
    });
    t.same(grant?.attempt.content?.liveActivity, {
      event: 'update',
      timestamp: scene.one.clock.nowMs / 1000,
      contentState: { eta: 3, nothing: null },
      alert: { title: 'A', body: 'B' },
    });
    t.match(await scene.status(send), { status: 'pending' });
    if (grant !== undefined) await scene.answer(grant, accepted);
    t.match(await scene.status(send), { status: 'delivered', deviceId: id });
    t.equal(scene.row(id)?.state, 'active');
  },
);

t.test(
  'timestamps of an activity grow by a second at least, whatever the clock does',
  async (t) => {
    const { scene, id } = await anActivity();
    const stamps: number[] = [];
    for (const wait of [0, 0, 10, 0, 90_000, 0]) {
      await scene.one.advance(wait);
      await scene.push(id, {});
      stamps.push(scene.row(id)?.timestamp ?? 0);
    }
    const first = scene.one.clock.nowMs - 90_010;
    const start = Math.floor(first / 1000);
    t.same(stamps, [start, start + 1, start + 2, start + 3, start + 90, start + 91]);
  },
);

t.test(
  'a token that is rotated between the call and the attempt is the one that is used',
  async (t) => {
    const { scene, client, id } = await anActivity();
    await scene.push(id, { n: 1 });
    const [first] = scene.grants();
    if (first !== undefined) await scene.answer(first, busy);
    t.match(await scene.rotate(client, id, tokenOf(2)), { ok: true });
    await scene.one.advance(minuteMs);
    const [second] = scene.grants();
    t.match(second?.attempt, { attempt: 2, endpoint: tokenOf(2), activity: { rotations: 1 } });
  },
);

t.test('a dead token closes the activity, and not one that was rotated since', async (t) => {
  const { scene, client, id } = await anActivity();
  const lost = await scene.push(id, { n: 1 });
  const [first] = scene.grants();
  await scene.rotate(client, id, tokenOf(2));
  if (first !== undefined) await scene.answer(first, dead);
  t.equal(scene.row(id)?.state, 'active', 'the old token was the dead one');
  await scene.one.advance(minuteMs);
  const [second] = scene.grants();
  t.match(second?.attempt, { sendId: lost, endpoint: tokenOf(2) });
  if (second !== undefined) await scene.answer(second, dead);
  t.match(await scene.status(lost), { status: 'bounced', reason: 'unregistered' });
  t.equal(scene.row(id)?.state, 'closed');
  t.match(await scene.ask(id, { event: 'update', contentState: {} }), {
    ok: false,
    fault: { code: 'wrong_state', message: /its push token is dead/ },
  });
  t.match(await scene.rotate(client, id, tokenOf(2)), {
    ok: false,
    fault: { code: 'wrong_state' },
  });
  t.match(await scene.rotate(client, id, tokenOf(3)), { ok: true, value: { state: 'active' } });
  await scene.push(id, { n: 2 });
  t.match(scene.grants(), [{ attempt: { endpoint: tokenOf(3) } }]);
});

t.test(
  'an update that waits gives way to a newer one, an alert on its first try does not',
  async (t) => {
    const { scene, id } = await anActivity();
    const old = await scene.push(id, { n: 1 });
    const [first] = scene.grants();
    const next = await scene.push(id, { n: 2 });
    const [second] = scene.grants();
    if (first !== undefined) await scene.answer(first, busy);
    await scene.one.advance(minuteMs);
    t.same(scene.grants(), []);
    t.match(await scene.status(old), { status: 'suppressed', reason: 'superseded', deviceId: id });
    // The channel has to wait, so these gather.
    if (second !== undefined)
      await scene.answer(second, { outcome: 'rate', reason: 'throttled', retryAfterMs: minuteMs });
    const alert = { title: 'A', body: 'B' };
    const waiting = [
      await scene.push(id, { n: 3 }),
      await scene.push(id, { n: 4 }, { alert }),
      await scene.push(id, { n: 5 }, { event: 'end' }),
    ];
    t.same(scene.grants(), []);
    await scene.one.advance(2 * minuteMs);
    const [probe, ...others] = scene.grants();
    t.equal(probe?.attempt.sendId, waiting[1]);
    t.same(others, [], 'one finds out whether the pause is over');
    if (probe !== undefined) await scene.answer(probe, { outcome: 'accepted' });
    t.same(
      scene.grants().map(({ attempt }) => attempt.sendId),
      waiting.slice(2),
    );
    t.match(await scene.status(next), { status: 'suppressed', reason: 'superseded' });
  },
);

t.test(
  'the end ends the activity when it is accepted, and a retry of it gets its answer',
  async (t) => {
    const { scene, client, id } = await anActivity();
    const claim = { key: [1, 2, 3, 4], fingerprint: [5, 6] } as const;
    const change = { event: 'end', contentState: { done: true } } as const;
    const first = await scene.ask(id, change, claim);
    t.match(first, { ok: true, value: { replayed: false } });
    const again = await scene.ask(id, change, claim);
    t.same(again, {
      ok: true,
      value: { ...(first.ok ? (first.value as object) : {}), replayed: true },
    });
    for (const event of ['update', 'end'] as const)
      t.match(await scene.ask(id, { event, contentState: {} }), {
        ok: false,
        fault: { code: 'wrong_state', message: /has ended/ },
      });
    // The end is still on its way: its token may change, and a dead one changes nothing.
    t.match(await scene.rotate(client, id, tokenOf(2)), { ok: true, value: { state: 'ended' } });
    const [grant] = scene.grants();
    if (grant !== undefined) await scene.answer(grant, dead);
    await scene.one.advance(minuteMs);
    const [second] = scene.grants();
    t.equal(second?.attempt.endpoint, tokenOf(2));
    if (second !== undefined) await scene.answer(second, dead);
    t.equal(scene.row(id)?.state, 'ended');
  },
);

t.test(
  'what fails for twelve hours is a dead letter, and a redrive is not made of old news',
  async (t) => {
    const { scene, id } = await anActivity();
    const send = await scene.push(id, { n: 1 });
    for (let hour = 0; hour < 13; hour++) {
      for (const grant of scene.grants()) await scene.answer(grant, busy);
      await scene.one.advance(hourMs);
    }
    t.match(await scene.status(send), { status: 'failed', reason: 'expired' });
    await scene.one.value(scene.app, 'dead_letter.redrive', { all: true });
    const [again] = scene.grants();
    t.equal(again?.attempt.sendId, send);
    if (again !== undefined) await scene.answer(again, busy);
    await scene.push(id, { n: 2 });
    await scene.one.advance(15 * minuteMs);
    for (const grant of scene.grants()) await scene.answer(grant, { outcome: 'accepted' });
    t.match(await scene.status(send), { status: 'suppressed', reason: 'superseded' });
    const late = await scene.push(id, { n: 3 });
    for (const grant of scene.grants())
      await scene.answer(grant, { ...busy, retryAfterMs: 13 * hourMs } as Outcome);
    t.match(await scene.status(late), { status: 'failed', reason: 'expired' });
  },
);

t.test('through FCM an update needs the phone beside the activity', async (t) => {
  const { scene, client, id } = await anActivity();
  await scene.one.value(scene.app, 'credential.put', {
    channel: 'fcm',
    credential: {},
    fingerprint: 'f',
  });
  const nobody = await scene.push(id, { n: 1 });
  t.same(scene.grants(), []);
  t.match(await scene.status(nobody), { status: 'suppressed', reason: 'no_device' });
  const { deviceId: older } = await scene.one.value(scene.app, 'sdk.register', {
    clientToken: client.clientToken,
    device: { channel: 'fcm', endpoint: 'phone-1' },
  });
  await scene.one.advance(1);
  await scene.one.value(scene.app, 'sdk.register', {
    clientToken: client.clientToken,
    device: { channel: 'fcm', endpoint: 'phone-2' },
  });
  scene.grants();
  await scene.push(id, { n: 2 });
  t.match(scene.grants(), [
    { channel: 'fcm', attempt: { endpoint: 'phone-2', activity: { pushToken: tokenOf(1) } } },
  ]);
  const named = await scene.register(client, tokenOf(7), { deviceId: older });
  await scene.push(named, { n: 3 });
  t.match(scene.grants(), [{ attempt: { endpoint: 'phone-1', deviceId: named } }]);
});

t.test(
  'a preference for other channels does not silence an activity that is on the screen',
  async (t) => {
    const { scene, client, id } = await anActivity();
    const ref = { id: client.subscriberId };
    await scene.one.value(scene.app, 'subscriber.patch', {
      ref,
      patch: { preferredChannels: ['email'] },
    });
    await scene.push(id, { n: 1 });
    t.equal(scene.grants().length, 1);
  },
);

t.test(
  'a payload of 4,096 bytes is taken, and the refusal of a larger one says by how much',
  async (t) => {
    const { scene, id } = await anActivity();
    const change = (length: number) =>
      ({ event: 'update', contentState: { x: 'é'.repeat(length) } }) as const;
    const timestamp = Math.floor(scene.one.clock.nowMs / 1000);
    const empty = liveActivityBytes({ ...change(0), timestamp });
    const most = Math.floor((4_096 - empty) / 2);
    t.match(await scene.ask(id, change(most)), { ok: true });
    for (const more of [1, 2, 100]) {
      const bytes = empty + 2 * (most + more);
      t.match(await scene.ask(id, change(most + more)), {
        ok: false,
        fault: {
          code: 'invalid',
          field: 'contentState',
          message: `contentState: makes a payload of ${bytes} bytes, which is ${bytes - 4_096} bytes over Apple's limit of 4096`,
        },
      });
    }
    const alert = { title: 'T', body: 'B' };
    t.match(await scene.ask(id, { ...change(most), alert }), { ok: false });
    t.equal(scene.row(id)?.timestamp, timestamp, 'a refused call changes nothing');
  },
);

t.test(
  'a crash after any turn leaves the row and its send together, and the send goes out',
  async (t) => {
    for (const event of ['update', 'end'] as const) {
      const { scene, client, id } = await anActivity();
      await scene.crash();
      t.equal(scene.row(id)?.state, 'active');
      const send = await scene.push(id, { n: 1 }, { event });
      await scene.crash(); // granted, and never called
      t.equal(scene.row(id)?.state, event === 'end' ? 'ended' : 'active');
      await scene.rotate(client, id, tokenOf(2));
      await scene.crash();
      await scene.one.advance(minuteMs);
      const grants = scene.grants();
      t.same(
        grants.map(({ attempt }) => [attempt.sendId, attempt.endpoint]),
        [[send, tokenOf(2)]],
      );
      for (const grant of grants) await scene.answer(grant, accepted);
      await scene.crash();
      t.match(await scene.status(send), { status: 'delivered' });
      await scene.one.advance(minuteMs);
      t.same(scene.grants(), []);
    }
  },
);

t.test('an update expires with the activity, and Apple is told', async (t) => {
  const { scene, id } = await anActivity();
  await scene.push(id, {});
  t.match(scene.grants(), [
    { attempt: { content: { options: { ttlSeconds: limits.liveActivitySecondsMax } } } },
  ]);
});
