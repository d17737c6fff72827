// Stand-in for browser push services (RFC 8030): `POST /webpush/s/<id>` for own subscriptions, and
// `POST /webpush/to/<base64url of an endpoint>` for any, which the product uses in sandbox mode.
// Also plays the browser: decrypts messages for its own keys, and hands others to the browser that
// holds them, if it is one of browser.ts.

import { randomBytes } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { z } from 'zod';
import { type ControlRoute, ok, parseControl } from '../control-route.ts';
import type { NamedFault } from '../faults.ts';
import { isJsonObject, type JsonObject, objectOrEmpty, parseJson, textOf } from '../json.ts';
import type { Content } from '../message.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { BrowserPushService } from './browser.ts';
import { VapidChecks } from './vapid.ts';
import { openForSubscription, sandboxSubscription } from './webpush-keys.ts';

/** The sandbox's URL and this are the product's `webPushUrl`. */
export const webPushMount = '/webpush';

/** RFC 8030 allows refusing larger bodies. */
const bodyBytesMax = 4_096;
const urgencies = new Set(['very-low', 'low', 'normal', 'high']);
const subscriptionId = /^[\w-]{1,64}$/;

/** The endpoint, and the id of an own subscription. */
interface Destination {
  readonly endpoint: URL;
  readonly ownId: string | undefined;
  /** May name a fault: the own id, or the last path part of a foreign endpoint. */
  readonly name: string;
}

export function webPushStandIn(world: World): HttpStandIn {
  const checks = new VapidChecks();
  const browsers = new BrowserPushService(() => world.clock.now());
  let taken = 0;
  return {
    transport: 'http',
    channel: 'webpush',
    label: 'Web push',
    look: 'browser',
    mount: webPushMount,
    urls: {},
    bodyBytesMax,
    namedFaults,
    refusal,
    async receive(received) {
      const destination = received.method === 'POST' ? destinationOf(received) : undefined;
      if (!destination) return { answer: pushError(404, 102, 'Not Found', 'No such subscription') };
      const audiences = [world.url(), received.origin, destination.endpoint.origin];
      const vapid = await checks.check(received.headers.authorization, audiences, received.nowMs);
      const problem =
        vapid &&
        pushError(
          vapid.status,
          109,
          vapid.status === 401 ? 'Unauthorized' : 'Forbidden',
          vapid.message,
        );
      const { endpoint } = destination;
      const answer =
        problem ??
        problemOfHeaders(received.headers, received.body.length) ??
        (browsers.stateOf(endpoint) === 'gone' ? refusal(410, undefined) : undefined);
      const recipient = recipientOf(destination, received, world.ledger.recording);
      if (answer) return { answer, ...recipient };
      const location = `${world.url()}/webpush/m/${received.nowMs.toString(36)}-${(++taken).toString(36)}`;
      return {
        answer: {
          status: 201,
          headers: { location, ttl: received.headers['ttl']?.toString() ?? '0' },
          body: '',
        },
        ...recipient,
        taken: () => browsers.deliver(endpoint, received.body),
      };
    },
    controls: controlsOf(world, browsers),
    close: () => browsers.close(),
  };
}

function destinationOf({ path, origin }: Received): Destination | undefined {
  const [, form = '', rest = '', ...more] = path.split('/');
  if (rest === '' || more.length > 0) return undefined;
  if (form === 's')
    return subscriptionId.test(rest)
      ? { endpoint: new URL(`${origin}/webpush/s/${rest}`), ownId: rest, name: rest }
      : undefined;
  if (form !== 'to') return undefined;
  const endpoint = URL.canParse(decoded(rest)) ? new URL(decoded(rest)) : undefined;
  if (!endpoint) return undefined;
  // Ignores the port: a subscription outlives its sandbox.
  const ownId = /^\/webpush\/s\/([\w-]{1,64})$/.exec(endpoint.pathname)?.[1];
  return { endpoint, ownId, name: ownId ?? endpoint.pathname.split('/').at(-1) ?? '' };
}

