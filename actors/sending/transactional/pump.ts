// Starts sends: asks the gate about each due target and commits it as started before a dispatcher
// gets it, so a restart knows what was in flight and nothing starts after a suppression committed.
// Damaged records must only affect their own sends: a throw would repeat in every turn.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import type {
  DocumentReader,
  DocumentWrite,
  Effect,
  Entry,
} from '../../../engine/actor/message.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import { DamagedRecord } from '../../../storage/codec.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import type { LiveActivityRow } from '../../../storage/tables/live-activity.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import type { Attempt } from '../../channels/attempt.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MessageContent } from '../../content/message-schema.ts';
import { limits } from '../../limits.ts';
import type { Sealer } from '../../sealer.ts';
import type { OrgRoom } from '../gate/org-room.ts';
import type { NotSent } from '../gate/verdict.ts';
import { activityOf, deviceOfActivity, isActivity } from './activity-push.ts';
import type { ChannelQueue } from './channel-queue.ts';
import type { Job, Target } from './job.ts';
import {
  type CredentialCache,
  type CredentialRules,
  type Credentials,
  credentialUnreadable,
  openCredentials,
} from './open-credentials.ts';
import type {
  DispatchGrant,
  GrantedAttempt,
  ProviderHealth,
  SendContent,
  Settlement,
  TransactionalEntry,
} from './protocol.ts';
import { orDamaged, readRow } from './read-row.ts';
import { healthAfter, SettlementBatch, startable } from './report.ts';
import { sendRow } from './send-chunk.ts';
import { settle } from './settle.ts';
import { SingleSendGate, type StoredContent, type TargetRecords } from './single-send-gate.ts';
import type { SendsView } from './view.ts';

export type { CredentialCache };

export interface DispatchPlan extends CredentialRules {
  readonly partition: number;
  readonly dispatchers: number;
  /** For the log, once per opened circuit or damaged target. The errors contain no secret. */
  onUnreadable?(app: Ordinal, error: Error): void;
  /** A signed URL that unsubscribes `address` from an app. */
  unsubscribeUrl(app: Ordinal, address: string, rng: PumpContext['rng']): string;
}

interface PumpedApp {
  readonly entries: readonly Entry[];
  readonly documents: readonly (DocumentWrite & { readonly owner: Ordinal })[];
  readonly effects: readonly Effect[];
  readonly handled: number;
}

/** Starts at most `budget` targets of one app. Only reads; the runtime applies the result. */
export function pumpApp(
  app: SendsView,
  plan: DispatchPlan,
  sealer: Sealer,
  cache: CredentialCache,
  room: OrgRoom,
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
  const health = new Map<ChannelId, ProviderHealth>();
  const effects: Effect[] = [];
  let handled = 0;
  for (const queue of app.outbox.channels.values()) {
    const most = Math.min(startable(queue, context.nowMs), budget - handled);
    const isExpress = queue.head < queue.ready.length;
    if (most <= 0 || (!isExpress && queue.bulkHead === queue.bulkReady.length)) continue;
    const credentials = openCredentials(app, queue.channel, plan, sealer, cache);
    const one = startChannel(app, queue, credentials, plan, room, settled, context, most);
    handled += one.handled;
    if (one.health !== undefined) health.set(queue.channel, one.health);
    if (one.items.length === 0) continue;
    started.push({
      kind: 'attempts.started',
      owner,
      channel: queue.channel,
      atMs: context.nowMs,
      items: one.items,
    } as TransactionalEntry);
    if (one.attempts.length > 0)
      effects.push(grantOf(app, queue.channel, credentials, one.attempts, plan));
  }
  if (handled === 0) return undefined;
  const documents = settled.documents().map((write) => ({ ...write, owner }));
  // Started first: a try whose credential cannot be read is started and settled in one turn.
  const entries = [...started, ...settled.entries(health)];
  return { entries, documents, effects, handled };
}

interface StartedOnChannel {
  /** Due targets that were started or settled. */
  readonly handled: number;
  readonly items: readonly (readonly [string, number])[];
  readonly attempts: DispatchGrant['attempts'];
  /** Set if the channel's credential cannot be read. */
  readonly health?: ProviderHealth;
}

/** Starts or settles at most `most` due targets of a channel. */
function startChannel(
  app: SendsView,
  queue: ChannelQueue,
  credentials: Credentials,
  plan: DispatchPlan,
  room: OrgRoom,
  settled: SettlementBatch,
  context: PumpContext,
  most: number,
): StartedOnChannel {
  const owner = app.record.ordinal;
  const reader = context.documentsOf(owner);
  const items: [string, number][] = [];
  const attempts: GrantedAttempt[] = [];
  const isConfigured = credentials.state !== 'not_configured';
  const gate = new SingleSendGate(app, queue.channel, isConfigured, room, context);
  let handled = 0;
  for (const { job, index } of dueTargets(app, queue, most)) {
    handled++;
    const target = job.targets[index] as Target;
    const records = recordsOf(reader, owner, job, target);
    if (Array.isArray(records)) {
      for (const error of records) plan.onUnreadable?.(owner, error);
      settled.add(job, index, done(job, target, 'failed', 'internal'));
      continue;
    }
    const verdict = gate.ask(job, target, records);
    if (verdict.answer !== 'send') {
      settled.add(job, index, refused(job, target, verdict));
      continue;
    }
    gate.takeRoom(target);
    items.push([job.sendId, index]);
    if (credentials.state === 'unreadable') {
      plan.onUnreadable?.(owner, credentials.error);
      const tried = { ...target, attempts: target.attempts + 1 };
      settled.add(job, index, settle(job, tried, credentialUnreadable, context));
      const health = healthAfter(queue, credentialUnreadable, context);
      return { handled, items, attempts, health };
    }
    const { person, device, words } = verdict;
    const { activity } = records;
    const draft = draftOf(app, job, target, device, plan, context);
    const to = activity === undefined ? draft : { ...draft, activity: tokenOf(activity) };
    attempts.push({ target: index, ...withContent(app, to, person, words) });
  }
  return { handled, items, attempts };
}

