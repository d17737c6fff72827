// The first half of an engine's start: lock, master keys, shard and dispatch threads. It imports
// little, so the threads load and open their stores while this thread still loads the front.

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { MessageChannel } from 'node:worker_threads';
import type { ProviderConfig, SmtpConfig } from '../../actors/channels/port/provider-config.ts';
import type { ShardData } from '../../actors/runtime/protocol.ts';
import type { DispatchData } from '../../actors/sending/dispatch/protocol.ts';
import type { SenderRules } from '../../actors/tenants/accounts/sender.ts';
import {
  commitFailedExitCode,
  configurationExitCode,
  type RestartReason,
} from '../../engine/cluster/primary.ts';
import { planTopology } from '../../engine/cluster/topology.ts';
import { createLog, type Log } from '../../engine/observe/log.ts';
import { type Host, threadHost } from '../../engine/thread/host.ts';
import { sharedHoldsBytes } from '../../engine/thread/shared-holds.ts';
import { sharedPacesBytes } from '../../engine/thread/shared-paces.ts';
import { lockDataDirectory } from '../../storage/lock.ts';
import { loadMasterKeys } from '../../storage/secrets.ts';
import { clusterMembers } from './cluster-members.ts';
import type { Config } from './config.ts';

export interface SandboxAddresses {
  /** Its inbox page. */
  readonly url: string;
  readonly smtpUrl: string;
  readonly webPushUrl: string;
  readonly providerUrls: Readonly<Record<string, string>>;
  /** Its resolver, as `127.0.0.1:<port>`. */
  readonly dnsServers?: readonly string[];
  /** Where its mail server expects our bounce listener. */
  readonly bouncePort?: number;
}

export type Topology = ReturnType<typeof planTopology>;

export interface Threads {
  readonly log: Log;
  readonly topology: Topology;
  readonly shards: readonly Host[];
  readonly dispatchers: readonly Host[];
  readonly masterKeys: ReturnType<typeof loadMasterKeys>['value'];
  /** Whether this start created the data directory. */
  readonly fresh: boolean;
  /** From now on, a thread that exits does not end the process. */
  stopping(): void;
  /** Releases the data directory. After the threads have ended. */
  release(): Promise<void>;
}

/** Throws a one-sentence error for what cannot work. The threads may not be ready yet. */
export async function startThreads(
  config: Config,
  sandbox: SandboxAddresses | undefined,
): Promise<Threads> {
  const { dataDir } = config;
  const log = createLog({ level: config.logLevel, thread: 'front' });
  const lock = await lockDataDirectory(dataDir);
  const fresh = !existsSync(join(dataDir, 'partitions'));
  const master = loadMasterKeys({ env: { ENGAGE_MASTER_KEY: config.masterKey }, dataDir });
  const topology = planTopology(config);
  let isStopping = false;
  const die = exitWithThread(log, () => isStopping);
  const providers = providersOf(config, sandbox);
  const dnsServers = config.dnsServers ?? sandbox?.dnsServers;
  return {
    log,
    topology,
    ...hostsOf(config, { providers, dnsServers }, topology, die),
    masterKeys: master.value,
    fresh,
    stopping() {
      isStopping = true;
    },
    release: () => lock.release(),
  };
}

/** Ends this process when a thread exits, unless the engine is stopping. */
function exitWithThread(log: Log, isStopping: () => boolean): (reason: string) => void {
  return (reason) => {
    if (isStopping()) return;
    log.fatal(
      { evt: 'engine.thread_ended', reason },
      'a thread exited unexpectedly; this process exits too',
    );
    const isCommit = reason.endsWith(`exit code ${commitFailedExitCode}`);
    const why: RestartReason = isCommit ? 'commit_failed' : 'thread_ended';
    process.send?.({ kind: 'dying', reason: why });
    process.exit(70);
  };
}

/** The primary does not start it again: the next start would find the same. */
function endWithSentence(sentence: string): never {
  process.stderr.write(`engage: ${sentence}\n`);
  process.exit(configurationExitCode);
}

/** What threads reach outside of the machine. */
interface Outside {
  readonly providers: ProviderConfig;
  readonly dnsServers: readonly string[] | undefined;
}

