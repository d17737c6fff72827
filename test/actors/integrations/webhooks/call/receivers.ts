// Receivers of webhooks on loopback that answer with any bytes, because a hostile one does not keep
// to HTTP; and the caller that meets them, with a short deadline.

import { type AddressInfo, createServer, type Server, type Socket } from 'node:net';
import type { Test } from 'tap';
import {
  createOutbound,
  type OutboundConfig,
} from '../../../../../actors/channels/outbound/outbound.ts';
import type {
  WebhookAttempt,
  WebhookReceiver,
} from '../../../../../actors/integrations/webhooks/call/attempt.ts';
import {
  webhookCaller,
  webhookClient,
} from '../../../../../actors/integrations/webhooks/call/deliver.ts';
import { systemClock } from '../../../../../engine/time/clock.ts';

/** A deadline that a test can wait for. */
export const shortMs = 250;

interface RawReceiver {
  readonly url: string;
  /** Requests that were read whole, as text. */
  readonly requests: string[];
  readonly sockets: Socket[];
  readonly server: Server;
}

/** Plays `script` after each whole request. Without one it never answers. */
export async function rawReceiver(
  t: Test,
  script: (socket: Socket, nth: number) => void = () => undefined,
): Promise<RawReceiver> {
  const requests: string[] = [];
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    let text = '';
    socket.on('error', () => undefined); // the caller hangs up on us
    socket.on('data', (chunk) => {
      text += chunk.toString('latin1');
      for (let end = endOfRequest(text); end !== -1; end = endOfRequest(text)) {
        requests.push(text.slice(0, end));
        text = text.slice(end);
        script(socket, requests.length);
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    for (const socket of sockets) socket.destroy();
    return new Promise<void>((resolve) => server.close(() => resolve()));
  });
  const { port } = server.address() as AddressInfo;
  return { url: `http://127.0.0.1:${port}/hook`, requests, sockets, server };
}

function endOfRequest(text: string): number {
  const head = text.indexOf('\r\n\r\n');
  if (head === -1) return -1;
  const length = Number(/^content-length: (\d+)/im.exec(text.slice(0, head))?.[1] ?? 0);
  const end = head + 4 + length;
  return text.length >= end ? end : -1;
}

/** Writes `chunk` for as long as the caller takes it; tells how many bytes that were. */
export function endless(socket: Socket, start: string, chunk: string): { bytes: number } {
  const written = { bytes: 0 };
  socket.write(start, 'latin1');
  const bytes = Buffer.from(chunk, 'latin1');
  const more = () => {
    while (!socket.destroyed) {
      written.bytes += bytes.length;
      if (!socket.write(bytes)) {
        socket.once('drain', more);
        return;
      }
    }
  };
  more();
  return written;
}

/** Writes one byte in each turn of the event loop: never silent, and never done. */
export function drip(socket: Socket, start: string, byte: string): void {
  socket.write(start, 'latin1');
  const more = () => {
    if (socket.destroyed) return;
    socket.write(byte);
    setImmediate(more);
  };
  more();
}

/** A caller as in production but for the deadline and loopback. */
export function aCaller(t: Test, config: Partial<OutboundConfig> = {}) {
  const outbound = createOutbound({
    allowPrivateNetworks: true,
    ...webhookClient,
    timeoutMs: shortMs,
    ...config,
  });
  t.teardown(() => outbound.close(0));
  return webhookCaller(outbound, systemClock);
}

export function anAttempt({
  url,
  headers = {},
  secrets = ['whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw'],
  ...over
}: Partial<WebhookAttempt & WebhookReceiver> & { url: string }): WebhookAttempt {
  return {
    deliveryId: 'whd_00000000000000000000000001',
    type: 'webhook',
    event: 'message.delivered',
    receiver: { url, headers, secrets },
    body: Buffer.from('{"id":"whd_00000000000000000000000001","type":"message.delivered"}'),
    isReplayed: false,
    atMs: Date.UTC(2026, 10, 21, 12),
    ...over,
  };
}

export const plainAnswer = 'HTTP/1.1 200 OK\r\ncontent-length: 2\r\n\r\nok';
