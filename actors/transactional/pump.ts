// Starts what can start: takes due targets of the channels that have room, re-checks each against the state of this
// very turn, and commits them as started before a dispatcher sees them. So no attempt starts after a suppression
// committed, and a crash knows by name what was in flight.

import type { PumpContext } from '../../engine/actor/machine.ts';
import type { DocumentWrite, Effect, Entry } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { hash32 } from '../../engine/base/hash.ts';
import { type SendRow, sends } from '../../storage/tables/send.ts';
import { type DeviceRow, subscribers } from '../../storage/tables/subscriber.ts';
import { identityKey } from '../audience/identity.ts';
import type { Attempt, RenderedContent } from '../channels/adapter.ts';
import { type ChannelId, catalog } from '../channels/catalog.ts';
import { credentialPlace, type Sealer } from '../sealer.ts';
import type { AppState } from '../state.ts';
import type { ChannelQueue, Job, Target } from './outbox.ts';
import type { DispatchGrant, Settlement, TransactionalEntry } from './protocol.ts';
import { SettlementBatch, startable } from './report.ts';
import { sendKey } from './send-key.ts';

export interface DispatchPlan {
  readonly partition: number;
  readonly dispatchers: number;
  /** Channels that an adapter exists for. */
  readonly available: ReadonlySet<ChannelId>;
  /** Stand-ins need no credentials. */
  readonly credentialsRequired: boolean;
  /** The signed address that unsubscribes `address` from an app. */
  unsubscribeUrl(app: Ordinal, address: string, rng: PumpContext['rng']): string;
}

export interface PumpedApp {
  readonly entries: readonly Entry[];
  readonly documents: readonly (DocumentWrite & { readonly owner: Ordinal })[];
  readonly effects: readonly Effect[];
  readonly taken: number;
}

/** The content of a send row: a plain form for most channels and HTML for email. */
export interface SendContent {
  readonly plain: RenderedContent;
  readonly email?: RenderedContent;
}

/** Opened credentials, kept by what identifies them; never written anywhere. */
export type CredentialCache = Map<string, unknown>;

/** Starts at most `budget` targets of one app. Only reads; the runtime performs what comes back. */
export function pumpApp(
  app: AppState,
  plan: DispatchPlan,
  sealer: Sealer,
  cache: CredentialCache,
  context: PumpContext,
  budget: number,
): PumpedApp | undefined {
  const owner = app.record.ordinal;
  const settled = new SettlementBatch(app, {
    owner,
    nowMs: context.nowMs,
    rng: context.rng,
    documents: context.documentsOf(owner),
  });
  const started: Entry[] = [];
  const effects: Effect[] = [];
  let taken = 0;
  for (const queue of app.outbox.channels.values()) {
    const room = Math.min(startable(queue, context.nowMs), budget - taken);
    if (room <= 0 || queue.head === queue.ready.length) continue;
    const credentials = openCredentials(app, queue.channel, plan, sealer, cache);
    const looked = startChannel(app, queue, credentials, plan, settled, context, room);
    taken += looked.taken;
    if (looked.attempts.length === 0) continue;
    started.push({
      kind: 'attempts.started',
      owner,
      channel: queue.channel,
      atMs: context.nowMs,
      items: looked.items,
    } as TransactionalEntry);
    effects.push(grantOf(app, queue.channel, credentials, looked.attempts, plan));
  }
  if (taken === 0) return undefined;
  const documents = settled.documents().map((write) => ({ ...write, owner }));
  return { entries: [...settled.entries(null), ...started], documents, effects, taken };
}

interface Looked {
  /** Due targets that were looked at, started or settled. */
  readonly taken: number;
  readonly items: readonly (readonly [string, number])[];
  readonly attempts: DispatchGrant['attempts'];
}

