// A scripted HTTP server on loopback for adapter tests, and builders for attempts. Each test sets
// the behavior for the next calls; nothing is random, and nothing waits for time to pass.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import { type AddressInfo, createServer as createTcpServer } from 'node:net';
import type {
  Attempt,
  EmailEnvelope,
  RenderedContent,
} from '../../../actors/channels/port/attempt.ts';
import type { Clock } from '../../../engine/time/clock.ts';

/**
 * The behavior for an HTTP call: a response, silence, or a connection cut after the request was
 * read.
 */
export type HttpBehavior =
  | { status: number; headers?: Record<string, string>; body?: string }
  | 'hang'
  | 'cut'
  | ((call: HttpCall, response: ServerResponse) => void);

interface HttpCall {
  method: string;
  path: string;
  headers: IncomingHttpHeaders;
  body: Buffer;
}

export interface HttpStandIn {
  url: string;
  calls: HttpCall[];
  meet(behavior: HttpBehavior): void;
  /** Calls that were read and not answered. */
  held: ServerResponse[];
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port. Every call meets the behavior that was set last. */
export async function httpStandIn(first: HttpBehavior): Promise<HttpStandIn> {
  let behavior = first;
  const calls: HttpCall[] = [];
  const held: ServerResponse[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const call = {
        method: request.method ?? '',
        path: request.url ?? '',
        headers: request.headers,
        body: Buffer.concat(chunks),
      };
      calls.push(call);
      if (behavior === 'hang') held.push(response);
      else if (behavior === 'cut') request.socket.destroy();
      else if (typeof behavior === 'function') behavior(call, response);
      else response.writeHead(behavior.status, behavior.headers).end(behavior.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    held,
    meet(next) {
      behavior = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A loopback port without a listener. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** A clock that stands still until a test sets it. */
export function fixedClock(nowMs: number): Clock & { nowMs: number } {
  const clock = { nowMs, now: () => clock.nowMs, monotonic: () => clock.nowMs };
  return clock;
}

export const acceptedMs = Date.UTC(2026, 10, 21, 12);

type Overrides = Partial<Omit<Attempt, 'content' | 'email'>> & {
  content?: Partial<RenderedContent>;
  email?: Partial<EmailEnvelope>;
};

/** A valid attempt; the given members replace its own. */
export function anAttempt(over: Overrides = {}): Attempt {
  return {
    sendId: 'ntf_00000000000000000000000001',
    deviceId: 'dev_00000000000000000000000001',
    appId: 'app_00000000000000000000000001',
    appName: 'Shop',
    channel: 'fcm',
    lane: 'express',
    attempt: 1,
    endpoint: 'device-token-of-the-test',
    registeredMs: acceptedMs - 86_400_000,
    acceptedMs,
    ...over,
    content: { title: 'Your order', body: 'It has shipped.', options: {}, ...over.content },
    email: {
      fromName: 'Shop',
      fromAddress: 'shop@example.com',
      unsubscribeUrl: 'https://engage.example.com/u/token',
      ...over.email,
    },
  };
}

/** Content and options with a value in every member but the buttons. */
export const everyOption = {
  image: 'https://cdn.example.com/a.png',
  deepLink: 'https://shop.example.com/orders/1',
  data: { order: '1' },
  options: {
    badgeCount: 3,
    sound: 'ding',
    ttlSeconds: 3600,
    collapseKey: 'ck',
    androidChannelId: 'orders',
    priority: 'high',
  },
} as const satisfies Partial<RenderedContent>;
