// Mails per second of this process's CPU by each kind of relay, against minimal sinks in a child
// process. Each HTTP kind beside undici alone with the very bytes that the kind sends; SMTP by the
// server's own relay beside one of a tenant. Only the ratios count.
// With an older checkout, its SMTP runs beside ours.
// Run: npx tsx bench/relays.ts [seconds per line] [folder of an older checkout]

import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { Pool } from 'undici';
import type { ProviderUrlName } from '../actors/channels/channel-ids.ts';
import { createEmail } from '../actors/channels/email/adapter.ts';
import { mailMark } from '../actors/channels/email/mail-mark.ts';
import { type Mail, writeMail } from '../actors/channels/email/mime.ts';
import type { RelayMail } from '../actors/channels/email/relay-mail.ts';
import { createOutbound } from '../actors/channels/outbound/outbound.ts';
import type { Adapter, AdapterContext } from '../actors/channels/port/adapter.ts';
import type { Attempt } from '../actors/channels/port/attempt.ts';
import type { OpenRelay, RelayConfig, RelayKindName } from '../actors/channels/port/open-relay.ts';
import type { Outcome } from '../actors/channels/port/outcome.ts';
import { relayKinds } from '../actors/channels/relays/kinds.ts';
import { relayServices } from '../actors/channels/relays/services.ts';
import { formatId } from '../engine/base/id.ts';
import { systemClock } from '../engine/time/clock.ts';
import { perCore } from './support/bare-senders.ts';
import { startSink } from './support/provider-sink.ts';

const width = 64;
const smtpTurns = 6;
const secret = 'x'.repeat(32);

/** What a tenant enters, by kind. */
const configs: Readonly<Partial<Record<RelayKindName, RelayConfig>>> = {
  ses: { region: 'us-east-1', accessKeyId: 'AKIABENCH00000000000', secretAccessKey: secret },
  sendgrid: { apiKey: `SG.${secret}`, region: 'global' },
  mailgun: { apiKey: secret, domain: 'mail.example.com', region: 'us' },
};

let serial = 0;
const words = 'Hello world, your order has shipped. '.repeat(20);

await run(Number(process.argv[2] ?? 2), process.argv[3]);

async function run(seconds: number, older: string | undefined): Promise<void> {
  const sink = await startSink();
  const outbound = createOutbound({ allowPrivateNetworks: true });
  const base = `http://127.0.0.1:${sink.httpPort}`;
  const context = contextOf(outbound, base, `smtp://127.0.0.1:${sink.smtpPort}?connections=16`);
  for (const kind of Object.keys(configs) as RelayKindName[]) {
    const service = relayServices[kind];
    if (service === undefined) continue;
    await httpKind(kind, seconds, base, outbound, context);
  }
  await smtp(seconds, sink.smtpPort, context, older);
  await outbound.close();
  sink.stop();
}

function contextOf(
  outbound: AdapterContext['outbound'],
  base: string,
  smtpUrl: string,
): AdapterContext {
  const names = Object.values(relayKinds).flatMap((kind) => Object.keys(kind.urls ?? {}));
  return {
    config: {
      mode: 'live',
      urls: Object.fromEntries(names.map((name) => [name as ProviderUrlName, base])),
      smtp: { url: smtpUrl },
      vapidSubject: 'mailto:bench@example.com',
      publicUrl: 'http://127.0.0.1',
    },
    outbound,
    clock: systemClock,
  };
}

/** A kind with contents that differ, as links to unsubscribe make them, then with equal ones. */
async function httpKind(
  kind: RelayKindName,
  seconds: number,
  base: string,
  outbound: AdapterContext['outbound'],
  context: AdapterContext,
): Promise<void> {
  const request = await recorded(kind, context);
  const pool = new Pool(base, { connections: width });
  // The first figure of a process would be that of code that is not compiled yet.
  await perCore(seconds, width, () => post(pool, request));
  const bare = await perCore(seconds, width, () => post(pool, request));
  const account = await opened(kind, context);
  const line = async (name: string, mailOf: () => RelayMail) => {
    const rate = await perCore(seconds, width, async () => accepted(await account.send(mailOf())));
    tell(`${kind}: ${name}`, rate, bare);
  };
  tell(`${kind}: undici alone, ${request.body.length} bytes`, bare, bare);
  const call = { method: 'POST', destination: 'trusted', headers: request.headers } as const;
  const ours = await perCore(seconds, width, () =>
    outbound.call({ ...call, url: base + request.path, body: request.body }),
  );
  tell(`${kind}: outbound.call alone`, ours, bare);
  await line('each mail another content', () => relayMail(true));
  await line('equal contents', () => relayMail(false));
  tell(
    `${kind}: undici alone, once more`,
    await perCore(seconds, width, () => post(pool, request)),
    bare,
  );
  await pool.close();
  await account.close();
}

