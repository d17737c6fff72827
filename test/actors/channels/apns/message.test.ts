// A message as APNs' request: exact headers and payload, the payload's limit, and ids.

import t from 'tap';
import { apnsMessage } from '../../../../actors/channels/apns/message.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { acceptedMs, anAttempt } from '../stand-ins.ts';

const bundleId = 'com.example.shop';
const attempt = anAttempt({ channel: 'apns' });
const id = idOf(attempt);
const ids = { engageSendId: attempt.sendId, engageDeviceId: attempt.deviceId };
const alert = { title: 'Your order', body: 'It has shipped.' };
const plain = {
  headers: { 'apns-id': id, 'apns-push-type': 'alert', 'apns-topic': bundleId },
  payload: { aps: { alert }, ...ids },
};

function made(content: Partial<RenderedContent>, ttl?: number) {
  const request = apnsMessage(anAttempt({ channel: 'apns', content }), bundleId, ttl, acceptedMs);
  if ('outcome' in request) return request;
  return { headers: request.headers, payload: JSON.parse(request.body) };
}

function idOf(one: Attempt, nowMs = acceptedMs): string | undefined {
  const request = apnsMessage(one, bundleId, undefined, nowMs);
  return 'outcome' in request ? undefined : request.headers['apns-id'];
}

t.test('every member of the content and every option has its place', async (test) => {
  const button = { id: 'view', label: 'View', url: 'https://shop.example.com' };
  const image = 'https://cdn.example.com/a.png';
  const aps = (more: object) => ({ payload: { ...plain.payload, aps: { alert, ...more } } });
  const beside = (more: object, inAps = {}) => ({
    payload: { aps: { alert, ...inAps }, ...more, ...ids },
  });
  const header = (more: object) => ({ headers: { ...plain.headers, ...more } });
  const long = 'k'.repeat(65);
  const table: [string, Partial<RenderedContent>, number | undefined, object][] = [
    ['plain', {}, undefined, {}],
    [
      'no title',
      { title: undefined } as never,
      undefined,
      { payload: { ...plain.payload, aps: { alert: { body: alert.body } } } },
    ],
    ['image', { image }, undefined, beside({ image }, { 'mutable-content': 1 })],
    ['deepLink', { deepLink: 'shop://1' }, undefined, beside({ deepLink: 'shop://1' })],
    [
      'buttons',
      { buttons: [button] },
      undefined,
      beside({ buttons: [button] }, { 'mutable-content': 1 }),
    ],
    ['no buttons', { buttons: [] }, undefined, {}],
    ['data', { data: { a: '1', b: '' } }, undefined, beside({ a: '1', b: '' })],
    [
      'data of our names',
      { deepLink: 'shop://1', data: { deepLink: 'x', image: 'y', engageSendId: 'z' } },
      undefined,
      beside({ deepLink: 'shop://1', image: 'y' }),
    ],
    ['badge', { options: { badgeCount: 3 } }, undefined, aps({ badge: 3 })],
    ['badge of nothing', { options: { badgeCount: 0 } }, undefined, aps({ badge: 0 })],
    ['sound', { options: { sound: 'ding.caf' } }, undefined, aps({ sound: 'ding.caf' })],
    ['no sound', { options: { sound: 'none' } }, undefined, {}],
    ['high', { options: { priority: 'high' } }, undefined, header({ 'apns-priority': '10' })],
    ['normal', { options: { priority: 'normal' } }, undefined, header({ 'apns-priority': '5' })],
    ['a life', {}, 3600, header({ 'apns-expiration': String(acceptedMs / 1000 + 3600) })],
    ['now or never', {}, 0, header({ 'apns-expiration': '0' })],
    [
      'collapse',
      { options: { collapseKey: 'order 1' } },
      undefined,
      header({ 'apns-collapse-id': 'order 1' }),
    ],
    [
      'collapse of 64 bytes',
      { options: { collapseKey: long.slice(1) } },
      undefined,
      header({ 'apns-collapse-id': long.slice(1) }),
    ],
    ['for Android', { options: { androidChannelId: 'orders' } }, undefined, {}],
  ];
  for (const [name, content, ttl, expected] of table) {
    test.same(made(content, ttl), { ...plain, ...expected }, name);
  }
});

t.test('a collapse key that no header holds is hashed: equal for equal keys only', async (test) => {
  const idOf = (collapseKey: string) => {
    const got = made({ options: { collapseKey } });
    return 'headers' in got ? got.headers['apns-collapse-id'] : undefined;
  };
  const keys = ['é', ' lead', 'trail ', 'a\nb', 'x'.repeat(65), 'x'.repeat(66), '订单', ''];
  const hashed = keys.map(idOf);
  test.ok(hashed.every((one) => /^[\w-]{43}$/.test(one ?? '')));
  test.equal(new Set(hashed).size, keys.length);
  test.same(keys.map(idOf), hashed);
});

t.test('the whole payload may have 4,096 bytes', async (test) => {
  const overhead = Buffer.byteLength(
    JSON.stringify({ aps: { alert: { title: 'é', body: '' } }, ...ids }),
  );
  const body = (bytes: number) => ({ title: 'é', body: 'x'.repeat(bytes - overhead) });
  for (const bytes of [4_095, 4_096]) {
    test.ok('payload' in made(body(bytes)), String(bytes));
  }
  test.match(made(body(4_097)), {
    outcome: 'permanent',
    reason: 'payload_too_large',
    detail: '4097 bytes, 4096 are allowed',
  });
});

t.test('data cannot stand in the place of aps', async (test) => {
  test.match(made({ data: { aps: 'x' } }), { outcome: 'permanent', reason: 'reserved_data_key' });
});

t.test(
  'an id is a lower-case UUID of send and device, the same for every attempt',
  async (test) => {
    const one = { ...attempt, sendId: 'ntf_1', deviceId: 'dev_1' };
    test.match(idOf(one), /^[0-9a-f]{8}-[0-9a-f]{4}-5[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    test.equal(idOf({ ...one }), idOf(one));
    test.not(idOf({ ...one, deviceId: 'dev_2' }), idOf(one));
    test.not(idOf({ ...one, sendId: 'ntf_2' }), idOf(one));
    test.equal(idOf({ ...attempt, attempt: 4 }, acceptedMs + 1_000), id);
  },
);

t.test(
  'an update of a Live Activity has its own topic, nothing beside aps, and the same bound',
  async (test) => {
    const liveActivity = {
      event: 'update',
      timestamp: 1_790_000_000,
      contentState: { eta: 12 },
    } as const;
    const headers = {
      'apns-id': id,
      'apns-push-type': 'liveactivity',
      'apns-topic': `${bundleId}.push-type.liveactivity`,
      'apns-priority': '10',
    };
    const aps = { timestamp: 1_790_000_000, event: 'update', 'content-state': { eta: 12 } };
    test.same(made({ liveActivity }), { headers, payload: { aps } });
    const alert = { title: 'Here', body: 'At the door' };
    test.same(made({ liveActivity: { ...liveActivity, event: 'end', alert } }, 60), {
      headers: { ...headers, 'apns-expiration': String(Math.floor(acceptedMs / 1000) + 60) },
      payload: { aps: { ...aps, event: 'end', alert: { ...alert, sound: 'default' } } },
    });
    const large = { ...liveActivity, contentState: { eta: 'x'.repeat(4_096) } };
    test.match(made({ liveActivity: large }), { reason: 'payload_too_large' });
  },
);
