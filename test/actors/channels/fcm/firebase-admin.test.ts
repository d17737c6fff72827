// Google's own library judges our calls: what `firebase-admin` sends for a message, and how it
// reads an answer, beside what we do with the same. Both talk to one stand-in. The library is
// installed for this test alone (docs/decisions/0003).

import { deepStrictEqual } from 'node:assert';
import { createHash } from 'node:crypto';
import { Agent } from 'node:https';
import { connect } from 'node:net';
import type { Duplex } from 'node:stream';
import fc from 'fast-check';
import { deleteApp, initializeApp } from 'firebase-admin/app';
import { getMessaging, type TokenMessage } from 'firebase-admin/messaging';
import t from 'tap';
import { createFcm } from '../../../../actors/channels/fcm/adapter.ts';
import { createOutbound } from '../../../../actors/channels/outbound/outbound.ts';
import type { Attempt, RenderedContent } from '../../../../actors/channels/port/attempt.ts';
import { providerConfig } from '../http-rig.ts';
import {
  acceptedMs,
  anAttempt,
  fixedClock,
  type HttpBehavior,
  type HttpStandIn,
  httpStandIn,
} from '../stand-ins.ts';

/** The library's host is fixed; an agent of an app leads its connections to the stand-in. */
class StandInAgent extends Agent {
  readonly #port: number;
  constructor(port: number) {
    super();
    this.#port = port;
  }
  override createConnection(): Duplex {
    return connect(this.#port, '127.0.0.1');
  }
}

const accepted: HttpBehavior = {
  status: 200,
  headers: { 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'projects/sandbox/messages/0:1' }),
};

async function bothClients(t: Tap) {
  const standIn = await httpStandIn(accepted);
  const app = initializeApp({
    projectId: 'sandbox',
    httpAgent: new StandInAgent(Number(new URL(standIn.url).port)),
    credential: {
      getAccessToken: async () => ({ access_token: 'sandbox', expires_in: 3600 }),
    },
  });
  const outbound = createOutbound({ allowPrivateNetworks: false });
  t.teardown(async () => {
    await deleteApp(app);
    await outbound.close(0);
    await standIn.close();
  });
  const ours = createFcm({
    config: { ...providerConfig({ FCM: standIn.url }), mode: 'sandbox' },
    outbound,
    clock: fixedClock(acceptedMs),
  });
  return { standIn, ours, theirs: getMessaging(app) };
}

type Tap = Pick<typeof t, 'teardown'>;

interface Sent {
  readonly path: string | undefined;
  readonly authorization: string | undefined;
  readonly message: Readonly<Record<string, Readonly<Record<string, unknown>>>>;
}

/** What one of both sent. */
async function callOf(standIn: HttpStandIn, send: () => Promise<unknown>): Promise<Sent> {
  standIn.calls.length = 0;
  await send();
  const [call] = standIn.calls;
  const { message, ...rest } = JSON.parse(String(call?.body));
  deepStrictEqual(rest, {});
  return { path: call?.path, authorization: call?.headers.authorization, message };
}

/** FCM takes `fcm_options` and `fcmOptions`, `HIGH` and `high`; the library has the latter. */
function inOneSpelling({ message, ...call }: Sent): object {
  const parts = Object.entries(message).map(([name, part]) => {
    if (!['android', 'apns', 'webpush'].includes(name)) return [name, part];
    const { fcm_options, fcmOptions = fcm_options, priority, ...others } = part;
    const options = fcmOptions === undefined ? {} : { fcmOptions };
    const said = priority === undefined ? {} : { priority: String(priority).toUpperCase() };
    return [name, { ...others, ...options, ...said }];
  });
  return { ...call, message: Object.fromEntries(parts) };
}

