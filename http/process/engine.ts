// The engine process: router and front, on top of the threads that `threads.ts` started. Stops them
// all in reverse.

import { createHmac } from 'node:crypto';
import { dmarcAddress } from '../../actors/channels/email/return-path.ts';
import { readTracked } from '../../actors/channels/email/tracked-token.ts';
import { openUnsubscribe } from '../../actors/channels/email/unsubscribe.ts';
import type { Outbound } from '../../actors/channels/outbound/outbound-call.ts';
import type { CallbackCounts } from '../../actors/channels/port/outcome.ts';
import { mailLimits } from '../../actors/content/shape/mail-limits.ts';
import type { IntegrationDisabled } from '../../actors/integrations/webhooks/protocol.ts';
import { openPreferences, preferencesUrl } from '../../actors/people/preferences-link.ts';
import type { CampaignGuarded } from '../../actors/programs/campaigns/protocol.ts';
import type { ClusterOwners } from '../../actors/runtime/cluster/protocol.ts';
import { clientKeyPurpose, mailPurpose, type Sealer, textSealer } from '../../actors/sealer.ts';
import { openConfirm } from '../../actors/sending/opt-in/confirm-link.ts';
import type { CredentialsMade } from '../../actors/tenants/accounts/credential-mark.ts';
import { carry, type RelayedMessage } from '../../actors/tenants/clients/relay.ts';
import { Router } from '../../engine/actor/router.ts';
import { HmacSha256, hmacRoomBytes } from '../../engine/base/hmac.ts';
import { systemRng } from '../../engine/base/rng.ts';
import type { Log } from '../../engine/observe/log.ts';
import type { Host } from '../../engine/thread/host.ts';
import { systemClock } from '../../engine/time/clock.ts';
import { Ballast } from '../../storage/ballast.ts';
import { readLastBackup } from '../../storage/last-backup.ts';
import { loadBootstrapToken } from '../../storage/secrets.ts';
import { type BounceListener, startBounceListener } from '../bounces/bounce-listener.ts';
import { Admission } from '../call/admission/admit.ts';
import { Authenticator, keyBytes } from '../call/admission/authenticate.ts';
import { CredentialDirectory } from '../call/admission/credential-directory.ts';
import { grantOfKey } from '../call/admission/gate.ts';
import type { StripeAccess } from '../call/call-edge.ts';
import type { Edge } from '../call/edge.ts';
import { fileFetch } from '../call/file-fetch.ts';
import { openStop } from '../call/session/mail-stop.ts';
import { SignInBounds } from '../call/session/sign-in-bounds.ts';
import { SignInMail } from '../call/session/sign-in-mail.ts';
import { dnsLookups } from '../call/txt-lookup.ts';
import { noIngestFigures } from '../ingest/events.ts';
import { LiveHub } from '../live/live-hub.ts';
import { clickBursts } from '../track/click-bursts.ts';
import { openAdminSocket } from './admin-socket.ts';
import { watchClock } from './clock-warnings.ts';
import { memberNames } from './cluster-members.ts';
import type { Config } from './config.ts';
import { type Fronts, makeFronts } from './fronts.ts';
import { LinkNames } from './link-names.ts';
import { MailPreviews } from './mail-previews.ts';
import { type Operations, operations } from './operations.ts';
import { OwnedHere } from './owned-here.ts';
import { OwnerMail } from './owner-mail.ts';
import type { Peers } from './peers.ts';
import { relayCalls } from './relay-calls.ts';
import type { ServerFacts } from './server-metrics.ts';
import {
  mayCallPrivate,
  type SandboxAddresses,
  smtpOf,
  type Threads,
  type Topology,
} from './threads.ts';

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
  const sealer = textSealer(masterKeys);
  const peers = await openPeersOf(config, topology, sealer, log, () => edge);
  const way = wayToActors(config, topology, shards, peers, (notice) => ownerMail.tell(notice));
  const { router, authenticator, credentials } = way;
  const mailMacs = sealer.keysFor(mailPurpose).map((key) => new HmacSha256(key));
  const files = fileFetch(() => openFiles(config));
  const edge: Edge & { readonly router: Router } = {
    config,
    router,
    authenticator,
    admission: new Admission({ ...config, clock: systemClock, onFull: fullTables(log) }),
    clock: systemClock,
    rng: systemRng(),
    log,
    ready: () => ready,
    clockWarnings: () => clock.warnings,
    readRelayCall: relayReader(config, sandbox),
    ...operatorCalls(() => operator),
    fetchFile: (...asked) => files.fetch(...asked),
    ...stripeAccess(config, () => operator),
    ...standIns(config, sandbox),
    ...keyedBy(sealer, mailMacs, config),
    mailPreviews: new MailPreviews(),
    credentials,
    keyGrant: (text, who) => grantOfKey(edge, text, who),
    mailSignInLink: (email, place) => signInMail.request(email, place),
    openLive: (ask) => live.open(edge, ask),
  };
  const live = new LiveHub(log, authenticator);
  const signInMail = new SignInMail(edge, log, {
    ...{ open: () => openMailer(config, sandbox), sealer, mac: mailMacs[0] },
    ...{ bounds: boundsOf(config), count: (result) => operator.countSignInMail(result) },
  });
  const ownerMail = new OwnerMail(edge, log, () => openMailer(config, sandbox));
  await Promise.all([...shards, ...dispatchers].map((host) => host.ready));
  await loadCredentials(credentials, router, config, log);
  const clock = await watchClock(router);
  let front: Fronts | undefined;
  const ingest = noIngestFigures();
  const shown = () => front ?? { kind: 'none', inFlight: 0 };
  const operator = operations(edge, dispatchers, ingest, shown, factsOf(config));
  const server = (front = await makeFronts(config, edge, ingest, operator, peers?.forwarding));
  const { metricsPort, port } = await listen(config, operator, peers, server);
  const bounces = await listenForBounces(config, sandbox, edge, mailMacs);
  const admin = await openAdmin(edge, masterKeys.keyIds);
  ready = true;
  const linkNames = startLinkNames(edge, topology, ownerMail);
  logReady(config, log, topology, server);
  const stopAll = async () => {
    threads.stopping();
    clock.stop();
    ready = false;
    await bounces?.close();
    // In parallel: the socket may wait for a copy.
    await Promise.all([admin?.close(), stop(server, router, shards, dispatchers, log)]);
    operator.close();
    await Promise.all([signInMail.close(), ownerMail.close(), files.close(), linkNames?.stop()]);
    await peers?.close();
    await threads.release();
  };
  const warnings = [...server.warnings, ...clock.warnings.map(({ message }) => message)];
  return { edge, port, metricsPort, warnings, stop: stopAll };
}

