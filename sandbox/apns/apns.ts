// Stand-in for APNs on its own port: `POST /3/device/<token>` over HTTP/2, with TLS if given a
// certificate. It announces its stream limit and can send GOAWAY with the last stream processed.
// Device tokens trigger the refusals of apns-faults.ts.

import { randomUUID } from 'node:crypto';
import {
  constants,
  createSecureServer,
  createServer,
  type Http2Session,
  type IncomingHttpHeaders,
  type ServerHttp2Stream,
} from 'node:http2';
import type { Socket } from 'node:net';
import { z } from 'zod';
import { type ControlRoute, ok, parseControl, refused } from '../control-route.ts';
import { chooseFault, type FaultSource } from '../faults.ts';
import { objectOrEmpty, parseJson, textOf } from '../json.ts';
import { ShownActivities } from '../live-activity.ts';
import type { ListeningStandIn, World } from '../stand-in.ts';
import { type ApnsReply, apnsNamedFaults, refusalOf, refuse } from './apns-faults.ts';
import { contentOfPush } from './apns-message.ts';
import { type ConnectionTokens, ProviderKeys } from './apns-provider-token.ts';
import { deviceOf, isLiveActivity, judgePush, type ReceivedPush, single } from './apns-rules.ts';

interface ApnsOptions {
  /** In PEM; turns TLS on. */
  readonly certificate?: { readonly key: string; readonly cert: string };
}

/** Default limit of open streams per connection. */
const streamsMaxDefault = 100;
/** Kept of a body; the rest is counted. */
const bodyBytesMax = 16 * 1024;

export function apnsStandIn(world: World, options: ApnsOptions = {}): ListeningStandIn {
  const source: FaultSource<ApnsReply> = {
    channel: 'apns',
    namedFaults: apnsNamedFaults(() => world.clock.now()),
    refusal: (status, retryAfterSeconds) => refusalOf(status, retryAfterSeconds, world.clock.now()),
  };
  const keys = new ProviderKeys();
  const shown = new ShownActivities();
  const sessions = new Map<Http2Session, ConnectionTokens>();
  const state: Streams = { streamsMax: streamsMaxDefault, announce: () => undefined };
  return {
    transport: 'listener',
    channel: 'apns',
    ...({ label: 'Apple push', look: 'phone' } as const),
    urlName: 'APNS',
    namedFaults: source.namedFaults,
    controls: controlsOf(state, keys, sessions),
    listen: (host, port) =>
      listen({ world, source, keys, shown, sessions, state }, options, host, port),
  };
}