const text = fc.oneof(
  fc.string({ unit: 'grapheme', maxLength: 60 }),
  fc.constantFrom('Đơn hàng đã được gửi 🎉', 'تم شحن طلبك', 'ご注文を発送しました', '"<b>\\"\n'),
);
const url = fc.constantFrom(
  'https://shop.example.com/orders/1?a=b&c=%20d#part',
  'https://cdn.example.com/hình.png',
  'shop://orders/1',
);
const content: fc.Arbitrary<RenderedContent> = fc.record(
  {
    title: text,
    body: text,
    image: fc.constantFrom('https://cdn.example.com/a.png', 'http://cdn.example.com/b.jpg?x=1'),
    deepLink: url,
    buttons: fc.array(
      fc.record({ id: fc.string(), label: text, url }, { requiredKeys: ['label'] }),
      { maxLength: 3 },
    ),
    data: fc.dictionary(fc.stringMatching(/^[a-z]{1,8}Value$/), text, { maxKeys: 4 }),
    options: fc.record(
      {
        badgeCount: fc.nat(99_999),
        sound: fc.constantFrom('ding', 'default', 'none'),
        ttlSeconds: fc.oneof(fc.nat(2_419_200), fc.constantFrom(0, 1, 2_419_200)),
        collapseKey: fc.string({ unit: 'grapheme', minLength: 1, maxLength: 80 }),
        androidChannelId: fc.constantFrom('orders', 'Đơn hàng'),
        priority: fc.constantFrom('normal' as const, 'high' as const),
      },
      { requiredKeys: [] },
    ),
  },
  { requiredKeys: ['body', 'options'] },
);

/** The same message in the words of Google's library, written from its documentation. */
function asGoogleSaysIt({ content, endpoint, sendId, deviceId }: Attempt): TokenMessage {
  const { title, body, image, deepLink, buttons, data, options } = content;
  const { badgeCount, sound, ttlSeconds, collapseKey, androidChannelId, priority } = options;
  const heard = sound === 'none' ? undefined : sound;
  const short = collapseKey === undefined ? undefined : within64Bytes(collapseKey);
  const ends = ttlSeconds === 0 ? 0 : Math.floor(acceptedMs / 1000) + (ttlSeconds ?? 0);
  return {
    token: String(endpoint),
    notification: given({ title, body, imageUrl: image }) ?? {},
    data: {
      ...data,
      ...(deepLink !== undefined && { deepLink }),
      ...(buttons !== undefined && buttons.length > 0 && { buttons: JSON.stringify(buttons) }),
      engageSendId: sendId,
      engageDeviceId: deviceId,
    },
    ...given({
      android: given({
        priority,
        ttl: ttlSeconds === undefined ? undefined : ttlSeconds * 1000,
        collapseKey: short,
        notification: given({
          channelId: androidChannelId,
          sound: heard,
          notificationCount: badgeCount,
          tag: short,
        }),
      }),
      apns: given({
        headers: given({
          'apns-priority': priority && { high: '10', normal: '5' }[priority],
          'apns-expiration': ttlSeconds === undefined ? undefined : String(ends),
          'apns-collapse-id': short,
        }),
        payload: given({
          aps: given({ badge: badgeCount, sound: heard, mutableContent: image && true }),
        }) as { aps: object } | undefined,
        fcmOptions: given({ imageUrl: image }),
      }),
      webpush: given({
        headers: given({
          TTL: ttlSeconds === undefined ? undefined : String(ttlSeconds),
          Urgency: priority,
          Topic: collapseKey === undefined ? undefined : digest(collapseKey).slice(0, 32),
        }),
        fcmOptions: given({ link: deepLink?.startsWith('https://') ? deepLink : undefined }),
      }),
    }),
  } as TokenMessage;
}

const digest = (words: string) => createHash('sha256').update(words).digest('base64url');
const within64Bytes = (words: string) => (Buffer.byteLength(words) <= 64 ? words : digest(words));

/** The members that have a value; `undefined` if none has. */
function given<T extends object>(members: T): T | undefined {
  const present = Object.entries(members).filter(([, value]) => value !== undefined);
  return present.length === 0 ? undefined : (Object.fromEntries(present) as T);
}