/** The public port last: who reaches it finds everything there. */
async function listen(
  config: Config,
  operator: Operations,
  peers: Peers | undefined,
  server: Fronts,
): Promise<Pick<Engine, 'metricsPort' | 'port'>> {
  peers?.serve(server.served);
  const metricsPort = await operator.listen(config.metricsPort);
  await peers?.listen();
  return { metricsPort, port: await server.listen() };
}

function startLinkNames(
  edge: Edge,
  { partitions }: Topology,
  owners: OwnerMail,
): LinkNames | undefined {
  const { linkHost: host } = edge.config;
  if (host === undefined) return undefined;
  const names = new LinkNames(edge, { host, partitions }, (notice) => owners.tell(notice));
  names.start();
  return names;
}

/** What routes ask of what is made after them. */
function operatorCalls(operator: () => ReturnType<typeof operations>) {
  return {
    countCallbacks: (...told) => operator().countCallbacks(...told),
    countRelayRefusal: (...told) => operator().countRelayRefusal(...told),
    countDuplicates: (...told) => operator().countDuplicates(...told),
    checkCredential: (ask) => operator().checkCredential(ask),
    tryRelay: (ask) => operator().tryRelay(ask),
    registerWebhook: (ask) => operator().registerWebhook(ask),
  } satisfies Partial<Edge>;
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

function factsOf({ dataDir, cluster, partitions }: Config): ServerFacts {
  const restarts = process.env['ENGINE_RESTARTS'];
  const ballast = new Ballast(dataDir);
  return {
    dataDir,
    restarts,
    lastBackup: () => readLastBackup(dataDir),
    ballastBytes: () => ballast.bytes,
    ...(cluster === undefined ? {} : { clusterPartitions: partitions }),
  };
}

/** For files that callers name by their address; loaded with the first. */
async function openFiles({ allowPrivateNetworks }: Config): Promise<Outbound> {
  const { createOutbound } = await import('../../actors/channels/outbound/outbound.ts');
  const wireBytesMax = mailLimits.attachmentBytesMax + 1_048_576;
  return createOutbound({ allowPrivateNetworks, wireBytesMax, connectionsMax: 4 });
}

type KeyedByServer =
  | 'clientKeyBytes'
  | 'openConfirm'
  | 'openMailStop'
  | 'openPreferences'
  | 'preferencesPath'
  | 'openUnsubscribe'
  | 'placeOf'
  | 'readTracked'
  | 'isBurst'
  | 'dmarcAddress';

/** What only this server can read or derive, by its master keys. */
function keyedBy(
  sealer: Sealer,
  macs: readonly HmacSha256[],
  { bounceDomain }: Pick<Config, 'bounceDomain'>,
): Pick<Edge, KeyedByServer> {
  const [mac] = macs;
  return {
    openUnsubscribe: (token) => openUnsubscribe(sealer, token),
    openConfirm: (token) => openConfirm(sealer, token),
    openPreferences: (token) => openPreferences(sealer, token),
    preferencesPath: (link) => preferencesUrl('', sealer, link, systemRng()),
    readTracked: (token) => readTracked(token, macs),
    dmarcAddress: (app, domain) =>
      bounceDomain === undefined || mac === undefined
        ? null
        : dmarcAddress(app, domain, bounceDomain, mac),
    isBurst: clickBursts(() => systemClock.monotonic()),
    openMailStop: (token) => openStop(sealer, token),
    placeOf: (address) => placeOf(macs, address),
    clientKeyBytes: (name) => clientKeyBytes(sealer, name),
  };
}

/** Reads calls of mail services. */
function relayReader(config: Config, sandbox: SandboxAddresses | undefined) {
  const urls = { ...sandbox?.providerUrls, ...config.providerUrls };
  return relayCalls(systemClock, mayCallPrivate(config), urls);
}

/** What a sandbox serves in place of the world. */
function standIns(
  { dnsServers }: Config,
  sandbox: SandboxAddresses | undefined,
): Pick<Edge, 'inboxUrl' | 'lookUpCname' | 'lookUpTxt'> {
  return {
    ...(sandbox === undefined ? {} : { inboxUrl: sandbox.url }),
    ...dnsLookups({ servers: dnsServers ?? sandbox?.dnsServers }),
  };
}

function boundsOf({ signInMailsPerHour, clientsShare }: Config): SignInBounds {
  return new SignInBounds(signInMailsPerHour, clientsShare);
}

function placeOf([mac]: readonly HmacSha256[], address: string): string {
  const room = Buffer.alloc(hmacRoomBytes + Buffer.byteLength(address) + 6);
  room.write(`place ${address}`, hmacRoomBytes);
  return mac === undefined ? '' : mac.sign(room, 'base64').slice(0, 22);
}

/** One for each master key, the current one first. */
function clientKeyBytes(sealer: Sealer, name: string): readonly Uint8Array[] {
  return sealer
    .keysFor(clientKeyPurpose)
    .map((key) => createHmac('sha512', key).update(name).digest().subarray(0, keyBytes));
}

/**
 * Without a partition's credentials each costs a look-up, of which an address has only some. Those
 * of a cluster's partitions are loaded when the partitions come.
 */
async function loadCredentials(
  credentials: CredentialDirectory,
  router: Router,
  { cluster, partitions }: Config,
  log: Log,
): Promise<void> {
  if (cluster !== undefined) return;
  const failed = await credentials.load(router, partitions);
  if (failed > 0)
    log.warn(
      { evt: 'credentials.partial', partitions: failed },
      'partitions did not say which credentials they have',
    );
}

function fullTables(log: Log): (limit: string) => void {
  return (limit) =>
    log.warn(
      { evt: 'addresses.full', reason: limit },
      'so many addresses call at once that new addresses share rate-limit counters',
    );
}

/** Nothing of it is loaded for a server that is alone. */
async function openPeersOf(
  { cluster, dataDir, publicUrl }: Config,
  topology: Topology,
  sealer: Sealer,
  log: Log,
  edge: () => Edge & { readonly router: Router },
): Promise<Peers | undefined> {
  if (cluster === undefined) return undefined;
  const [{ openPeers }, { createPeerClient }, { partitionStream }, { filesDirWith }] =
    await Promise.all([
      import('./peers.ts'),
      import('../../storage/peers/peer-client.ts'),
      import('../../storage/peers/copy-stream.ts'),
      import('../../actors/runtime/cluster/own-files.ts'),
    ]);
  const copy = async (partition: number) =>
    partitionStream(filesDirWith(dataDir, topology.shards, partition), partition);
  const members = memberNames(cluster, topology);
  const storage = { createPeerClient, copy };
  const { partitions } = topology;
  const router = () => edge().router;
  return openPeers({
    ...{ cluster, members, partitions, publicUrl, sealer, log, router, edge, storage },
  });
}

/** The router to the shards, and the authenticator that it notifies of changed keys. */
function wayToActors(
  config: Config,
  { partitions }: Topology,
  shards: readonly Host[],
  peers: Peers | undefined,
  tellOwners: (notice: IntegrationDisabled | CampaignGuarded) => void,
): {
  readonly router: Router;
  readonly authenticator: Authenticator;
  readonly credentials: CredentialDirectory;
} {
  const credentials = new CredentialDirectory();
  const router = new Router({
    partitions,
    shards: shards.map((host) => host.port),
    clock: systemClock,
    ...(peers === undefined ? {} : { places: peers.places }),
    onNotice: (message) => {
      if (message.kind === 'directory.changed') {
        authenticator.drop((message as unknown as { keyIds: readonly string[] }).keyIds);
      } else if (message.kind === 'cluster.owners') {
        peers?.owners.hear(message as ClusterOwners);
        owned.hear(message as ClusterOwners);
      } else if (message.kind === 'credentials.made') credentials.add(message as CredentialsMade);
      else if (message.kind === 'relay') carry(router, message as RelayedMessage);
      else if (message.kind === 'integration.disabled') tellOwners(message as IntegrationDisabled);
      else if (message.kind === 'campaign.guarded') tellOwners(message as CampaignGuarded);
    },
  });
  // Owners come and go, and with them what this front may keep of their partitions.
  const owned = new OwnedHere({
    onGained: (partition) => void credentials.loadFrom(router, partition),
    onLost: (partition) => authenticator.dropOf((slot) => slot % partitions === partition),
  });
  const token = loadBootstrapToken({
    env: { ENGAGE_BOOTSTRAP_TOKEN: config.bootstrapToken },
    dataDir: config.dataDir,
  });
  const authenticator = new Authenticator({
    router: () => router,
    clock: systemClock,
    directory: credentials,
    bootstrapToken: token.value,
  });
  return { router, authenticator, credentials };
}

/** The code for mail is loaded with the first one. */
async function openMailer(config: Config, sandbox: SandboxAddresses | undefined) {
  const smtp = smtpOf(config, sandbox);
  if (smtp === undefined || config.mailFrom === undefined) return undefined;
  const { openPlatformMailer } = await import('../../actors/channels/email/platform-mail.ts');
  return openPlatformMailer(smtp, config.publicUrl, config.mailFrom);
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
        const { readStripeEvent } = await import('../../actors/tenants/billing/stripe/event.ts');
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
