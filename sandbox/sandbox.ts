// One sandbox: every stand-in, the inbox page and the control routes. Those on HTTP share one port
// and are distinguished by the first segment of the path; the others listen on ports of their own.
// The product never imports this; it starts main.ts as a process and receives the addresses.

import { createServer, type Server } from 'node:http';
import { type Clock, systemClock } from '../engine/time/clock.ts';
import { FaultRules } from './faults.ts';
import { sendAnswer } from './http-shell.ts';
import { InboxFile } from './inbox-file.ts';
import { Ledger, messagesHeldMax } from './ledger.ts';
import { providers } from './providers.ts';
import { isLoopback } from './same-machine.ts';
import { Site } from './site.ts';
import { jsonAnswer, type World } from './stand-in.ts';
import { webPushMount } from './webpush/webpush.ts';

/** How to start a sandbox. */
interface SandboxOptions {
  /** `127.0.0.1` by default. Anything that is not loopback is refused without `exposed`. */
  readonly host?: string;
  /** For the inbox, the control routes and every HTTP stand-in; 0 picks a free port. */
  readonly port: number;
  /** For mail; 0, the default, picks a free port. */
  readonly smtpPort?: number;
  /** Where the product receives bounces; a port that is free now, by default. */
  readonly bouncePort?: number;
  /**
   * Allows a host that others can reach: they could then read every message and set every fault.
   */
  readonly exposed?: boolean;
  readonly clock?: Clock;
  /** Where messages are kept for the next start; by default they are not kept. */
  readonly directory?: string;
  /** Receives the sandbox's own failures, one line each. Silent by default. */
  readonly log?: (line: string) => void;
}

/** The addresses of a running sandbox. */
interface SandboxAddresses {
  /** The inbox page; control routes are below `/control`. */
  readonly url: string;
  /** `smtp://127.0.0.1:<port>`. */
  readonly smtpUrl: string;
  /** Base URLs by the X of `ENGAGE_X_URL`: FCM, APNS, GOOGLE_TOKEN. */
  readonly providerUrls: Readonly<Record<string, string>>;
  /** Where the product receives bounces, on the same machine. */
  readonly bouncePort: number;
  /** The product sends every web push to `<webPushUrl>/to/<base64url of the endpoint>`. */
  readonly webPushUrl: string;
}

/** A running sandbox. */
export interface Sandbox extends SandboxAddresses {
  /**
   * Stops listening, closes all connections, and forgets everything that is not in its directory.
   */
  close(): Promise<void>;
}

/** Starts a sandbox. Rejects if a port is in use or the host is not loopback. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    host = '127.0.0.1',
    port,
    smtpPort = 0,
    exposed = false,
    clock = systemClock,
    directory,
    log = () => undefined,
  } = options;
  if (!exposed && !isLoopback(host)) {
    throw new Error(
      `the sandbox listens on loopback only, not on ${host}; say so explicitly to expose it`,
    );
  }
  const bouncePort = options.bouncePort || (await freePort(host));
  const file = directory === undefined ? undefined : new InboxFile(directory, log);
  const world: World = {
    ledger: new Ledger(clock, messagesHeldMax, file),
    faults: new FaultRules(),
    clock,
    bounceAddress: { host, port: bouncePort },
    url: () => url,
  };
  const standIns = providers.map((make) => make(world));
  const site = new Site(world, standIns);
  const server = createServer({ noDelay: true, keepAliveTimeout: 65_000 }, (request, response) => {
    site.serve(request, response).catch((error: unknown) => {
      log(
        `${request.method} ${request.url}: ${error instanceof Error ? (error.stack ?? error.message) : String(error)}`,
      );
      if (response.headersSent) response.destroy();
      else sendAnswer(response, jsonAnswer(500, { error: 'the sandbox failed; its log says how' }));
    });
  });
  const url = await listen(server, host, port);

  const providerUrls: Record<string, string> = {};
  const closers: (() => Promise<void>)[] = [() => closeServer(server)];
  try {
    for (const standIn of standIns) {
      if (standIn.transport === 'http') {
        for (const [name, path] of Object.entries(standIn.urls)) providerUrls[name] = url + path;
        if (standIn.close) closers.push(async () => standIn.close?.());
        continue;
      }
      const listener = await standIn.listen(host, standIn.urlName === 'SMTP' ? smtpPort : 0);
      providerUrls[standIn.urlName] = listener.url;
      closers.push(() => listener.close());
    }
  } catch (error) {
    await Promise.all(closers.map((close) => close()));
    throw error;
  }
  const { SMTP: smtpUrl = '', ...otherUrls } = providerUrls;
  return {
    url,
    smtpUrl,
    bouncePort,
    providerUrls: otherUrls,
    webPushUrl: url + webPushMount,
    async close() {
      site.close();
      world.ledger.close();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

async function listen(server: Server, host: string, port: number): Promise<string> {
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => {
      server.off('error', reject);
      resolve();
    });
  });
  const address = server.address();
  const boundPort = typeof address === 'object' && address ? address.port : port;
  return `http://${host.includes(':') ? `[${host}]` : host}:${boundPort}`;
}

async function freePort(host: string): Promise<number> {
  const server = createServer();
  const url = await listen(server, host, 0);
  await closeServer(server);
  return Number(new URL(url).port);
}

function closeServer(server: Server): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    server.closeAllConnections();
  });
}