t.test('firebase-admin sends the same for 200 generated messages', async (t) => {
  const { standIn, ours, theirs } = await bothClients(t);
  const sent = new Set<string>();
  await fc.assert(
    fc.asyncProperty(content, async (made) => {
      const attempt = anAttempt({ content: made });
      const mine = await callOf(standIn, () => ours.send(attempt, undefined));
      const google = await callOf(standIn, () => theirs.send(asGoogleSaysIt(attempt)));
      deepStrictEqual(inOneSpelling(mine), inOneSpelling(google));
      sent.add(JSON.stringify(mine.message));
    }),
    { numRuns: 200 },
  );
  t.ok(sent.size > 190, `${sent.size} different messages`);
});

t.test('and for updates of Live Activities', async (t) => {
  const { standIn, ours, theirs } = await bothClients(t);
  const sent = new Set<string>();
  const activity = fc.record({
    event: fc.constantFrom('update' as const, 'end' as const),
    // The library loses a member of the name `__proto__`.
    contentState: fc.dictionary(fc.stringMatching(/^[a-zA-Z -]{1,12}$/), fc.oneof(text, fc.nat())),
    alert: fc.option(fc.record({ title: text, body: text }), { nil: undefined }),
    ttlSeconds: fc.option(fc.integer({ min: 1, max: 86_400 }), { nil: undefined }),
  });
  await fc.assert(
    fc.asyncProperty(activity, async ({ event, contentState, alert, ttlSeconds }) => {
      const timestamp = acceptedMs / 1000;
      const attempt = anAttempt({
        activity: { pushToken: 'f00d'.repeat(16), rotations: 0 },
        content: {
          liveActivity: { event, timestamp, contentState, ...(alert && { alert }) },
          options: ttlSeconds === undefined ? {} : { ttlSeconds },
        },
      });
      const mine = await callOf(standIn, () => ours.send(attempt, undefined));
      const google = await callOf(standIn, () =>
        theirs.send({
          token: String(attempt.endpoint),
          data: { engageSendId: attempt.sendId, engageDeviceId: attempt.deviceId },
          apns: {
            liveActivityToken: 'f00d'.repeat(16),
            headers: {
              'apns-priority': '10',
              ...(ttlSeconds !== undefined && {
                'apns-expiration': String(timestamp + ttlSeconds),
              }),
            },
            payload: {
              aps: {
                timestamp,
                event,
                'content-state': structuredClone(contentState),
                ...(alert && { alert: { ...alert, sound: 'default' } }),
              } as object,
            },
          },
        }),
      );
      deepStrictEqual(inOneSpelling(mine), inOneSpelling(google));
      sent.add(JSON.stringify(mine.message));
    }),
    { numRuns: 50 },
  );
  t.ok(sent.size > 40, `${sent.size} different updates`);
});

/** An answer, what it is to Google's library, and what to us. */
interface Read {
  readonly says: string;
  readonly status: number;
  readonly canonical: string;
  readonly fcmCode?: string;
  readonly message?: string;
  readonly theirs: string;
  readonly ours: { readonly outcome: string; readonly reason: string };
}