async function listen(standing: Standing, options: ApnsOptions, host: string, port: number) {
  const { sessions, state } = standing;
  const settings = () => ({ maxConcurrentStreams: state.streamsMax });
  const server = options.certificate
    ? createSecureServer({ ...options.certificate, settings: settings() })
    : createServer({ settings: settings() });
  state.announce = () => {
    server.updateSettings(settings());
    for (const session of sessions.keys()) session.settings(settings());
  };
  const sockets = new Map<number, Socket>();
  server.on(options.certificate ? 'secureConnection' : 'connection', (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    sockets.set(remotePort, socket);
    socket.once('close', () => sockets.delete(remotePort));
  });
  server.on('session', (session) => {
    sessions.set(session, {});
    session.once('close', () => sessions.delete(session));
    session.on('error', () => undefined); // a caller that hangs up is an event, not a failure
  });
  const take = (
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    _flags: number,
    rawHeaders: string[],
  ) => {
    const push = new IncomingPush(stream, headers, rawHeaders);
    const hangUp = () => {
      const { remotePort } = stream.session?.socket ?? {};
      if (remotePort !== undefined) sockets.get(remotePort)?.destroy();
    };
    push.whenRead((received) => {
      const session = stream.session;
      const tokens = session === undefined ? undefined : sessions.get(session);
      serve(standing, tokens ?? {}, push, received, hangUp);
    });
  };
  server.on('stream', take);
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  const scheme = options.certificate ? 'https' : 'http';
  return {
    url: `${scheme}://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets.values()) socket.destroy();
      }),
  };
}

class IncomingPush {
  readonly stream: ServerHttp2Stream;
  readonly #headers: IncomingHttpHeaders;
  readonly #rawHeaders: readonly string[];

  constructor(
    stream: ServerHttp2Stream,
    headers: IncomingHttpHeaders,
    rawHeaders: readonly string[],
  ) {
    this.stream = stream;
    this.#headers = headers;
    this.#rawHeaders = rawHeaders;
  }

  whenRead(then: (received: ReceivedPush) => void): void {
    const chunks: Buffer[] = [];
    let bodyBytes = 0;
    this.stream.on('error', () => undefined);
    this.stream.on('data', (chunk: Buffer) => {
      if (bodyBytes < bodyBytesMax) chunks.push(chunk);
      bodyBytes += chunk.length;
    });
    this.stream.once('end', () => {
      if (this.stream.destroyed) return; // reset by its caller while it was read
      then({
        headers: this.#headers,
        rawHeaders: this.#rawHeaders,
        body: Buffer.concat(chunks),
        bodyBytes,
      });
    });
  }

  /** Returns the response for the inbox. */
  answer(id: string, refusal?: ApnsReply & { readonly kind: 'refusal' }) {
    const status = refusal?.status ?? 200;
    const headers: Record<string, string> = { 'apns-id': id };
    let body = '';
    if (refusal === undefined) headers['apns-unique-id'] = randomUUID();
    else {
      const { reason, deadSinceMs: timestamp, retryAfterSeconds } = refusal;
      if (retryAfterSeconds !== undefined) headers['retry-after'] = String(retryAfterSeconds);
      headers['content-type'] = 'application/json';
      body = JSON.stringify({ reason, timestamp });
    }
    if (!this.stream.destroyed) {
      this.stream.respond({ ':status': status, ...headers }, { endStream: body === '' });
      if (body !== '') this.stream.end(body);
    }
    return { status, headers, body };
  }
}

type Said = ReturnType<IncomingPush['answer']> | undefined;

interface Standing {
  readonly world: World;
  readonly source: FaultSource<ApnsReply>;
  readonly keys: ProviderKeys;
  readonly shown: ShownActivities;
  readonly sessions: Map<Http2Session, ConnectionTokens>;
  readonly state: Streams;
}

/** Checks a call, plays its fault, responds, and records. */
function serve(
  { world, source, keys, shown }: Standing,
  tokens: ConnectionTokens,
  push: IncomingPush,
  received: ReceivedPush,
  hangUp: () => void,
): void {
  const { headers } = received;
  const id = single(headers, 'apns-id') ?? randomUUID();
  const judged = judgePush(received, world.clock.now());
  if ('kind' in judged) {
    record(world, received, push.answer(id, judged), undefined);
    return;
  }
  const problem = keys.problemOf(headers.authorization, tokens, world.clock.now());
  if (problem !== undefined) {
    record(world, received, push.answer(id, refuse(problem)), undefined);
    return;
  }
  const played = chooseFault(source, world.faults, judged.device, judged.device);
  if (played?.effect.kind === 'slow') {
    const late = () => {
      const said = push.stream.destroyed ? undefined : push.answer(id);
      record(world, received, said, played.fault, shown);
    };
    setTimeout(late, played.effect.delayMs).unref();
    return;
  }
  if (played?.effect.kind === 'drop') hangUp();
  const said =
    played === undefined
      ? push.answer(id)
      : played.effect.kind === 'reply'
        ? reply(push, id, played.effect.reply)
        : undefined;
  record(world, received, said, played?.fault, shown);
}

function reply(push: IncomingPush, id: string, what: ApnsReply): Said {
  const { stream } = push;
  switch (what.kind) {
    case 'refusal':
      return push.answer(id, what);
    case 'refused_stream':
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      return undefined;
    case 'go_away': {
      const number = stream.id ?? 1;
      const reason = Buffer.from('{"reason":"Shutdown"}');
      if (what.processed) {
        stream.session?.goaway(constants.NGHTTP2_NO_ERROR, number, reason);
        return push.answer(id);
      }
      // Node reads 0 as "the last one seen", so a connection's first stream is refused alone.
      if (number > 1) stream.session?.goaway(constants.NGHTTP2_NO_ERROR, number - 2, reason);
      stream.close(constants.NGHTTP2_REFUSED_STREAM);
      if (number === 1) stream.session?.close();
      return undefined;
    }
  }
}

function record(
  world: World,
  { headers, rawHeaders, body }: ReceivedPush,
  said: Said,
  fault: string | undefined,
  shown?: ShownActivities,
): void {
  const outcome = said === undefined ? 'unanswered' : said.status === 200 ? 'accepted' : 'refused';
  const device = deviceOf(headers[':path']);
  if (device === undefined) {
    world.ledger.counts.addCall('apns', outcome);
    return;
  }
  const payload = objectOrEmpty(parseJson(body.toString()));
  const sendId = textOf(payload['engageSendId']);
  const deviceId = textOf(payload['engageDeviceId']);
  const isShown = outcome === 'accepted' && isLiveActivity(headers);
  const drop = isShown ? shown?.show(device, payload) : undefined;
  void world.ledger.record({
    channel: 'apns',
    look: 'phone',
    to: device,
    ...(sendId === undefined ? undefined : { sendId }),
    ...(deviceId === undefined ? undefined : { deviceId }),
    outcome,
    ...(fault === undefined ? undefined : { fault }),
    exchange: {
      request: `${headers[':method']} ${headers[':path']} HTTP/2`,
      requestHeaders: rawHeaders,
      requestBody: body,
      ...(said && { answer: said }),
    },
    read: () => contentOfPush(payload, headers, drop),
  });
}

/** Open streams per connection; `announce` sends a change to all. */
interface Streams {
  streamsMax: number;
  announce: () => void;
}

const change = z.strictObject({
  streamsMax: z.number().int().min(1).max(1_000).optional(),
  goAway: z.boolean().optional(),
  keyId: z.string().max(10).optional(),
  publicKey: z.string().max(8_192).optional(),
});

function controlsOf(
  state: Streams,
  keys: ProviderKeys,
  sessions: ReadonlyMap<Http2Session, ConnectionTokens>,
): ControlRoute[] {
  const view = () =>
    ok({ streamsMax: state.streamsMax, connections: sessions.size, keys: keys.size });
  return [
    {
      method: 'GET',
      path: '/apns',
      about: 'Connections of the APNs stand-in, and how many streams each may have open.',
      handle: view,
    },
    {
      method: 'POST',
      path: '/apns',
      about:
        '{streamsMax?, goAway?, keyId? and publicKey? (PEM)}: streams a connection may have open, a GOAWAY on every connection, and a key to check signatures with.',
      handle({ body }) {
        const parsed = parseControl(change, body);
        if ('refusal' in parsed) return parsed.refusal;
        const { streamsMax, goAway, keyId, publicKey } = parsed.value;
        if (keyId !== undefined && publicKey !== undefined) {
          try {
            keys.set(keyId, publicKey);
          } catch {
            return refused(400, 'publicKey: not a public key in PEM (SPKI)');
          }
        }
        if (streamsMax !== undefined) {
          state.streamsMax = streamsMax;
          state.announce();
        }
        if (goAway === true) for (const session of [...sessions.keys()]) session.close();
        return view();
      },
    },
    {
      method: 'DELETE',
      path: '/apns',
      about: 'Back to a hundred streams and no keys.',
      handle() {
        state.streamsMax = streamsMaxDefault;
        keys.clear();
        state.announce();
        return view();
      },
    },
  ];
}
