// The internal port of a server in a cluster: requests and questions to actors of partitions that
// it owns, and copies of partitions for servers that lack them. Only servers with our key reach it.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { createServer } from 'node:https';
import type { AddressInfo, Socket } from 'node:net';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import type { Answer } from '../../engine/actor/message.ts';
import type { PlacedAsk } from '../../engine/actor/router.ts';
import { moved } from '../../engine/actor/turn-faults.ts';
import type { Bytes } from '../../engine/base/brand.ts';
import type { Log } from '../../engine/observe/log.ts';
import { peerServerTls } from '../../engine/peers/peer-tls.ts';
import { type HttpServerOptions, plainRefusal } from '../server/exchange.ts';
import { headBytesMax, headerCountMax } from '../server/framing.ts';
import { createNodeReceiver } from '../server/node-server.ts';
import { decodeAsk, encodeAnswer } from './ask-bytes.ts';
import { forwardedHeader } from './forwarded-head.ts';
import type { Owners } from './owners.ts';
import { serveForwarded } from './serve-forwarded.ts';

const askBytesMax: Bytes = 64 * 1024 * 1024;

interface PeerPortOptions {
  readonly keys: readonly Uint8Array[];
  readonly owners: Owners;
  /** Asks a shard thread of this server. */
  readonly askHere: (shard: number, asked: PlacedAsk) => void;
  /** The files of a partition as a stream; see `copyStream`. Rejects if there are none. */
  readonly copy: (partition: number) => Promise<AsyncIterable<Uint8Array>>;
  readonly log: Log;
  /** How requests that other servers got are served here; `undefined` while starting. */
  readonly served: () => HttpServerOptions | undefined;
}

interface PeerPort {
  /** Resolves to the port. */
  listen(place: { readonly host: string; readonly port: number }): Promise<number>;
  close(): Promise<void>;
}

export function createPeerPort(options: PeerPortOptions): PeerPort {
  const { log } = options;
  const forwarded = createNodeReceiver(forwardedOptions(options));
  const server = createServer(
    { ...bounds, ...peerServerTls(options.keys) },
    (request, response) => {
      if (request.headers[forwardedHeader] !== undefined) forwarded.receive(request, response);
      else
        serve(options, request, response).catch((error: unknown) => {
          log.error(
            { evt: 'peers.bug', path: request.url, err: error },
            'a call of another server failed',
          );
          if (response.headersSent) response.destroy();
          else response.writeHead(500).end();
        });
    },
  );
  server.maxHeadersCount = 0;
  // The server's own list lacks connections that have not shown their key yet.
  const sockets = new Set<Socket>();
  server.on('connection', (socket: Socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  return {
    listen: ({ host, port }) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen({ host, port, exclusive: true }, () =>
          resolve((server.address() as AddressInfo).port),
        );
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}

/** More than other ports take: whoever forwards adds to a head. */
const bounds = {
  maxHeaderSize: 2 * headBytesMax,
  joinDuplicateHeaders: true,
  requireHostHeader: false,
  keepAliveTimeout: 60_000,
  requestTimeout: 0,
} as const;

function forwardedOptions({ owners, served, log }: PeerPortOptions): HttpServerOptions {
  return {
    headersMax: headerCountMax + 4,
    // Before the front is made, nothing is served: whoever asks looks again.
    handler: serveForwarded((...sent) => served()?.handler(...sent), {
      of: (partition) => (served() === undefined ? undefined : owners.of(partition)),
    }),
    refuse: (refusal, request) => (served()?.refuse ?? plainRefusal)(refusal, request),
    onError: (error, request) => {
      log.error({ evt: 'http.bug', route: request?.path, err: error }, 'a request handler threw');
    },
  };
}

async function serve(
  options: PeerPortOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { method, url = '' } = request;
  const partition = /^\/partitions\/(\d{1,3})\/copy$/.exec(url)?.[1];
  if (method === 'POST' && url === '/ask') await answerAsk(options, request, response);
  else if (method === 'GET' && partition !== undefined)
    await sendCopy(options, Number(partition), response);
  else response.writeHead(404).end();
}

/** 421: this server does not own the partition, and nothing was done. */
async function answerAsk(
  { owners, askHere }: PeerPortOptions,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const body = await wholeBody(request);
  if (body === undefined) {
    response.writeHead(413).end();
    return;
  }
  const { partition, to, message, lane, timeoutMs, weight, bytes } = decodeAsk(body);
  const shard = owners.of(partition)?.shard;
  const answer: Answer =
    shard === undefined
      ? { ok: false, fault: moved }
      : await new Promise((resolve) => {
          const options = { lane, timeoutMs, weight, ...(bytes && { bytes }) };
          askHere(shard, { partition, to, message, options, answer: resolve });
        });
  if (!answer.ok && answer.fault.code === moved.code) response.writeHead(421).end();
  else response.writeHead(200).end(encodeAnswer(answer));
}

async function sendCopy(
  { copy, log }: PeerPortOptions,
  partition: number,
  response: ServerResponse,
): Promise<void> {
  let stream: AsyncIterable<Uint8Array>;
  try {
    stream = await copy(partition);
  } catch (error) {
    log.warn({ evt: 'peers.no_copy', partition, err: error }, 'there is no copy to send');
    response.writeHead(404).end();
    return;
  }
  response.writeHead(200);
  await pipeline(Readable.from(stream, { objectMode: false }), response);
}

async function wholeBody(request: IncomingMessage): Promise<Buffer | undefined> {
  const parts: Buffer[] = [];
  let bytes: Bytes = 0;
  for await (const part of request as AsyncIterable<Buffer>) {
    bytes += part.length;
    if (bytes > askBytesMax) return undefined;
    parts.push(part);
  }
  return Buffer.concat(parts);
}