const reads: readonly Read[] = [
  {
    says: 'an app that was removed from its phone',
    status: 404,
    canonical: 'NOT_FOUND',
    fcmCode: 'UNREGISTERED',
    theirs: 'messaging/registration-token-not-registered',
    ours: { outcome: 'dead', reason: 'unregistered' },
  },
  {
    says: "a token of another sender's project",
    status: 403,
    canonical: 'PERMISSION_DENIED',
    fcmCode: 'SENDER_ID_MISMATCH',
    theirs: 'messaging/mismatched-credential',
    ours: { outcome: 'dead', reason: 'sender_id_mismatch' },
  },
  {
    says: 'a field that is wrong',
    status: 400,
    canonical: 'INVALID_ARGUMENT',
    fcmCode: 'INVALID_ARGUMENT',
    theirs: 'messaging/invalid-argument',
    ours: { outcome: 'permanent', reason: 'invalid_argument' },
  },
  {
    says: 'a quota that is used up',
    status: 429,
    canonical: 'RESOURCE_EXHAUSTED',
    fcmCode: 'QUOTA_EXCEEDED',
    theirs: 'messaging/message-rate-exceeded',
    ours: { outcome: 'rate', reason: 'quota_exceeded' },
  },
  {
    says: 'a quota, told by its canonical code alone',
    status: 429,
    canonical: 'RESOURCE_EXHAUSTED',
    theirs: 'messaging/message-rate-exceeded',
    ours: { outcome: 'rate', reason: 'quota_exceeded' },
  },
  {
    says: 'a missing APNs key',
    status: 401,
    canonical: 'UNAUTHENTICATED',
    fcmCode: 'THIRD_PARTY_AUTH_ERROR',
    theirs: 'messaging/third-party-auth-error',
    ours: { outcome: 'config', reason: 'third_party_auth_error' },
  },
  {
    says: 'an error of FCM itself',
    status: 500,
    canonical: 'INTERNAL',
    fcmCode: 'INTERNAL',
    theirs: 'messaging/internal-error',
    ours: { outcome: 'retry', reason: 'internal' },
  },
  {
    says: 'FCM that has no time',
    status: 503,
    canonical: 'UNAVAILABLE',
    fcmCode: 'UNAVAILABLE',
    theirs: 'messaging/server-unavailable',
    ours: { outcome: 'retry', reason: 'unavailable' },
  },
];

/** Where the library has one word for two things, and we must not. Decision 0003 says why. */
const readOtherwise: readonly Read[] = [
  {
    says: 'a project that does not exist',
    status: 404,
    canonical: 'NOT_FOUND',
    theirs: 'messaging/registration-token-not-registered',
    ours: { outcome: 'config', reason: 'project_not_found' },
  },
  {
    says: 'an account without the permission to send',
    status: 403,
    canonical: 'PERMISSION_DENIED',
    theirs: 'messaging/mismatched-credential',
    ours: { outcome: 'config', reason: 'permission_denied' },
  },
  {
    says: 'a token that is none, which the library takes for any other field',
    status: 400,
    canonical: 'INVALID_ARGUMENT',
    fcmCode: 'INVALID_ARGUMENT',
    message: 'The registration token is not a valid FCM registration token',
    theirs: 'messaging/invalid-argument',
    ours: { outcome: 'dead', reason: 'invalid_token' },
  },
];

/** A wait that is longer than the library's patience, so it does not try again by itself. */
const noPatience = { 'retry-after': '3600', 'content-type': 'application/json' };

function answerOf({ status, canonical, fcmCode, message = 'no' }: Read): HttpBehavior {
  const type = 'type.googleapis.com/google.firebase.fcm.v1.FcmError';
  const details = fcmCode && [{ '@type': type, errorCode: fcmCode }];
  return {
    status,
    headers: noPatience,
    body: JSON.stringify({ error: { code: status, status: canonical, message, details } }),
  };
}

for (const [title, list] of [
  ['firebase-admin understands refusals as we do', reads],
  ['but has one word for what we tell apart', readOtherwise],
] as const) {
  t.test(title, async (t) => {
    const { standIn, ours, theirs } = await bothClients(t);
    // After a success, a refused token is the token's fault and not the project's.
    t.match(await ours.send(anAttempt(), undefined), { outcome: 'accepted' });
    for (const read of list) {
      standIn.meet(answerOf(read));
      t.match(await ours.send(anAttempt(), undefined), read.ours, read.says);
      const refused = theirs.send({ token: 'x', notification: { title: 'x' } });
      await t.rejects(refused, { code: read.theirs }, read.says);
    }
  });
}