/** At most `room`: transactional targets first, then marketing within its share. */
function* dueTargets(app: SendsView, queue: ChannelQueue, room: number) {
  let left = room;
  for (const due of app.outbox.due(queue)) {
    if (left <= 0) break;
    left--;
    yield due;
  }
  left = Math.min(left, limits.bulkInFlightMax - queue.inFlight - (room - left));
  for (const due of app.outbox.due(queue, 'bulk')) {
    if (left <= 0) break;
    left--;
    yield due;
  }
}

/** The stored records of a target, or those that are damaged. */
function recordsOf(
  reader: DocumentReader,
  owner: Ordinal,
  job: Job,
  target: Target,
): TargetRecords | DamagedRecord[] {
  const person = readRow(reader, subscribers, [job.person]);
  const words = contentOf(reader, owner, job);
  const activity = isActivity(target) ? activityOf(reader, target) : undefined;
  if (
    person instanceof DamagedRecord ||
    words instanceof DamagedRecord ||
    activity instanceof DamagedRecord
  )
    return [person, words, activity].filter((one) => one instanceof DamagedRecord);
  const device =
    activity === undefined
      ? person?.devices.find((one) => one.id === target.deviceId)
      : deviceOfActivity(activity, target, person);
  return { person, device, words, activity };
}

function contentOf(
  reader: DocumentReader,
  owner: Ordinal,
  { sendId, origin }: Job,
): StoredContent | DamagedRecord | undefined {
  if (origin !== undefined) {
    const copy = readRow(reader, contentCopies, [origin.copy]);
    if (copy === undefined || copy instanceof DamagedRecord) return copy;
    return { message: copy.content as MessageContent };
  }
  const row = orDamaged(() => sendRow(reader, owner, sendId));
  return row === undefined || row instanceof DamagedRecord ? row : { row };
}

function withContent(
  { record }: SendsView,
  draft: Omit<Attempt, 'content'>,
  person: SubscriberRow,
  words: StoredContent,
): Omit<GrantedAttempt, 'target'> {
  if ('row' in words) {
    const { plain, email = plain } = words.row.content as SendContent;
    return { attempt: { ...draft, content: draft.channel === 'email' ? email : plain } };
  }
  const { id, externalUserId, timezone, tags } = person;
  const shown = {
    id,
    tags,
    ...(externalUserId === undefined ? {} : { externalUserId }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const app = { name: record.name, timezone: record.timezone };
  return { attempt: draft, words: { message: words.message, person: shown, app } };
}

function tokenOf({ pushToken, rotations }: LiveActivityRow): NonNullable<Attempt['activity']> {
  return { pushToken, rotations };
}

/** A send that was tried before has failed when it expires; otherwise it is suppressed. */
function refused(job: Job, target: Target, verdict: NotSent): Settlement {
  if (verdict.answer === 'hold') {
    const { untilMs: dueMs } = verdict;
    return { next: 'waiting', dueMs, counted: false, ambiguous: false, unstarted: true };
  }
  const { reason } = verdict;
  const isFailed = reason === 'expired' && target.attempts > 0;
  return done(job, target, isFailed ? 'failed' : 'suppressed', reason);
}

function grantOf(
  app: SendsView,
  channel: ChannelId,
  credentials: Credentials,
  attempts: DispatchGrant['attempts'],
  plan: DispatchPlan,
): Effect {
  const owner = app.record.ordinal;
  const grant: DispatchGrant = {
    kind: 'dispatch.grant',
    partition: plan.partition,
    app: owner,
    channel,
    credentials: credentials.state === 'ready' ? credentials.value : undefined,
    attempts,
  };
  // An app's channel always goes to the same dispatcher, which keeps its pacing and connections.
  const port = hash32(`${owner}|${channel}`) % plan.dispatchers;
  return { port, message: grant };
}

function done(
  job: Job,
  target: Target,
  status: 'suppressed' | 'failed',
  reason: string,
): Settlement {
  return {
    next: 'done',
    receipt: {
      person: job.person,
      status,
      reason,
      attempts: target.attempts,
      ...(target.lastRefusal === undefined ? {} : { detail: target.lastRefusal }),
    },
  };
}

function draftOf(
  app: SendsView,
  job: Job,
  target: Target,
  device: DeviceRow,
  plan: DispatchPlan,
  context: PumpContext,
): Omit<Attempt, 'content'> {
  const { email } = app.settings;
  return {
    sendId: job.sendId,
    deviceId: device.id,
    appId: app.record.id,
    appName: app.record.name,
    channel: target.channel,
    lane: job.origin === undefined ? 'express' : 'bulk',
    attempt: target.attempts + 1,
    endpoint: device.endpoint,
    registeredMs: device.createdMs,
    ...(device.environment === undefined ? {} : { environment: device.environment }),
    acceptedMs: job.acceptedMs,
    ...(target.channel === 'email' && typeof device.endpoint === 'string'
      ? {
          email: {
            ...email,
            person: job.person,
            ...(job.origin?.journeyId === undefined ? {} : { journeyId: job.origin.journeyId }),
            isTracked: app.settings.emailTracking,
            unsubscribeUrl: plan.unsubscribeUrl(app.record.ordinal, device.endpoint, context.rng),
          },
        }
      : {}),
  };
}
