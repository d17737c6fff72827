// Live Activities at both stand-ins: what they take, what they refuse, and what the inbox says that
// the phone makes of it.

import { once } from 'node:events';
import { connect } from 'node:http2';
import t, { type Test } from 'tap';
import { problemOfActivity } from '../../sandbox/live-activity.ts';
import { withSandbox } from './with-sandbox.ts';

const token = 'ab'.repeat(80);
const seconds = (more = 0) => Math.floor(Date.now() / 1000) + more;
const update = (more: object = {}) => ({
  aps: { timestamp: seconds(), event: 'update', 'content-state': { eta: 12 }, ...more },
});

async function rig(test: Test) {
  const sandbox = await withSandbox(test);
  const session = connect(sandbox.providerUrls['APNS'] ?? '');
  session.on('error', () => {});
  test.teardown(() => session.destroy());
  return {
    ...sandbox,
    async push(payload: object, device = token) {
      const stream = session.request({
        ':method': 'POST',
        ':path': `/3/device/${device}`,
        authorization: 'bearer sandbox',
        'apns-topic': 'com.example.shop.push-type.liveactivity',
        'apns-push-type': 'liveactivity',
      });
      stream.end(JSON.stringify(payload));
      const [{ ':status': status }] = await once(stream, 'response');
      let text = '';
      for await (const chunk of stream) text += chunk;
      return { status, reason: text === '' ? undefined : JSON.parse(text).reason };
    },
    async send(payload: object, message: object = {}, apns: object = {}) {
      const whole = {
        token: 'phone-1',
        apns: { live_activity_token: token, headers: { 'apns-priority': '10' }, payload, ...apns },
        ...message,
      };
      const path = '/fcm/v1/projects/acme/messages:send';
      const reply = await sandbox.call(
        'POST',
        path,
        { message: whole },
        { authorization: 'Bearer sandbox' },
      );
      return { status: reply.status, error: reply.json.error?.message };
    },
  };
}

t.test('a payload that ActivityKit would not understand is named by its member', async (test) => {
  const nowMs = Date.now();
  const alert = { title: 'T', body: 'B' };
  const wrong: [object, RegExp][] = [
    [{}, /^aps: /],
    [{ aps: [] }, /^aps: /],
    [update({ timestamp: undefined }), /^aps.timestamp/],
    [update({ timestamp: Date.now() }), /^aps.timestamp/],
    [update({ timestamp: seconds() + 0.5 }), /^aps.timestamp/],
    [update({ timestamp: String(seconds()) }), /^aps.timestamp/],
    [update({ event: 'change' }), /^aps.event/],
    [update({ 'content-state': undefined }), /^aps.content-state/],
    [update({ 'content-state': [1] }), /^aps.content-state/],
    [update({ alert: { title: 'T' } }), /^aps.alert/],
    [update({ alert: 'T' }), /^aps.alert/],
    [update({ 'stale-date': '2026' }), /^aps.stale-date/],
    [update({ contentState: {} }), /^aps.contentState/],
    [update({ badge: 1 }), /^aps.badge/],
    [update({ event: 'start', alert }), /^aps.attributes/],
  ];
  for (const [payload, problem] of wrong)
    test.match(problemOfActivity(payload as never, nowMs), problem, JSON.stringify(payload));
  const right: object[] = [
    update(),
    update({ alert, 'stale-date': seconds(60), 'relevance-score': 0.5 }),
    update({ event: 'end', 'dismissal-date': seconds() }),
    update({ event: 'start', alert, attributes: {}, 'attributes-type': 'Delivery' }),
  ];
  for (const payload of right)
    test.equal(problemOfActivity(payload as never, nowMs), undefined, JSON.stringify(payload));
});

t.test('the APNs stand-in refuses what the device would drop, and shows the rest', async (test) => {
  const { push, messages } = await rig(test);
  test.match(await push(update({ event: 'change' })), {
    status: 400,
    reason: 'InvalidLiveActivity',
  });
  test.match(await push({ x: 1 }), { status: 400, reason: 'InvalidLiveActivity' });
  test.match(await push(update(), 'dead'.repeat(20)), { status: 410, reason: 'Unregistered' });
  const alert = { title: 'Here', body: 'At the door' };
  test.match(await push(update({ alert })), { status: 200 });
  const [message] = await messages();
  test.match(message, {
    channel: 'apns',
    to: token,
    title: 'Here',
    text: 'At the door\neta: 12',
    note: 'A Live Activity: update',
    outcome: 'accepted',
  });
});

t.test('the inbox says what the device drops', async (test) => {
  const { push, send, messages } = await rig(test);
  const pushes: [(payload: object) => Promise<{ status: number }>, object, RegExp][] = [
    [push, update({ timestamp: seconds(10) }), /update$/],
    [
      push,
      update({ timestamp: seconds(5) }),
      /update. The device drops it: it shows something newer$/,
    ],
    [push, update({ timestamp: seconds(20), event: 'end' }), /end$/],
    [
      push,
      update({ timestamp: seconds(30) }),
      /update. The device drops it: the activity has ended$/,
    ],
    [send, update({ timestamp: seconds(10) }), /update$/],
    [send, update({ timestamp: seconds(10) }), /drops it: it shows something newer$/],
  ];
  for (const [by, payload, note] of pushes) {
    test.equal((await by(payload)).status, 200);
    const [message] = await messages();
    test.match(message.note, note);
  }
});

t.test('the FCM stand-in wants the phone, the token and the payload', async (test) => {
  const { send, messages } = await rig(test);
  test.match(await send(update()), { status: 200 });
  const [message] = await messages();
  test.match(message, { channel: 'fcm', to: 'phone-1', text: 'eta: 12', note: /^A Live Activity/ });
  const wrong: [object, object, object, RegExp][] = [
    [update(), { token: undefined, topic: 'news' }, {}, /registration token/],
    [update(), {}, { live_activity_token: 'not hex' }, /not a valid APNs token/],
    [update(), {}, { live_activity_token: 7 }, /TYPE_STRING/],
    [update(), {}, { headers: { 'apns-push-type': 'alert' } }, /push-type/],
    [update(), {}, { headers: { 'apns-priority': '7' } }, /priority/],
    [update({ event: 'x' }), {}, {}, /aps.event/],
    [update({ 'content-state': { x: 'x'.repeat(4_096) } }), {}, {}, /exceeds 4096 bytes/],
    [update(), {}, { payload: undefined }, /aps: expected/],
  ];
  for (const [payload, more, apns, error] of wrong) {
    const reply = await send(payload, more, apns);
    test.equal(reply.status, 400, JSON.stringify([more, apns]));
    test.match(reply.error, error);
  }
  test.match(await send(update(), {}, { live_activity_token: 'dead'.repeat(20) }), { status: 404 });
});