function decoded(base64url: string): string {
  return Buffer.from(base64url, 'base64url').toString();
}

function problemOfHeaders(
  headers: IncomingHttpHeaders,
  bodyBytes: number,
): StandInResponse | undefined {
  const { ttl, topic, urgency } = headers;
  if (typeof ttl !== 'string' || !/^\d{1,10}$/.test(ttl)) {
    return pushError(
      400,
      111,
      'Bad Request',
      ttl === undefined ? 'Missing TTL header' : 'TTL must be a whole number of seconds',
    );
  }
  if (topic !== undefined && !(typeof topic === 'string' && /^[\w-]{1,32}$/.test(topic))) {
    return pushError(
      400,
      113,
      'Bad Request',
      'Topic must be no greater than 32 characters of the URL-safe base64 alphabet',
    );
  }
  if (urgency !== undefined && !(typeof urgency === 'string' && urgencies.has(urgency))) {
    return pushError(400, 110, 'Bad Request', 'Urgency must be very-low, low, normal or high');
  }
  if (bodyBytes > 0 && headers['content-encoding'] !== 'aes128gcm') {
    return pushError(400, 110, 'Bad Request', 'Content-Encoding must be aes128gcm');
  }
  return undefined;
}

function recipientOf(
  { endpoint, ownId, name }: Destination,
  { headers, body }: Received,
  isRecording: boolean,
): Omit<Verdict, 'answer'> {
  const to = ownId ?? `${endpoint.host}${endpoint.pathname}`;
  // Decryption costs most here, so skip it if nobody will look.
  const opened =
    isRecording && ownId !== undefined && body.length > 0
      ? openForSubscription(ownId, body)
      : undefined;
  const payload = opened && parseJson(opened.toString());
  const fields = objectOrEmpty(payload);
  const sendId = textOf(fields['messageId']);
  const deviceId = textOf(fields['deviceId']);
  return {
    to,
    name,
    message: {
      ...(sendId === undefined ? undefined : { sendId }),
      ...(deviceId === undefined ? undefined : { deviceId }),
      read: () => ({
        sender: endpoint.host,
        ...(isJsonObject(payload) ? contentOf(payload) : { text: opened?.toString() ?? '' }),
        details: [...optionsOf(headers), ...detailsOf(fields)],
        ...noteOf(ownId, body, opened),
      }),
    },
  };
}

function contentOf(payload: JsonObject): Content {
  const data = objectOrEmpty(payload['data']);
  const title = textOf(payload['title']);
  const text = textOf(payload['body']);
  const image = textOf(payload['image']);
  const icon = textOf(payload['icon']);
  const link = textOf(data['deepLink']) ?? textOf(data['url']);
  const actions: unknown[] = Array.isArray(payload['actions']) ? payload['actions'] : [];
  const buttons = actions.flatMap((action) => {
    const { title: label, url } = objectOrEmpty(action);
    const address = textOf(url);
    return typeof label === 'string'
      ? [{ label, ...(address !== undefined && { url: address }) }]
      : [];
  });
  const badge = data['badgeCount'];
  return {
    ...(title === undefined ? undefined : { title }),
    ...(text === undefined ? undefined : { text }),
    ...(image === undefined ? undefined : { image }),
    ...(icon === undefined ? undefined : { icon }),
    ...(link === undefined ? undefined : { link }),
    ...(typeof badge === 'number' && { badge }),
    ...(buttons.length > 0 && { buttons }),
  };
}

function optionsOf(headers: IncomingHttpHeaders): (readonly [string, string])[] {
  return (['ttl', 'urgency', 'topic'] as const).flatMap((name) => {
    const value = headers[name];
    return value === undefined ? [] : [[name, String(value)] as const];
  });
}

function detailsOf(payload: JsonObject): (readonly [string, string])[] {
  return Object.entries(payload)
    .filter(([name]) => !['title', 'body', 'image', 'icon', 'actions'].includes(name))
    .map(
      ([name, value]) => [name, typeof value === 'string' ? value : JSON.stringify(value)] as const,
    );
}