/** In turns, because a machine is never as quick as a moment ago. */
async function smtp(
  seconds: number,
  smtpPort: number,
  context: AdapterContext,
  older: string | undefined,
): Promise<void> {
  const relay: OpenRelay = {
    id: 'rel_bench',
    kind: 'smtp',
    config: { host: '127.0.0.1', port: smtpPort, connections: 16, messagesPerConnection: 100_000 },
    fingerprint: 'f',
  };
  const ours = createEmail(context);
  const before: typeof ours | undefined =
    older === undefined
      ? undefined
      : (await import(`${older}/actors/channels/email/adapter.ts`)).createEmail(context);
  const lines: [string, Adapter, OpenRelay | undefined, number][] = [
    ["smtp: the server's relay", ours, undefined, 0],
    ['smtp: a relay of a tenant', ours, relay, 0],
    ...(before
      ? [
          ['smtp: of the older checkout', before, undefined, 0] as [
            string,
            Adapter,
            undefined,
            number,
          ],
        ]
      : []),
  ];
  for (let turn = 0; turn < smtpTurns; turn++)
    for (const line of lines) {
      const [, adapter, own] = line;
      line[3] += await perCore(seconds / 2, width, async () =>
        accepted(await adapter.send(anAttempt(), undefined, undefined, own)),
      );
    }
  for (const [name, , , sum] of lines)
    tell(name, sum / smtpTurns, (lines[0]?.[3] ?? 1) / smtpTurns);
  await Promise.all([ours.close(), before?.close()]);
}

interface Recorded {
  readonly path: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** What a kind sends for one mail. */
async function recorded(kind: RelayKindName, context: AdapterContext): Promise<Recorded> {
  let request: Recorded | undefined;
  const server = createServer((incoming, response) => {
    const chunks: Buffer[] = [];
    incoming.on('data', (chunk: Buffer) => chunks.push(chunk));
    incoming.on('end', () => {
      const { host: _host, connection: _connection, ...headers } = incoming.headers;
      const body = Buffer.concat(chunks);
      request = { path: incoming.url ?? '', headers: headers as Record<string, string>, body };
      response.writeHead(500).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const names = Object.keys(relayKinds[kind]?.urls ?? {});
  const urls = Object.fromEntries(names.map((name) => [name, url]));
  const account = await opened(kind, { ...context, config: { ...context.config, urls } });
  await account.send(relayMail(false));
  server.closeAllConnections();
  server.close();
  if (request === undefined) throw new Error(`${kind} made no call`);
  return request;
}

async function opened(kind: RelayKindName, context: AdapterContext) {
  const service = relayServices[kind];
  if (service === undefined) throw new Error(`there is no ${kind}`);
  const open = await service.open();
  return open({ id: 'rel_bench', kind, config: configs[kind] ?? {}, fingerprint: 'f' }, context);
}

function post(pool: Pool, { path, headers, body }: Recorded): Promise<void> {
  return new Promise((resolve, reject) => {
    pool.dispatch(
      { path, method: 'POST', body, headers },
      {
        onRequestStart() {},
        onResponseStart() {},
        onResponseData() {},
        onResponseEnd: () => resolve(),
        onResponseError: (_controller, error) => reject(error),
      },
    );
  });
}

function relayMail(differs: boolean): RelayMail {
  const parts = { ordinal: 1, atMs: 1_700_000_000_000, high16: 0, low32: ++serial };
  const ids = { sendId: formatId('ntf', parts), deviceId: formatId('dev', parts) };
  const link = `https://engage.example.com/u/${differs ? ids.sendId : 'token'}`;
  const mail: Mail = {
    fromName: 'Shop',
    fromAddress: 'shop@example.com',
    to: `person${serial}@example.net`,
    subject: 'Your order',
    dateMs: parts.atMs,
    messageId: `${ids.sendId}@example.com`,
    headers: [
      ['List-Unsubscribe', `<https://engage.example.com/u/${ids.sendId}>`],
      ['X-Engage-Send-Id', ids.sendId],
      ['X-Engage-Device-Id', ids.deviceId],
    ],
    text: `${words}\n${link}`,
    html: `<p>${words}</p><p><a href="${link}">Unsubscribe</a></p>`,
  };
  return {
    mail,
    returnPath: 'bounce@example.com',
    pieces: () => [writeMail(mail, undefined)],
    mark: mailMark(ids),
    stream: 'marketing',
    uuid: `00000000-0000-4000-8000-${String(serial).padStart(12, '0')}`,
    tags: {},
  };
}

function anAttempt(): Attempt {
  const parts = { ordinal: 1, atMs: 1_700_000_000_000, high16: 0, low32: ++serial };
  return {
    sendId: formatId('ntf', parts),
    deviceId: formatId('dev', parts),
    appId: formatId('app', { ...parts, low32: 1 }),
    appName: 'Shop',
    channel: 'email',
    lane: 'bulk',
    attempt: 1,
    endpoint: `person${serial}@example.net`,
    registeredMs: parts.atMs,
    acceptedMs: parts.atMs,
    content: { title: 'Your order', body: `<p>${words}</p>`, options: {} },
    email: {
      fromAddress: 'shop@example.com',
      unsubscribeUrl: 'https://engage.example.com/u/token',
    },
  };
}

function accepted(outcome: Outcome): void {
  if (outcome.outcome !== 'accepted') throw new Error(JSON.stringify(outcome));
}

function tell(name: string, rate: number, base: number): void {
  const figure = Math.round(rate).toLocaleString().padStart(9);
  console.log(`  ${name.padEnd(48)} ${figure} /s/core  ${(rate / base).toFixed(2)}x`);
}
