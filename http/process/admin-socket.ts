// The operator's access to a running server, for `engage backup`, `check`, `clock`, `cluster`,
// `keys`, `dashboard-link` and `resume`: a unix socket in the data directory, mode 0600, with lines
// of JSON. Copies run in libuv's pool, checks in a child process. One such command runs at a time.

import { isAbsolute } from 'node:path';
import { limits } from '../../actors/limits.ts';
import type { PartitionReport } from '../../actors/runtime/check/protocol.ts';
import { runCheck } from '../../actors/runtime/check/run.ts';
import type {
  ClusterFigures,
  ClusterRequest,
  DrainRequest,
} from '../../actors/runtime/cluster/protocol.ts';
import type { HeldApp } from '../../actors/runtime/held.ts';
import type { ClockFigures, ShardFigures } from '../../actors/runtime/protocol.ts';
import type { SecretsSurvey } from '../../actors/runtime/rewrap.ts';
import type { Message } from '../../engine/actor/message.ts';
import { type CopiedPartition, copyPartition } from '../../storage/backup.ts';
import { PartitionReader } from '../../storage/reader.ts';
import type { Edge } from '../call/edge.ts';
import { membershipsOf } from '../call/session/memberships.ts';
import { makeSignInLink } from '../call/session/sign-in-mail.ts';
import { adminAddress } from './admin-address.ts';
import { type LineJob, type LineServer, type PerformLine, serveLines } from './admin-lines.ts';
import { clockFigures } from './clock-warnings.ts';

/** `into` is an existing, absolute directory that the server may write to. */
export type AdminRequest =
  | { readonly command: 'figures' }
  | { readonly command: 'backup'; readonly into: string }
  | { readonly command: 'check' }
  | { readonly command: 'clock' }
  | { readonly command: 'cluster' }
  | { readonly command: 'cluster.drain'; readonly isDraining: boolean }
  | { readonly command: 'dashboard.link'; readonly email: string; readonly org?: string }
  | { readonly command: 'clock.accept' }
  | { readonly command: 'held' }
  | { readonly command: 'held.release'; readonly campaigns: boolean; readonly app?: string }
  | { readonly command: 'keys' }
  | { readonly command: 'keys.rewrap' };

export interface AdminResults {
  readonly figures: { readonly mode: string; readonly shards: readonly ShardFigures[] };
  /** The copies are durable. The client verifies them and writes the manifest. */
  readonly backup: {
    readonly cutAt: string;
    readonly masterKeyIds: readonly string[];
    readonly partitions: readonly CopiedPartition[];
  };
  readonly check: { readonly reports: readonly PartitionReport[] };
  readonly clock: ClockState;
  /** As each shard thread of this server sees it. */
  readonly cluster: ClusterState;
  readonly 'cluster.drain': ClusterState;
  /** As it was before. */
  readonly 'clock.accept': ClockState;
  readonly 'dashboard.link': {
    readonly url: string;
    readonly orgName: string;
    readonly expiresAt: string;
  };
  /** Apps of which something waits since a restore. */
  readonly held: readonly HeldApp[];
  readonly 'held.release': {
    readonly apps: number;
    readonly journeys: number;
    readonly campaigns: number;
    /** Sentences about what could not go on. */
    readonly problems: readonly string[];
  };
  readonly keys: KeysInUse;
  readonly 'keys.rewrap': {
    readonly apps: number;
    readonly rewrapped: number;
    /** Sentences about apps with a value that cannot be decrypted. */
    readonly problems: readonly string[];
  };
}

/** Of the server's clock, and of the worst partition's data. */
export interface ClockState extends ClockFigures {
  readonly now: string;
}

export interface ClusterState {
  readonly partitions: number;
  readonly members: readonly ClusterFigures[];
}

/** Master keys, and which values each encrypts. */
export interface KeysInUse {
  /** Ids of the configured keys, the sealing one first. */
  readonly configured: readonly string[];
  readonly sealed: readonly { readonly keyId: string; readonly count: number }[];
  /** Apps with a value that another key than the sealing one encrypts. */
  readonly staleApps: number;
}

interface AdminOptions {
  readonly edge: Edge;
  readonly masterKeyIds: readonly string[];
}

/** They take no time, so they wait for no other. */
const light: ReadonlySet<AdminRequest['command']> = new Set([
  'figures',
  'dashboard.link',
  'held',
  'keys',
  'clock',
  'clock.accept',
  'cluster',
  'cluster.drain',
]);

const rewrapsAtOnce = 16;

interface Job extends LineJob {
  readonly options: AdminOptions;
}