/** Looks at no more than `room` due targets of a channel: each is settled at once, or becomes an attempt. */
function startChannel(
  app: AppState,
  queue: ChannelQueue,
  credentials: unknown,
  plan: DispatchPlan,
  settled: SettlementBatch,
  context: PumpContext,
  room: number,
): Looked {
  const owner = app.record.ordinal;
  const reader = context.documentsOf(owner);
  const items: [string, number][] = [];
  const attempts: { target: number; attempt: Attempt }[] = [];
  let taken = 0;
  for (let place = queue.head; place < queue.ready.length && taken < room; place++) {
    const due = app.outbox.dueAt(queue, place);
    if (due === undefined) continue;
    taken++;
    const { job, index } = due;
    const target = job.targets[index] as Target;
    const person = reader.get(subscribers, [job.person]);
    const device = person?.devices.find((one) => one.id === target.deviceId);
    const verdict = check(app, job, target, device, credentials === notConfigured, context.nowMs);
    if (verdict !== undefined) {
      settled.add(job, index, verdict);
      continue;
    }
    const row = reader.get(sends, sendKey(owner, job.sendId) ?? []);
    if (row === undefined || device === undefined) {
      settled.add(job, index, done(job, target, 'suppressed', 'expired')); // its row has aged out
      continue;
    }
    items.push([job.sendId, index]);
    attempts.push({
      target: index,
      attempt: attemptOf(app, job, target, device, row, plan, context),
    });
  }
  return { taken, items, attempts };
}

function grantOf(
  app: AppState,
  channel: ChannelId,
  credentials: unknown,
  attempts: DispatchGrant['attempts'],
  plan: DispatchPlan,
): Effect {
  const owner = app.record.ordinal;
  const grant: DispatchGrant = {
    kind: 'dispatch.grant',
    partition: plan.partition,
    app: owner,
    channel,
    credentials: credentials === notConfigured ? undefined : credentials,
    attempts,
  };
  // An app's channel always goes to the same dispatcher, so that its pacing and connections live in one place.
  const port = hash32(`${owner}|${channel}`) % plan.dispatchers;
  return { port, message: grant };
}

/** Why a due target is not sent, or `undefined` when it is. */
function check(
  app: AppState,
  job: Job,
  target: Target,
  device: DeviceRow | undefined,
  unconfigured: boolean,
  nowMs: number,
): Settlement | undefined {
  if (device === undefined || !device.enabled) return done(job, target, 'suppressed', 'no_device');
  if (job.expiresMs !== null && nowMs >= job.expiresMs) {
    return done(job, target, target.attempts > 0 ? 'failed' : 'suppressed', 'expired');
  }
  const key =
    typeof device.endpoint === 'string' ? identityKey(target.channel, device.endpoint) : undefined;
  if (key !== undefined && app.suppressions.has(key))
    return done(job, target, 'suppressed', 'opt_out');
  if (unconfigured) return done(job, target, 'suppressed', 'not_configured');
  return undefined;
}

function done(
  job: Job,
  target: Target,
  status: 'suppressed' | 'failed',
  reason: string,
): Settlement {
  return {
    next: 'done',
    receipt: { person: job.person, status, reason, attempts: target.attempts },
  };
}

function attemptOf(
  app: AppState,
  job: Job,
  target: Target,
  device: DeviceRow,
  row: SendRow,
  plan: DispatchPlan,
  context: PumpContext,
): Attempt {
  const content = row.content as SendContent;
  const { email } = app.settings;
  return {
    sendId: job.sendId,
    deviceId: device.id,
    appId: app.record.id,
    appName: app.record.name,
    channel: target.channel,
    lane: 'express',
    attempt: target.attempts + 1,
    endpoint: device.endpoint,
    registeredMs: device.createdMs,
    ...(device.environment === undefined ? {} : { environment: device.environment }),
    content: target.channel === 'email' ? (content.email ?? content.plain) : content.plain,
    acceptedMs: job.acceptedMs,
    ...(target.channel === 'email' && typeof device.endpoint === 'string'
      ? {
          email: {
            ...email,
            unsubscribeUrl: plan.unsubscribeUrl(app.record.ordinal, device.endpoint, context.rng),
          },
        }
      : {}),
  };
}

const notConfigured = Symbol('not configured');

function openCredentials(
  app: AppState,
  channel: ChannelId,
  plan: DispatchPlan,
  sealer: Sealer,
  cache: CredentialCache,
): unknown {
  if (!plan.available.has(channel)) return notConfigured;
  const name = catalog[channel].credential;
  if (name === undefined) return undefined;
  const record = app.credentials.get(name);
  if (record === undefined) return plan.credentialsRequired ? notConfigured : undefined;
  const key = `${app.record.ordinal}|${name}|${record.fingerprint}|${record.updatedMs}`;
  let opened = cache.get(key);
  if (opened === undefined) {
    opened = JSON.parse(sealer.open(record.sealed, credentialPlace(app.record.ordinal, name)));
    if (cache.size >= 1000) cache.clear();
    cache.set(key, opened);
  }
  return opened;
}