function noteOf(
  ownId: string | undefined,
  body: Buffer,
  opened: Buffer | undefined,
): Pick<Content, 'note'> {
  if (body.length === 0)
    return { note: 'A push without a payload: the service worker wakes with nothing to read' };
  if (ownId === undefined) return { note: 'Encrypted for a key that the sandbox does not hold' };
  if (opened === undefined)
    return { note: 'Could not be decrypted with the keys of this subscription' };
  return {};
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  {
    prefix: 'gone',
    says: '410: the subscription has expired',
    effect: () => ({ kind: 'reply', reply: refusal(410, undefined) }),
  },
  {
    prefix: 'missing',
    says: '404: no such subscription',
    effect: () => ({ kind: 'reply', reply: refusal(404, undefined) }),
  },
  {
    prefix: 'quota',
    says: '429, Retry-After 2 s (quota30… says 30)',
    effect: (seconds) => ({ kind: 'reply', reply: refusal(429, seconds ?? 2) }),
  },
  {
    prefix: 'big',
    says: '413: payload too large',
    effect: () => ({ kind: 'reply', reply: refusal(413, undefined) }),
  },
  {
    prefix: 'throttle',
    says: '406: how Windows throttles',
    effect: () => ({ kind: 'reply', reply: refusal(406, undefined) }),
  },
  {
    prefix: 'mism',
    says: '403: another VAPID key than at subscription',
    effect: () => ({
      kind: 'reply',
      reply: pushError(403, 109, 'Forbidden', 'VapidPkHashMismatch'),
    }),
  },
  {
    prefix: 'busy',
    says: '503 (busy30… with Retry-After 30)',
    effect: (seconds) => ({ kind: 'reply', reply: refusal(503, seconds) }),
  },
];

const refusals: Readonly<Record<number, readonly [errno: number, error: string, message: string]>> =
  {
    400: [110, 'Bad Request', 'Invalid request'],
    401: [109, 'Unauthorized', 'Request did not validate'],
    403: [109, 'Forbidden', 'VapidPkHashMismatch'],
    404: [102, 'Not Found', 'No such subscription'],
    406: [121, 'Not Acceptable', 'The channel is throttled'],
    410: [106, 'Gone', 'Subscription has expired or was removed'],
    413: [
      104,
      'Payload Too Large',
      'This message is intended for a constrained device and is limited to 4096 bytes',
    ],
    429: [120, 'Too Many Requests', 'Too many messages for this subscription'],
    503: [202, 'Service Unavailable', 'Try again later'],
  };

function refusal(status: number, retryAfterSeconds: number | undefined): StandInResponse {
  const [errno, error, message] = refusals[status] ?? [999, 'Fault', `Fault ${status} on demand`];
  const headers =
    retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) };
  return pushError(status, errno, error, message, headers);
}

/** In Mozilla's form, the only documented errors of a push service. */
function pushError(
  code: number,
  errno: number,
  error: string,
  message: string,
  headers?: Record<string, string>,
): StandInResponse {
  return jsonAnswer(code, { code, errno, error, message }, headers);
}

const newSubscription = z.strictObject({
  name: z.string().regex(subscriptionId, 'must be 1 to 64 letters, digits, _ or -').optional(),
});

function controlsOf(world: World, browsers: BrowserPushService): ControlRoute[] {
  return [
    {
      method: 'POST',
      path: '/webpush/browsers',
      about:
        '{}: switches for a Chromium whose `pushManager.subscribe()` is to work without the internet. A push to it is decrypted and shown by the browser.',
      handle: async () => ok({ switches: await browsers.switches() }),
    },
    {
      method: 'POST',
      path: '/webpush/subscriptions',
      about:
        '{name?}: a browser subscription whose private key the sandbox holds; the same name gives the same one.',
      handle({ body }) {
        const parsed = parseControl(newSubscription, body);
        if ('refusal' in parsed) return parsed.refusal;
        const id = parsed.value.name ?? randomBytes(9).toString('base64url');
        return ok({ subscription: sandboxSubscription(world.url(), id) });
      },
    },
  ];
}