/** Requires the data directory's lock: an existing socket then belongs to a dead process. */
export async function openAdminSocket(options: AdminOptions): Promise<LineServer> {
  const address = adminAddress(options.edge.config.dataDir);
  let busyWith: string | undefined;
  const perform: PerformLine = async (asked, job) => {
    const request = requestOf(asked);
    if (light.has(request.command)) return performOne(request, { ...job, options });
    if (busyWith !== undefined)
      throw new Error(
        `the server is already running another ${busyWith}; try again when it finishes.`,
      );
    busyWith = request.command;
    try {
      return await performOne(request, { ...job, options });
    } finally {
      busyWith = undefined;
    }
  };
  try {
    const server = await serveLines(address.path, perform);
    return {
      async close() {
        await server.close();
        address.release();
      },
    };
  } catch (error) {
    address.release();
    throw error;
  }
}

function requestOf(asked: unknown): AdminRequest {
  const request = typeof asked === 'object' && asked !== null ? asked : {};
  const { command, into, campaigns, app, email, org, isDraining } = request as Partial<
    Record<string, unknown>
  >;
  if (typeof command !== 'string' || !Object.hasOwn(performers, command))
    throw new Error(`this server has no command ${JSON.stringify(command ?? null)}.`);
  if (command === 'held.release')
    return {
      command,
      campaigns: campaigns === true,
      ...(typeof app === 'string' ? { app } : {}),
    };
  if (command === 'dashboard.link')
    return { command, email: String(email), ...(typeof org === 'string' ? { org } : {}) };
  if (command === 'cluster.drain') return { command, isDraining: isDraining === true };
  if (command !== 'backup') return { command } as AdminRequest;
  if (typeof into !== 'string' || !isAbsolute(into))
    throw new Error('backup: `into` must be the absolute path of a directory.');
  return { command, into };
}

type Performers = {
  readonly [C in AdminRequest['command']]: (
    request: Extract<AdminRequest, { command: C }>,
    job: Job,
  ) => Promise<AdminResults[C]>;
};

const performers: Performers = {
  async figures(_request, { options: { edge } }) {
    const shards: ShardFigures[] = [];
    for (let shard = 0; shard < edge.router.shardCount; shard++) {
      const answer = await edge.router.askShard(shard, { kind: 'thread.figures' });
      if (!answer.ok) throw new Error(answer.fault.message);
      shards.push(answer.value as ShardFigures);
    }
    return { mode: edge.config.mode, shards };
  },

  async backup({ into }, { options, signal, progress }) {
    const { dataDir, partitions } = options.edge.config;
    const cutAt = new Date(options.edge.clock.now()).toISOString();
    const copied: CopiedPartition[] = [];
    for (let partition = 0; partition < partitions; partition++) {
      progress(`copying partition ${partition + 1} of ${partitions}`);
      copied.push(await copyPartition(dataDir, partition, into));
      if (signal.aborted) throw new Error('the client that asked for the backup disconnected.');
    }
    return { cutAt, masterKeyIds: options.masterKeyIds, partitions: copied };
  },

  async check(_request, { options, signal, progress }) {
    const { dataDir, partitions } = options.edge.config;
    const all = Array.from({ length: partitions }, (_, index) => index);
    const reports = await runCheck(
      { dataDir, partitions: all, level: 'all' },
      { signal, onProgress: (partition, what) => progress(`partition ${partition}: ${what}`) },
    );
    // A dead reader keeps its slot in LMDB's table, and old pages, until someone reopens the files.
    for (const { partition } of reports.filter(({ bytes }) => bytes === 0))
      await new PartitionReader({ dataDir, partition }).close();
    return { reports };
  },

  clock: (_request, { options }) => clockState(options, false),

  'clock.accept': (_request, { options }) => clockState(options, true),

  cluster: (_request, { options }) => askMembers(options, { kind: 'thread.cluster' }),

  'cluster.drain': ({ isDraining }, { options }) =>
    askMembers(options, { kind: 'thread.drain', isDraining }),

  'dashboard.link': ({ email, org }, { options }) => signInLink(options.edge, email, org),

  held: (_request, { options }) => heldApps(options.edge),

  async 'held.release'({ campaigns: withCampaigns, app }, { options: { edge }, signal, progress }) {
    const problems: string[] = [];
    const counts = { apps: 0, journeys: 0, campaigns: 0 };
    const by = -1;
    const tell = async (ordinal: number, message: HeldMessage) => {
      const answer = await edge.router.ask(ordinal, message, { lane: 'bulk' });
      if (!answer.ok && answer.fault.code !== 'not_found') problems.push(answer.fault.message);
      return answer.ok;
    };
    const apps = (await heldApps(edge)).filter(({ id }) => app === undefined || id === app);
    for (const { ordinal, journeys, campaigns } of apps) {
      if (signal.aborted) break;
      if (journeys.length > 0 && (await tell(ordinal, { kind: 'journeys.release', by })))
        counts.journeys += journeys.length;
      for (const { id } of withCampaigns ? campaigns : [])
        if (await tell(ordinal, { kind: 'campaign.resume', by, id })) counts.campaigns++;
      counts.apps++;
      progress(`${counts.apps} of ${apps.length} apps`);
    }
    return { ...counts, problems };
  },

  async keys(_request, { options }) {
    const surveys = await surveyAll(options.edge);
    const sealed = new Map<string, number>();
    for (const { keys } of surveys)
      for (const { keyId, count } of keys) sealed.set(keyId, (sealed.get(keyId) ?? 0) + count);
    return {
      configured: options.masterKeyIds,
      sealed: [...sealed].map(([keyId, count]) => ({ keyId, count })),
      staleApps: surveys.reduce((sum, { stale }) => sum + stale.length, 0),
    };
  },

  async 'keys.rewrap'(_request, { options: { edge }, signal, progress }) {
    const stale = (await surveyAll(edge)).flatMap((survey) => survey.stale);
    const problems: string[] = [];
    let apps = 0;
    let rewrapped = 0;
    for (let at = 0; at < stale.length && !signal.aborted; at += rewrapsAtOnce) {
      const slice = stale.slice(at, at + rewrapsAtOnce);
      const message = { kind: 'secrets.rewrap', by: -1 } as Message;
      const answers = await Promise.all(
        slice.map((app) => edge.router.ask(app, message, { lane: 'bulk' })),
      );
      for (const answer of answers) {
        if (answer.ok) {
          apps++;
          rewrapped += (answer.value as { readonly rewrapped: number }).rewrapped;
        } else if (answer.fault.code !== 'not_found') problems.push(answer.fault.message);
      }
      progress(`${Math.min(at + rewrapsAtOnce, stale.length)} of ${stale.length} apps`);
    }
    return { apps, rewrapped, problems };
  },
};

