// Mails per second of this process's CPU by each kind of relay, against minimal sinks in a child
// process. Each HTTP kind beside undici alone with the very bytes that the kind sends; SMTP by the
// server's own relay beside one of a tenant. Only the ratios count.
// With an older checkout, its SMTP runs beside ours.
// Run: npx tsx bench/relays.ts [seconds per turn] [folder of an older checkout] [--kind=ses]

import { Pool } from 'undici';
import { createEmail } from '../actors/channels/email/adapter.ts';
import { mailMark } from '../actors/channels/email/mail-mark.ts';
import { type Mail, writeMail } from '../actors/channels/email/mime.ts';
import type { RelayMail } from '../actors/channels/email/relay-mail.ts';
import { createOutbound } from '../actors/channels/outbound/outbound.ts';
import type { Adapter, AdapterContext } from '../actors/channels/port/adapter.ts';
import type { Attempt } from '../actors/channels/port/attempt.ts';
import type { OpenRelay, RelayKindName } from '../actors/channels/port/open-relay.ts';
import type { Outcome } from '../actors/channels/port/outcome.ts';
import { relayKinds } from '../actors/channels/relays/kinds.ts';
import { RelayAccounts } from '../actors/channels/relays/relay-accounts.ts';
import { relayServices } from '../actors/channels/relays/services.ts';
import { formatId } from '../engine/base/id.ts';
import { perCore } from './support/bare-senders.ts';
import { benchConfigs, benchContext } from './support/bench-relays.ts';
import { textOption } from './support/options.ts';
import { startSink } from './support/provider-sink.ts';
import { postAgain, recordedCall } from './support/recorded-call.ts';

const width = 64;
const turns = 6;
const warmUpSeconds = 1;
let serial = 0;
const words = 'Hello world, your order has shipped. '.repeat(20);

const given = process.argv.slice(2).filter((word) => !word.startsWith('--'));
await run(Number(given[0] ?? 0.5), given[1]);

async function run(seconds: number, older: string | undefined): Promise<void> {
  const sink = await startSink();
  const outbound = createOutbound({ allowPrivateNetworks: true });
  const base = `http://127.0.0.1:${sink.httpPort}`;
  const context = benchContext(outbound, sink);
  const asked = textOption('kind');
  for (const kind of Object.keys(benchConfigs) as RelayKindName[])
    if (asked === undefined || asked === kind)
      await httpKind(kind, seconds, base, outbound, context);
  if (asked === undefined || asked === 'smtp') await smtp(seconds, sink.smtpPort, context, older);
  await outbound.close();
  sink.stop();
}

interface Line {
  readonly name: string;
  readonly mails: number;
  readonly work: () => unknown;
  rate: number;
}

/** A kind with contents that differ, as links to unsubscribe make them, then with equal ones. */
async function httpKind(
  kind: RelayKindName,
  seconds: number,
  base: string,
  outbound: AdapterContext['outbound'],
  context: AdapterContext,
): Promise<void> {
  const one = await callOf(kind, context, 1, true);
  const batch = await callOf(kind, context, width, true);
  const pool = new Pool(base, { connections: width });
  const account = await opened(kind, context);
  const adapter = createEmail(context, new RelayAccounts(context));
  const relay = relayOf(kind);
  const call = { method: 'POST', destination: 'trusted', headers: one.headers } as const;
  const lines: Line[] = [];
  const line = (name: string, work: () => unknown, mails = 1) =>
    lines.push({ name, mails, work, rate: 0 });
  line(`undici alone, a mail a call of ${one.body.length} bytes`, () => postAgain(pool, one));
  if (batch.body.length > 2 * one.body.length)
    line(`undici alone, ${width} mails a call`, () => postAgain(pool, batch), width);
  line('outbound.call alone, a mail a call', () =>
    outbound.call({ ...call, url: base + one.path, body: one.body }),
  );
  const differing = ringOf(true);
  const equal = ringOf(false);
  line('each mail another content', async () => accepted(await account.send(differing())));
  line('equal contents', async () => accepted(await account.send(equal())));
  line('the adapter, which composes the mail too', async () =>
    accepted(await adapter.send(anAttempt(), undefined, undefined, relay)),
  );
  console.log(kind);
  await inTurns(lines, seconds);
  await Promise.all([pool.close(), account.close(), adapter.close()]);
}

/** In turns, because a machine is never as quick as a moment ago. The first line is the base. */
async function inTurns(lines: readonly Line[], seconds: number): Promise<void> {
  // The first figure of a process would be that of code that is not compiled yet.
  for (const { work } of lines) await perCore(warmUpSeconds, width, work);
  for (let turn = 0; turn < turns; turn++)
    for (const line of lines)
      line.rate += ((await perCore(seconds, width, line.work)) * line.mails) / turns;
  for (const { name, rate } of lines) tell(name, rate, lines[0]?.rate ?? rate);
}

/** The server's own relay, a relay of a tenant, and with an older checkout its own. */
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
  const ours = createEmail(context, new RelayAccounts(context));
  const before: typeof ours | undefined =
    older === undefined
      ? undefined
      : (await import(`${older}/actors/channels/email/adapter.ts`)).createEmail(context);
  const line = (name: string, adapter: Adapter, own?: OpenRelay): Line => ({
    name,
    mails: 1,
    work: async () => accepted(await adapter.send(anAttempt(), undefined, undefined, own)),
    rate: 0,
  });
  console.log('smtp');
  await inTurns(
    [
      line("the server's relay", ours),
      line('a relay of a tenant', ours, relay),
      ...(before === undefined ? [] : [line('of the older checkout', before)]),
    ],
    seconds,
  );
  await Promise.all([ours.close(), before?.close()]);
}

/** What a kind sends for so many mails of one turn. */
function callOf(kind: RelayKindName, context: AdapterContext, mails: number, differs: boolean) {
  return recordedCall(async (url) => {
    const names = Object.keys(relayKinds[kind]?.urls ?? {});
    const urls = Object.fromEntries(names.map((name) => [name, url]));
    const account = await opened(kind, { ...context, config: { ...context.config, urls } });
    await Promise.all(Array.from({ length: mails }, () => account.send(relayMail(differs))));
  });
}

async function opened(kind: RelayKindName, context: AdapterContext) {
  const service = relayServices[kind];
  if (service === undefined) throw new Error(`there is no ${kind}`);
  const open = await service.open();
  return open(relayOf(kind), context);
}

function relayOf(kind: RelayKindName): OpenRelay {
  return { id: `rel_${kind}`, kind, config: benchConfigs[kind] ?? {}, fingerprint: 'f' };
}

/** Mails that are made already, in turn, so that a line has what its kind costs alone. */
function ringOf(differs: boolean): () => RelayMail {
  const mails = Array.from({ length: 2_048 }, () => relayMail(differs));
  let next = 0;
  return () => mails[next++ % mails.length] as RelayMail;
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
    text: flat(`${words}\n${link}`),
    html: flat(`<p>${words}</p><p><a href="${link}">Unsubscribe</a></p>`),
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

/** One string in memory, as texts are that were read, and not the parts it was joined from. */
function flat(text: string): string {
  return Buffer.from(text).toString();
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
    content: { title: 'Your order', body: flat(`<p>${words}${serial}</p>`), options: {} },
    email: {
      fromAddress: 'shop@example.com',
      unsubscribeUrl: `https://engage.example.com/u/token${serial}`,
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
