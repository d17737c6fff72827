// One sandbox: stand-ins, inbox page and control routes. HTTP shares one port, by first path
// segment; others have their own. The product only starts main.ts and never imports this.

import { createServer, type Server } from 'node:http';
import { type Clock, systemClock } from '../engine/time/clock.ts';
import { startDnsServer } from './dns/dns-server.ts';
import { Zone } from './dns/zone.ts';
import { zoneIn } from './dns/zone-file.ts';
import { FaultRules } from './faults.ts';
import { sendAnswer } from './http-shell.ts';
import { InboxFile } from './inbox-file.ts';
import { Ledger, messagesHeldMax } from './ledger.ts';
import { providers } from './providers.ts';
import { isLoopback } from './same-machine.ts';
import { Site } from './site.ts';
import { jsonAnswer, type StandIn, type TryPlace, type World } from './stand-in.ts';
import { webPushMount } from './webpush/webpush.ts';

interface SandboxOptions {
  /** Default `127.0.0.1`. Other than loopback needs `exposed`. */
  readonly host?: string;
  /** Inbox, control routes and HTTP stand-ins; 0 picks a free port. */
  readonly port: number;
  /** For mail; default 0 picks a free port. */
  readonly smtpPort?: number;
  /** For DNS; default 0 picks a free port. */
  readonly dnsPort?: number;
  /** Where the product receives bounces; default: a port free now. */
  readonly bouncePort?: number;
  /** Allows a reachable host, whose clients can read all messages and set faults. */
  readonly exposed?: boolean;
  readonly clock?: Clock;
  /** Where the product receives Stripe's events; default: set by a control route. */
  readonly stripeWebhook?: { readonly url: string; readonly secret: string };
  /** The product that started it, for the page `/try`; default: there is no such page. */
  readonly tryPlace?: TryPlace;
  /** Keeps messages, Stripe's customers and DNS records for the next start; default: not kept. */
  readonly directory?: string;
  /** The sandbox's failures, one line each. Default silent. */
  readonly log?: (line: string) => void;
}

interface SandboxAddresses {
  /** The inbox page; control routes are below `/control`. */
  readonly url: string;
  /** `smtp://127.0.0.1:<port>`. */
  readonly smtpUrl: string;
  /** Base URLs by the X of `ENGAGE_X_URL`: FCM, APNS, GOOGLE_TOKEN. */
  readonly providerUrls: Readonly<Record<string, string>>;
  /** The stand-in resolver, as `127.0.0.1:<port>`. */
  readonly dnsServers: readonly string[];
  /** Where the product receives bounces on this machine. */
  readonly bouncePort: number;
  /** Every web push goes to `<webPushUrl>/to/<base64url of the endpoint>`. */
  readonly webPushUrl: string;
}

export interface Sandbox extends SandboxAddresses {
  /** Stops listening, closes connections, and forgets all but its directory. */
  close(): Promise<void>;
}

/** Rejects if a port is in use or the host is not loopback. */
export async function startSandbox(options: SandboxOptions): Promise<Sandbox> {
  const {
    host = '127.0.0.1',
    port,
    smtpPort = 0,
    dnsPort = 0,
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
    zone: directory === undefined ? new Zone() : zoneIn(directory, log),
    clock,
    ...(directory === undefined ? {} : { kept: { directory, log } }),
    ...(options.stripeWebhook === undefined ? {} : { stripeWebhook: options.stripeWebhook }),
    ...(options.tryPlace === undefined ? {} : { tryPlace: options.tryPlace }),
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
  const dnsServers: string[] = [];
  try {
    const dns = await startDnsServer(world.zone, host, dnsPort);
    closers.push(() => dns.close());
    dnsServers.push(host.includes(':') ? `[${host}]:${dns.port}` : `${host}:${dns.port}`);
    for (const standIn of standIns)
      Object.assign(providerUrls, await open(standIn, { url, host, smtpPort }, closers));
  } catch (error) {
    await Promise.all(closers.map((close) => close()));
    throw error;
  }
  const { SMTP: smtpUrl = '', ...otherUrls } = providerUrls;
  return {
    url,
    smtpUrl,
    bouncePort,
    dnsServers,
    providerUrls: otherUrls,
    webPushUrl: url + webPushMount,
    async close() {
      site.close();
      world.ledger.close();
      await Promise.all(closers.map((close) => close()));
    },
  };
}

/** A stand-in's addresses; what closes it is added to `closers`. */
async function open(
  standIn: StandIn,
  { url, host, smtpPort }: { url: string; host: string; smtpPort: number },
  closers: (() => Promise<void>)[],
): Promise<Readonly<Record<string, string>>> {
  if (standIn.transport === 'http') {
    if (standIn.close) closers.push(async () => standIn.close?.());
    const paths = Object.entries(standIn.urls);
    return Object.fromEntries(paths.map(([name, path]) => [name, url + path]));
  }
  const listener = await standIn.listen(host, standIn.urlName === 'SMTP' ? smtpPort : 0);
  closers.push(() => listener.close());
  return { [standIn.urlName]: listener.url };
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
