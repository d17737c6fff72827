// The engine process: router and front, on top of the threads that `threads.ts` started. Stops them
// all in reverse.

import { createHmac } from 'node:crypto';
import { readTracked } from '../actors/channels/email/tracked-token.ts';
import { openUnsubscribe } from '../actors/channels/email/unsubscribe.ts';
import type { CallbackCounts } from '../actors/channels/outcome.ts';
import { clientKeyPurpose, mailPurpose, type Sealer, textSealer } from '../actors/sealer.ts';
import { carry, type RelayedMessage } from '../actors/tenants/clients/relay.ts';
import { Router } from '../engine/actor/router.ts';
import { HmacSha256 } from '../engine/base/hmac.ts';
import { systemRng } from '../engine/base/rng.ts';
import type { Log } from '../engine/observe/log.ts';
import type { Host } from '../engine/thread/host.ts';
import { systemClock } from '../engine/time/clock.ts';
import { readLastBackup } from '../storage/last-backup.ts';
import { loadBootstrapToken } from '../storage/secrets.ts';
import { openAdminSocket } from './admin-socket.ts';
import { Admission } from './admit.ts';
import { Authenticator, keyBytes } from './authenticate.ts';
import { type BounceListener, startBounceListener } from './bounces/bounce-listener.ts';
import type { StripeAccess } from './call-edge.ts';
import { watchClock } from './clock-warnings.ts';
import type { Config } from './config.ts';
import type { Edge } from './edge.ts';
import { txtLookup } from './email-domains/txt-lookup.ts';
import { type Fronts, makeFronts } from './fronts.ts';
import { noIngestFigures } from './ingest/events.ts';
import { LiveHub } from './live/live-hub.ts';
import { MailPreviews } from './mail-previews.ts';
import { type Operations, operations } from './operations.ts';
import type { ServerFacts } from './server-metrics.ts';
import { SignInMail } from './session/sign-in-mail.ts';
import { type SandboxAddresses, smtpOf, type Threads, type Topology } from './threads.ts';

export interface Engine {
  readonly edge: Edge;
  readonly port: number;
  readonly metricsPort: number;
  /** Sentences for the banner. */
  readonly warnings: readonly string[];
  stop(): Promise<void>;
}

/** Throws a one-sentence error for what cannot work. */
export async function startEngine(
  config: Config,
  sandbox: SandboxAddresses | undefined,
  threads: Threads,
): Promise<Engine> {
  const { log, topology, shards, dispatchers, masterKeys } = threads;
  let ready = false;
  const { router, authenticator } = wayToActors(config, topology, shards);
  const sealer = textSealer(masterKeys);
  const mailMacs = sealer.keysFor(mailPurpose).map((key) => new HmacSha256(key));
  const edge: Edge = {
    config,
    router,
    authenticator,
    admission: new Admission({ ...config, clock: systemClock }),
    clock: systemClock,
    rng: systemRng(),
    log,
    ready: () => ready,
    clockWarnings: () => clock.warnings,
    countCallbacks: (channel, counts) => operator.countCallbacks(channel, counts),
    countDuplicates: (kind, count) => operator.countDuplicates(kind, count),
    checkCredential: (ask) => operator.checkCredential(ask),
    registerWebhook: (ask) => operator.registerWebhook(ask),
    ...(sandbox === undefined ? {} : { inboxUrl: sandbox.url }),
    ...stripeAccess(config, () => operator),
    lookUpTxt: txtLookup({ servers: config.dnsServers ?? sandbox?.dnsServers }),
    openUnsubscribe: (text) => openUnsubscribe(sealer, text),
    readTracked: (token) => readTracked(token, mailMacs),
    mailPreviews: new MailPreviews(),
    clientKeyBytes: (name) => clientKeyBytes(sealer, name),
    keyGrant: (text) => authenticator.look(text),
    mailSignInLink: (email) => signInMail.request(email),
    openLive: (ask) => live.open(edge, ask),
  };
  const live = new LiveHub(log, authenticator);
  const signInMail = new SignInMail(edge, log, smtpOf(config, sandbox), config.mailFrom);
  await Promise.all([...shards, ...dispatchers].map((host) => host.ready));
  const clock = await watchClock(router);

  let front: Fronts | undefined;
  const ingest = noIngestFigures();
  const shown = () => front ?? { kind: 'none', inFlight: 0 };
  const operator = operations(edge, dispatchers, ingest, shown, factsOf(config));
  const server = await makeFronts(config, edge, ingest, operator);
  front = server;
  const metricsPort = await operator.listen(config.metricsPort);
  const port = await server.listen();
  const bounces = await listenForBounces(config, sandbox, edge, mailMacs);
  const admin = await openAdmin(edge, masterKeys.keyIds);
  ready = true;
  logReady(config, log, topology, server);
  const stopAll = async () => {
    threads.stopping();
    clock.stop();
    ready = false;
    await bounces?.close();
    const closed = admin?.close(); // in parallel: it may wait for a copy
    await stop(server, router, shards, dispatchers, log);
    await closed;
    operator.close();
    await signInMail.close();
    await threads.release();
  };
  const warnings = clock.warnings.map(({ message }) => message);
  return { edge, port, metricsPort, warnings, stop: stopAll };
}

