// Loopback providers for adapter tests: a scripted HTTP server and a scripted SMTP server, and
// builders for attempts. Each test sets what the next calls meet; nothing is random and nothing
// waits for time to pass.

import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http';
import {
  type AddressInfo,
  createServer as createTcpServer,
  type Server,
  type Socket,
} from 'node:net';
import type { Attempt, EmailEnvelope, RenderedContent } from '../../../actors/channels/attempt.ts';
import type { Clock } from '../../../engine/time/clock.ts';

/**
 * What an HTTP call meets: an answer, silence, or a connection that ends after the request was
 * read.
 */
export type HttpBehaviour =
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
  meet(behaviour: HttpBehaviour): void;
  /** Calls that were read and not answered. */
  held: ServerResponse[];
  close(): Promise<void>;
}

/** An HTTP server on a free loopback port that meets every call in the way that was set last. */
export async function httpStandIn(first: HttpBehaviour): Promise<HttpStandIn> {
  let behaviour = first;
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
      if (behaviour === 'hang') held.push(response);
      else if (behaviour === 'cut') request.socket.destroy();
      else if (typeof behaviour === 'function') behaviour(call, response);
      else response.writeHead(behaviour.status, behaviour.headers).end(behaviour.body ?? '');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    calls,
    held,
    meet(next) {
      behaviour = next;
    },
    close() {
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A loopback address on which nothing listens. */
export async function closedPort(): Promise<number> {
  const server = createTcpServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise<void>((resolve) => server.close(() => resolve()));
  return port;
}

/** What an SMTP conversation meets at each step; `hang` is silence, `cut` ends the connection. */
export interface SmtpBehaviour {
  greeting?: string;
  /** Lines of the EHLO reply after the first. */
  extensions?: string[];
  auth?: string;
  mail?: string;
  rcpt?: string;
  data?: string;
  final?: string;
}

interface SmtpStandIn {
  url: string;
  port: number;
  /** Everything between DATA and the final dot, dots still stuffed. */
  messages: string[];
  /** Every command line, in order, over all connections. */
  commands: string[];
  connections(): number;
  meet(behaviour: SmtpBehaviour): void;
  /** Lets the steps that hang go on with 250. */
  release(): void;
  /** Ends all open connections, as a relay does with quiet ones. */
  hangUp(): void;
  close(): Promise<void>;
}

/** A small SMTP server on a free loopback port. It pipelines when its extensions say so. */
export async function smtpStandIn(first: SmtpBehaviour = {}): Promise<SmtpStandIn> {
  let behaviour = first;
  const messages: string[] = [];
  const commands: string[] = [];
  const sockets = new Set<Socket>();
  let held: Socket[] = [];
  let opened = 0;
  const server: Server = createTcpServer((socket) => {
    opened++;
    socket.setNoDelay(true); // small replies must not wait for each other's acknowledgement
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    socket.on('error', () => {});
    const say = (text: string) => {
      if (held.includes(socket)) return; // once silent, silent for good
      if (text === 'cut') socket.destroy();
      else if (text === 'hang') held.push(socket);
      else socket.write(`${text}\r\n`);
    };
    let received = '';
    let inData = false;
    let loginSteps = 0;
    say(behaviour.greeting ?? '220 stand-in ESMTP');
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      for (;;) {
        if (inData) {
          const end = received.startsWith('.\r\n') ? 0 : received.indexOf('\r\n.\r\n');
          if (end < 0) return;
          const skip = received.startsWith('.\r\n') ? 0 : 2;
          messages.push(received.slice(0, end + skip));
          received = received.slice(end + skip + 3);
          inData = false;
          say(behaviour.final ?? '250 2.0.0 queued');
          continue;
        }
        const end = received.indexOf('\r\n');
        if (end < 0) return;
        const line = received.slice(0, end);
        received = received.slice(end + 2);
        commands.push(line);
        if (loginSteps > 0)
          say(--loginSteps > 0 ? '334 UGFzc3dvcmQ6' : (behaviour.auth ?? '235 ok'));
        else if (line.startsWith('EHLO')) {
          const lines = ['stand-in', ...(behaviour.extensions ?? ['PIPELINING', 'SIZE 1048576'])];
          say(
            lines.map((text, i) => `250${i === lines.length - 1 ? ' ' : '-'}${text}`).join('\r\n'),
          );
        } else if (line.startsWith('AUTH PLAIN')) say(behaviour.auth ?? '235 2.7.0 ok');
        else if (line === 'AUTH LOGIN') {
          loginSteps = 2;
          say('334 VXNlcm5hbWU6');
        } else if (line.startsWith('MAIL')) say(behaviour.mail ?? '250 2.1.0 ok');
        else if (line.startsWith('RCPT')) say(behaviour.rcpt ?? '250 2.1.5 ok');
        else if (line === 'DATA') {
          const refused = (behaviour.mail ?? behaviour.rcpt ?? '').startsWith('5');
          const reply = behaviour.data ?? (refused ? '503 5.5.1 no recipient' : '354 go');
          inData = reply.startsWith('354');
          say(reply);
        } else if (line === 'QUIT') socket.end('221 bye\r\n');
        else say('250 ok');
      }
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages,
    commands,
    connections: () => opened,
    meet(next) {
      behaviour = next;
    },
    release() {
      for (const socket of held) socket.write('250 2.0.0 late\r\n');
      held = [];
    },
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** A clock that stands at one instant until it is moved. */
export function fixedClock(nowMs: number): Clock & { nowMs: number } {
  const clock = { nowMs, now: () => clock.nowMs, monotonic: () => clock.nowMs };
  return clock;
}

export const acceptedMs = Date.UTC(2026, 10, 21, 12);

type Overrides = Partial<Omit<Attempt, 'content' | 'email'>> & {
  content?: Partial<RenderedContent>;
  email?: Partial<EmailEnvelope>;
};

/** An attempt with good values everywhere; what is given replaces them. */
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