async function clockState({ edge }: AdminOptions, accept: boolean): Promise<ClockState> {
  const now = new Date(edge.clock.now()).toISOString();
  return { now, ...(await clockFigures(edge.router, accept)) };
}

async function askMembers(
  { edge: { config, router } }: AdminOptions,
  message: ClusterRequest | DrainRequest,
): Promise<ClusterState> {
  const members: ClusterFigures[] = [];
  for (let shard = 0; shard < router.shardCount; shard++) {
    const answer = await router.askShard(shard, message);
    if (!answer.ok) throw new Error(answer.fault.message);
    if (answer.value === undefined)
      throw new Error('this server is part of no cluster: ENGAGE_CLUSTER is not set.');
    members.push(answer.value as ClusterFigures);
  }
  return { partitions: config.partitions, members };
}

/** For a member who gets no mail. */
async function signInLink(
  edge: Edge,
  email: string,
  orgId: string | undefined,
): Promise<AdminResults['dashboard.link']> {
  const made = await makeSignInLink(edge, email, 'link', orgId);
  if (made !== undefined) {
    const { url, orgName, expiresMs } = made;
    return { url, orgName, expiresAt: new Date(expiresMs).toISOString() };
  }
  const memberships = await membershipsOf(edge, email);
  const isMember = memberships.some((one) => orgId === undefined || one.orgId === orgId);
  throw new Error(
    isMember
      ? `${email} has had ${limits.signInLinksPerHour} links within an hour; wait, or use one of them.`
      : `${email} is not a member${orgId === undefined ? '' : ` of ${orgId}`}; add the address with POST /v1/org/members.`,
  );
}

function performOne(request: AdminRequest, job: Job): Promise<unknown> {
  const performer = performers[request.command] as (
    request: AdminRequest,
    job: Job,
  ) => Promise<unknown>;
  return performer(request, job);
}

/** Of an app, from nobody's key. */
type HeldMessage = Message & {
  readonly kind: 'journeys.release' | 'campaign.resume';
  readonly by: -1;
  readonly id?: string;
};

async function heldApps(edge: Edge): Promise<HeldApp[]> {
  return (await askPartitions<readonly HeldApp[]>(edge, 'held.survey')).flat();
}

/** Every partition's sealed values. */
function surveyAll(edge: Edge): Promise<SecretsSurvey[]> {
  return askPartitions(edge, 'secrets.survey');
}

/** A partition is asked through one of its slots. */
async function askPartitions<T>(edge: Edge, kind: string): Promise<T[]> {
  const message = { kind, by: -1 } as Message;
  const slots = Array.from({ length: edge.config.partitions }, (_, partition) => partition);
  const answers = await Promise.all(slots.map((slot) => edge.router.ask(slot, message)));
  return answers.map((answer) => {
    if (!answer.ok) throw new Error(answer.fault.message);
    return answer.value as T;
  });
}