/** The server works without the admin socket, and the tools that need it say so. */
function openAdmin(
  edge: Edge,
  masterKeyIds: Parameters<typeof openAdminSocket>[0]['masterKeyIds'],
) {
  return openAdminSocket({ edge, masterKeyIds }).catch(
    (error: unknown) =>
      void edge.log.warn({ evt: 'admin.none', err: error }, 'the admin socket is not available'),
  );
}

function factsOf({ dataDir }: Config): ServerFacts {
  const restarts = process.env['ENGINE_RESTARTS'];
  return { dataDir, restarts, lastBackup: () => readLastBackup(dataDir) };
}

/** One for each master key, the current one first. */
function clientKeyBytes(sealer: Sealer, name: string): readonly Uint8Array[] {
  return sealer
    .keysFor(clientKeyPurpose)
    .map((key) => createHmac('sha512', key).update(name).digest().subarray(0, keyBytes));
}

/** The router to the shards, and the authenticator that it notifies of changed keys. */
function wayToActors(
  config: Config,
  { partitions }: Topology,
  shards: readonly Host[],
): { readonly router: Router; readonly authenticator: Authenticator } {
  const router = new Router({
    partitions,
    shards: shards.map((host) => host.port),
    clock: systemClock,
    onNotice: (message) => {
      if (message.kind === 'directory.changed') {
        authenticator.drop((message as unknown as { keyIds: readonly string[] }).keyIds);
      } else if (message.kind === 'relay') carry(router, message as RelayedMessage);
    },
  });
  const token = loadBootstrapToken({
    env: { ENGAGE_BOOTSTRAP_TOKEN: config.bootstrapToken },
    dataDir: config.dataDir,
  });
  const authenticator = new Authenticator({
    router: () => router,
    clock: systemClock,
    bootstrapToken: token.value,
  });
  return { router, authenticator };
}

/** Stripe's code is loaded with the first event. */
function stripeAccess(
  { stripe }: Config,
  operator: () => Operations,
): { readonly stripe?: StripeAccess } {
  if (stripe === undefined) return {};
  const ask = (question: Parameters<StripeAccess['ask']>[0]) => operator().askStripe(question);
  return {
    stripe: {
      ask: ask as StripeAccess['ask'],
      async read(bytes, signature) {
        const { readStripeEvent } = await import('../actors/tenants/billing/stripe/event.ts');
        return readStripeEvent(bytes, signature, stripe.webhookSecret, systemClock.now());
      },
    },
  };
}

function logReady(config: Config, log: Log, topology: Topology, server: Fronts): void {
  const { shards, dispatchers, partitions } = topology;
  const { publicUrl: url, mode, emailDomains } = config;
  log.info(
    { evt: 'engine.ready', url, mode, server: server.kind, shards, dispatchers, partitions },
    'Engage is ready',
  );
  if (mode === 'live' && emailDomains.includes('*'))
    log.warn(
      { evt: 'email.unproven' },
      'ENGAGE_EMAIL_DOMAINS is *: every app may send email from any address',
    );
}

/** Only a configured port must be available: without the sandbox's, only bounces are lost. */
async function listenForBounces(
  { bounceDomain: domain, bouncePort, host: ownHost }: Config,
  sandbox: SandboxAddresses | undefined,
  { router, log, countCallbacks }: Edge,
  macs: readonly HmacSha256[],
): Promise<BounceListener | undefined> {
  const port = bouncePort ?? sandbox?.bouncePort ?? 0;
  if (domain === undefined || port === 0) return undefined;
  const host = bouncePort === undefined ? '127.0.0.1' : ownHost; // the sandbox is on this machine
  const count = (counts: CallbackCounts) => countCallbacks?.('email', counts);
  const starting = startBounceListener({ router, domain, macs, host, port, count });
  if (bouncePort !== undefined) return starting;
  return starting.catch(
    (error: unknown) =>
      void log.warn({ evt: 'bounces.none', err: error }, 'bounces of emails are not received'),
  );
}

/** Stops accepting, lets calls end, stops dispatch, then commits and closes the stores. */
async function stop(
  server: Fronts,
  router: Router,
  shards: readonly Host[],
  dispatchers: readonly Host[],
  log: Log,
): Promise<void> {
  const answered = await server.drain(10_000);
  if (!answered)
    log.warn(
      { evt: 'engine.drain' },
      'some requests were still unanswered at the shutdown deadline',
    );
  for (let shard = 0; shard < shards.length; shard++)
    await router.askShard(shard, { kind: 'thread.quiesce' });
  await Promise.all(dispatchers.map((host) => host.close()));
  await Promise.all(shards.map((host) => host.close()));
  log.info({ evt: 'engine.stopped' }, 'Engage has stopped');
}