function hostsOf(
  config: Config,
  { providers, dnsServers }: Outside,
  topology: Topology,
  die: (reason: string) => void,
): { readonly shards: Host[]; readonly dispatchers: Host[] } {
  const links = Array.from({ length: topology.shards }, () =>
    Array.from({ length: topology.dispatchers }, () => new MessageChannel()),
  );
  const extension = import.meta.url.endsWith('.ts') ? 'ts' : 'js';

  // One checkpoint at a time in the process: they need CPU and disk, and are not urgent.
  const checkpointGate = new SharedArrayBuffer(4);
  const recalls = new SharedArrayBuffer(4 * topology.shards);
  const holds = new SharedArrayBuffer(sharedHoldsBytes);
  const paces = new SharedArrayBuffer(sharedPacesBytes);
  const clockAgreed = new SharedArrayBuffer(4);
  const members = clusterMembers(config.cluster, topology);
  const shards = links.map((channels, index) =>
    threadHost<ShardData>({
      name: `shard-${index}`,
      entry: new URL(`../../actors/runtime/host-entry.${extension}`, import.meta.url),
      ports: channels.map(({ port1 }) => port1),
      onExit: (reason) => die(`shard-${index}: ${reason}`),
      onCannotStart: endWithSentence,
      data: {
        index,
        shards: topology.shards,
        partitions: topology.partitions,
        dispatchers: topology.dispatchers,
        campaignDispatchers: topology.campaignDispatchers,
        checkpointGate,
        recalls,
        paces,
        clockAgreed,
        hasRelay: providers.smtp !== undefined,
        cluster: members?.dataOf(index),
        ...shardSettings(config),
      },
    }),
  );
  const dispatchers = Array.from({ length: topology.dispatchers }, (_, index) =>
    threadHost<DispatchData>({
      name: `dispatch-${index}`,
      entry: new URL(`../../actors/runtime/dispatch-entry.${extension}`, import.meta.url),
      ports: links.map((channels) => (channels[index] as MessageChannel).port2),
      onExit: (reason) => die(`dispatch-${index}: ${reason}`),
      data: {
        index,
        providers,
        ...stripeOf(config, providers),
        allowPrivateNetworks: mayCallPrivate(config),
        clockAgreed,
        logLevel: config.logLevel,
        dataDir: config.dataDir,
        masterKey: config.masterKey,
        publicUrl: config.publicUrl,
        ...(dnsServers === undefined ? {} : { dnsServers }),
        recalls,
        holds,
        paces,
        ...(members && { leases: members.leases }),
      },
    }),
  );
  return { shards, dispatchers };
}

/** Whether tenants may have this server call addresses of its own network. */
export function mayCallPrivate({ mode, allowPrivateNetworks }: Config): boolean {
  return mode === 'sandbox' || allowPrivateNetworks;
}

/** What the operator has set, the same for every shard. */
function shardSettings(config: Config) {
  const isLive = config.mode === 'live';
  return {
    dataDir: config.dataDir,
    erasuresDir: config.erasuresDir,
    backupDays: config.backupDays,
    masterKey: config.masterKey,
    clockSources: config.clockSources,
    hasBallast: isLive,
    unvouchedAlarmPercent: config.unvouchedAlarmPercent,
    publicUrl: config.publicUrl,
    logLevel: config.logLevel,
    credentialsRequired: isLive,
    charges: config.stripe !== undefined,
    senders: sendersOf(config),
    newOrgQuotaBytes: config.newOrgQuotaBytes,
    clientsShare: config.clientsShare,
    allowHttpEndpoints: !isLive || config.allowPrivateNetworks,
  };
}

/** Mail of the sandbox stays on the machine, so its senders need no proof. */
function sendersOf({ mode, emailDomains, platformDomain, mailFrom }: Config): SenderRules {
  return {
    proofRequired: mode === 'live' && !emailDomains.includes('*'),
    vouched: emailDomains,
    ...(platformDomain === undefined ? {} : { platformDomain }),
    ...(mailFrom === undefined ? {} : { platformSender: mailFrom }),
  };
}

function stripeOf(
  { stripe }: Config,
  { urls }: { readonly urls: Readonly<Record<string, string>> },
): Pick<DispatchData, 'stripe'> {
  if (stripe === undefined) return {};
  const url = urls['STRIPE'];
  return { stripe: { secretKey: stripe.secretKey, ...(url === undefined ? {} : { url }) } };
}

/** The operator's settings win; in sandbox mode the stand-ins fill in the rest. */
function providerUrlsOf(
  { providerUrls }: Pick<Config, 'providerUrls'>,
  sandbox: SandboxAddresses | undefined,
): ProviderConfig['urls'] {
  return { ...sandbox?.providerUrls, ...providerUrls };
}

function providersOf(config: Config, sandbox: SandboxAddresses | undefined): ProviderConfig {
  const smtp = smtpOf(config, sandbox);
  return {
    mode: config.mode,
    urls: providerUrlsOf(config, sandbox),
    ...(sandbox === undefined ? {} : { webPushUrl: sandbox.webPushUrl }),
    ...(smtp && { smtp }),
    vapidSubject: config.vapidSubject,
    ...(config.whatsappVersion === undefined ? {} : { whatsappVersion: config.whatsappVersion }),
    publicUrl: config.publicUrl,
    ...(config.bounceDomain === undefined ? {} : { bounceDomain: config.bounceDomain }),
    ...(config.linkHost === undefined ? {} : { linkHosts: true }),
  };
}

/** The mail relay, if there is one. */
export function smtpOf(
  { dkim, smtpUrl }: Pick<Config, 'dkim' | 'smtpUrl'>,
  sandbox: SandboxAddresses | undefined,
): SmtpConfig | undefined {
  const url = smtpUrl ?? sandbox?.smtpUrl;
  if (url === undefined) return undefined;
  if (dkim === undefined) return { url };
  const { domain, selector, keyFile } = dkim;
  return { url, dkim: { domain, selector, privateKey: readFileSync(keyFile, 'utf8') } };
}
