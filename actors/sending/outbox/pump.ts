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
import { assert } from '../../../engine/base/assert.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { DamagedRecord, orDamaged } from '../../../storage/codec.ts';
import { contentCopies } from '../../../storage/tables/content-copy.ts';
import type { LiveActivityRow } from '../../../storage/tables/live-activity.ts';
import {
  type DeviceRow,
  type SubscriberRow,
  subscribers,
} from '../../../storage/tables/subscriber.ts';
import { type SuppressionRow, suppressions } from '../../../storage/tables/suppression.ts';
import { catalog } from '../../channels/catalog.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Attempt, EmailEnvelope } from '../../channels/port/attempt.ts';
import { languageOf } from '../../content/render/localize.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { limits } from '../../limits.ts';
import type { MailNamed } from '../../people/about-send.ts';
import { storedIdentity } from '../../people/audience/identity.ts';
import { readRow } from '../../readable-row.ts';
import type { Sealer } from '../../sealer.ts';
import { linkHostOf } from '../../tenants/accounts/link-host.ts';
import { mailSettings } from '../../tenants/accounts/records.ts';
import type { OrgRoom } from '../gate/org-room.ts';
import type { NotSent } from '../gate/verdict.ts';
import type { WarmedMails } from '../warm-up/mails.ts';
import { WarmUpRoom } from '../warm-up/room.ts';
import { callsOnAccount, channelsOfAccount } from './account-calls.ts';
import { AccountProbes, type PartTurn } from './account-probes.ts';
import { activityOf, deviceOfActivity, isActivity } from './activity-push.ts';
import { bulkCount, type ChannelQueue, hasExpress } from './channel-queue.ts';
import { isCircuitOpen, type ProviderHealth } from './circuit.ts';
import { isOver } from './expiry.ts';
import type { Job, Target } from './job.ts';
import { goneWay, RelayLeave } from './leaving.ts';
import { mailOf, mustWaitForFiles, SharedFiles } from './mail-files.ts';
import {
  type CredentialCache,
  type CredentialRules,
  type Credentials,
  credentialUnreadable,
  openCredentials,
} from './open-credentials.ts';
import type { DispatchGrant, GrantedAttempt, OutboxEntry } from './protocol.ts';
import { healthAfter, startable, startableByRelays } from './provider-health.ts';
import type { SendsView } from './reads.ts';
import type { SendContent, Settlement } from './records.ts';
import { type RelayRules, relaysNow, streamOf } from './relay-rules.ts';
import { SettlementBatch } from './report.ts';
import { sendRow } from './send-chunk.ts';
import { settle } from './settle.ts';
import {
  isOptInMail,
  type MaySend,
  SingleSendGate,
  type StoredContent,
  type TargetRecords,
} from './single-send-gate.ts';
import { storedWithUtm, utmOfOrigin } from './utm-of-send.ts';
import { type DispatchThreads, homeOf } from './wave-shares.ts';

export type { CredentialCache };

export interface DispatchPlan extends CredentialRules, RelayRules, DispatchThreads {
  readonly partition: number;
  /** Where people and their mail programs reach this server. */
  readonly publicUrl: string;
  /** Files of mails; absent where nothing is sent. */
  readonly files?: SharedFiles;
  /** Whether the operator has set a key of the payment provider. */
  readonly charges?: boolean;
  /** For the log, once per opened circuit or damaged target. The errors contain no secret. */
  onUnreadable?(app: Ordinal, error: Error): void;
  /** A signed URL that unsubscribes `address` from an app. */
  unsubscribeUrl(
    app: Ordinal,
    address: string,
    isMarketing: boolean,
    rng: PumpContext['rng'],
    about?: MailNamed,
  ): string;
}

interface PumpedApp {
  readonly entries: readonly Entry[];
  readonly documents: readonly (DocumentWrite & { readonly owner: Ordinal })[];
  readonly effects: readonly Effect[];
  readonly handled: number;
}

/**
 * Starts at most `budget` targets of one app. Only reads; the runtime applies the result.
 * `roomOn`: of a channel whose account dispatch threads share.
 */
export function pumpApp(
  app: SendsView,
  plan: DispatchPlan,
  sealer: Sealer,
  cache: CredentialCache,
  orgRoom: OrgRoom,
  context: PumpContext,
  budget: number,
  roomOn: (channel: ChannelId) => number = () => Number.POSITIVE_INFINITY,
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
  /** Channels whose accounts this turn probes. */
  const probed = new Set<ChannelId>();
  for (const queue of app.outbox.channels.values()) {
    const relays = relaysNow(app, plan, queue.channel, queue, context.nowMs);
    const isProbing = () => probed.has(queue.channel) || callsOnAccount(app, queue.channel) > 0;
    const able =
      relays === undefined ? startable(queue, context.nowMs, isProbing) : startableByRelays(queue);
    const room = Math.min(able, roomOn(queue.channel));
    const most = Math.min(room, budget - handled);
    if (most <= 0 || (!hasExpress(queue) && bulkCount(queue) === 0)) continue;
    const credentials = openCredentials(app, queue.channel, plan, sealer, cache);
    const isOpen = relays === undefined && isCircuitOpen(queue);
    const line = { most, looked: isOpen ? budget - handled : most };
    const leave = relays && new RelayLeave(relays, sealer, cache, plan.onUnreadable);
    const one = startChannel(
      ...([app, queue, credentials, leave, plan, orgRoom, settled, context, line] as const),
    );
    handled += one.handled;
    if (one.health !== undefined) health.set(queue.channel, one.health);
    if (one.items.length === 0) continue;
    started.push({
      kind: 'attempts.started',
      owner,
      channel: queue.channel,
      atMs: context.nowMs,
      items: one.items,
      ...(one.probed === undefined ? {} : { probed: one.probed }),
      ...(one.warmed === undefined ? {} : { warmed: one.warmed }),
      ...(one.copies.length === 0 ? {} : { copies: one.copies }),
      ...(leave === undefined ? {} : { relays: leave.names }),
    } as OutboxEntry);
    if (isOpen) for (const id of channelsOfAccount(queue.channel)) probed.add(id);
    if (one.attempts.length > 0)
      effects.push(grantOf(app, queue.channel, credentials, one.attempts, isOpen, plan, leave));
  }
  if (handled === 0) return undefined;
  const documents = settled.documents().map((write) => ({ ...write, owner }));
  // Started first: a try whose credential cannot be read is started and settled in one turn.
  const entries = [...started, ...settled.entries(health)];
  return { entries, documents, effects, handled };
}

/** How much of a channel's line a turn may start, and look at. */
interface Line {
  readonly most: number;
  /** More where a circuit is open: what expires in line behind a probe gets its receipt. */
  readonly looked: number;
}

interface StartedOnChannel {
  /** Due targets that were started or settled. */
  readonly handled: number;
  readonly items: readonly (readonly [string, number, number?])[];
  /** Of emails among `items`. */
  readonly copies: readonly (readonly [number, number])[];
  readonly attempts: DispatchGrant['attempts'];
  readonly probed?: readonly string[];
  readonly warmed?: WarmedMails;
  /** Set if the channel's credential cannot be read. */
  readonly health?: ProviderHealth;
}

/** Starts or settles due targets of a channel. */
function startChannel(
  app: SendsView,
  queue: ChannelQueue,
  credentials: Credentials,
  leave: RelayLeave | undefined,
  plan: DispatchPlan,
  room: OrgRoom,
  settled: SettlementBatch,
  context: PumpContext,
  { most, looked }: Line,
): StartedOnChannel {
  const owner = app.record.ordinal;
  const reader = context.documentsOf(owner);
  const items: [string, number, number?][] = [];
  const attempts: GrantedAttempt[] = [];
  const isConfigured = credentials.state !== 'not_configured';
  const fromAddress = credentials.state === 'ready' ? credentials.fromAddress : undefined;
  const probes = new AccountProbes(queue, context.nowMs);
  const warmUp = WarmUpRoom.ofTurn(context, owner, app);
  const gate = new SingleSendGate(app, queue.channel, isConfigured, room, context, warmUp);
  let handled = 0;
  const line = leave === undefined && isCircuitOpen(queue) ? probeTargets : dueTargets;
  for (const { job, index } of line(app, queue, looked)) {
    const target = job.targets[index] as Target;
    if (handled >= most && !isOver(job, target, context.nowMs, context.ages)) continue;
    handled++;
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
    const turn = probes.turnOf(verdict.device.endpoint);
    const email = emailOf(app, queue, verdict, plan, reader, items.length);
    if (email === 'later') {
      handled--;
      continue;
    }
    const way =
      keptOf(job, turn) ??
      damagedMail(owner, job, target, email, plan) ??
      (leave ? leave.turnOf(job, target) : goneWay(job, target));
    if (way !== undefined && 'settlement' in way) {
      settled.add(job, index, way.settlement);
      continue;
    }
    gate.takeRoom(job, target, verdict, items.length);
    probes.begun(turn);
    items.push(way === undefined ? [job.sendId, index] : [job.sendId, index, way.place]);
    if (credentials.state === 'unreadable') {
      plan.onUnreadable?.(owner, credentials.error);
      const health = healthUnreadable(app, queue, context);
      const tried = { ...target, attempts: target.attempts + 1 };
      settled.add(job, index, settle(job, tried, credentialUnreadable, health, context));
      return { handled, items, copies: gate.copies, attempts, health, ...warmUp?.tell() };
    }
    const about = { ...verdict, records, fromAddress };
    const draft = draftFor(app, job, target, about, plan, context);
    const made = withContent(app, job, draft, verdict, mailIn(email), context.nowMs);
    attempts.push({ target: index, ...namesOf(job), ...made, ...leavingBy(way, turn) });
  }
  const probed = [...probes.probed, ...(leave?.probed ?? [])];
  const probing = probed.length === 0 ? {} : { probed };
  return { handled, items, copies: gate.copies, attempts, ...probing, ...warmUp?.tell() };
}

/** By which relay a message leaves, and what it finds out about. */
function leavingBy(
  way: { readonly relay: string; readonly probes?: string } | undefined,
  turn: PartTurn,
): Pick<GrantedAttempt, 'relay' | 'probes'> {
  const part = 'probes' in turn ? turn.probes : undefined;
  const probes = [way?.probes, part].filter((one) => one !== undefined);
  return {
    ...(way === undefined ? {} : { relay: way.relay }),
    ...(probes.length === 0 ? {} : { probes }),
  };
}

/** The attempt without its content. */
function draftFor(
  app: SendsView,
  job: Job,
  target: Target,
  {
    device,
    words,
    records: { activity },
    fromAddress,
  }: {
    readonly device: DeviceRow;
    readonly words: StoredContent;
    readonly records: TargetRecords;
    readonly fromAddress: string | undefined;
  },
  plan: DispatchPlan,
  context: PumpContext,
): Omit<Attempt, 'content'> {
  const isTest = 'row' in words && words.row.test === true;
  const mail = { fromAddress, isTest, isPlain: isOptInMail(words) };
  const draft = draftOf(app, job, target, device, mail, plan, context);
  return activity === undefined ? draft : { ...draft, activity: tokenOf(activity) };
}

/** What has an end or a wait without a call. */
interface Kept {
  readonly settlement: Settlement;
}

/** Of a target whose part of the provider is slowed down or probed. */
function keptOf({ expiresMs }: Job, turn: PartTurn): Kept | undefined {
  if (!('heldUntilMs' in turn)) return undefined;
  const untilMs = Math.min(turn.heldUntilMs, expiresMs ?? turn.heldUntilMs);
  return { settlement: heldUntil(untilMs) };
}

/** Of a mail with a file that cannot be read. */
function damagedMail(
  owner: Ordinal,
  job: Job,
  target: Target,
  mail: ReturnType<typeof emailOf>,
  plan: DispatchPlan,
): Kept | undefined {
  if (!(mail instanceof DamagedRecord)) return undefined;
  plan.onUnreadable?.(owner, mail);
  return { settlement: done(job, target, 'failed', 'internal') };
}

function mailIn(mail: ReturnType<typeof emailOf>): Pick<Attempt, 'content' | 'files'> | undefined {
  return mail instanceof DamagedRecord || mail === 'later' ? undefined : mail;
}

function healthUnreadable(
  { outbox }: SendsView,
  { channel }: ChannelQueue,
  context: PumpContext,
): ProviderHealth {
  return healthAfter(outbox.health(channel), channel, credentialUnreadable, context);
}

/**
 * Whoever finds out about a provider: those that it has not refused come first, since it may refuse
 * one message alone. What it refuses goes to the end of those that are tried again.
 */
function* probeTargets({ outbox }: SendsView, queue: ChannelQueue, room: number) {
  let left = room;
  for (const due of [
    outbox.dueFirst(queue, 'express'),
    outbox.dueFirst(queue, 'bulk'),
    outbox.dueAgain(queue, 'express'),
    outbox.dueAgain(queue, 'bulk'),
  ])
    for (const one of due) {
      if (left <= 0) return;
      left--;
      yield one;
    }
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
  if (!isOptInMail(words)) return { person, device, words, activity };
  const optOut = optOutOf(reader, device);
  return optOut instanceof DamagedRecord ? [optOut] : { person, device, words, activity, optOut };
}

/** The opt-out of a device's address; memory knows only that there is one. */
function optOutOf(
  reader: DocumentReader,
  device: DeviceRow | undefined,
): SuppressionRow | DamagedRecord | undefined {
  const { channel, endpoint } = device ?? {};
  const key =
    typeof endpoint === 'string' ? storedIdentity(channel as ChannelId, endpoint) : undefined;
  return key === undefined ? undefined : readRow(reader, suppressions, [key]);
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

/**
 * The content and files of an email that was rendered when it was accepted. `later`: the files of
 * those in flight leave no room for more.
 */
function emailOf(
  app: SendsView,
  { channel, inFlight }: ChannelQueue,
  { words, copies }: MaySend,
  { files = new SharedFiles() }: DispatchPlan,
  reader: DocumentReader,
  starting: number,
): Pick<Attempt, 'content' | 'files'> | DamagedRecord | 'later' | undefined {
  if (channel !== 'email' || !('row' in words)) return undefined;
  const { plain, email = plain } = words.row.content as SendContent;
  if (mustWaitForFiles(email, inFlight + starting)) return 'later';
  return mailOf(app, email, copies, files, reader);
}

/** What a recall names. */
function namesOf({ person, origin }: Job): Omit<GrantedAttempt, 'target' | 'attempt' | 'words'> {
  if (origin === undefined) return { person };
  const { campaignId, journeyId } = origin;
  if (campaignId !== undefined) return { person, campaignId };
  return journeyId === undefined ? { person } : { person, journeyId };
}

function withContent(
  app: SendsView,
  { origin }: Job,
  bare: Omit<Attempt, 'content'>,
  { person, words }: { readonly person: SubscriberRow; readonly words: StoredContent },
  mail: Pick<Attempt, 'content' | 'files'> | undefined,
  nowMs: Millis,
): Pick<GrantedAttempt, 'attempt' | 'words'> {
  const language = catalog[bare.channel].usesLanguage ? languageOf(person.tags) : undefined;
  const draft = language === undefined ? bare : { ...bare, language };
  const stored = 'row' in words ? (words.row.content as SendContent).plain : undefined;
  const whole = mail?.content ?? stored;
  if (whole !== undefined) {
    const content = storedWithUtm(app, whole, draft.channel, nowMs);
    return { attempt: { ...draft, ...mail, content } };
  }
  assert('message' in words, 'content is rendered or to be rendered');
  const { id, externalUserId, timezone, tags } = person;
  const shown = {
    id,
    tags,
    ...(externalUserId === undefined ? {} : { externalUserId }),
    ...(timezone === undefined ? {} : { timezone }),
  };
  const { name, timezone: zone } = app.record;
  const utm = origin && utmOfOrigin(app, origin, draft.channel, nowMs);
  const unrendered = { message: words.message, person: shown, app: { name, timezone: zone } };
  return { attempt: draft, words: utm === undefined ? unrendered : { ...unrendered, utm } };
}

function tokenOf({ pushToken, rotations }: LiveActivityRow): NonNullable<Attempt['activity']> {
  return { pushToken, rotations };
}

/** A send that was tried before has failed when it expires; otherwise it is suppressed. */
function refused(job: Job, target: Target, verdict: NotSent): Settlement {
  if (verdict.answer === 'hold') return heldUntil(verdict.untilMs);
  const { reason } = verdict;
  const isFailed = reason === 'expired' && target.attempts > 0;
  return done(job, target, isFailed ? 'failed' : 'suppressed', reason);
}

/** A due target waits without a call. */
function heldUntil(dueMs: Millis): Settlement {
  return { next: 'waiting', dueMs, counted: false, ambiguous: false, unstarted: true };
}

function grantOf(
  app: SendsView,
  channel: ChannelId,
  credentials: Credentials,
  attempts: DispatchGrant['attempts'],
  isProbe: boolean,
  plan: DispatchPlan,
  leave: RelayLeave | undefined,
): Effect {
  const owner = app.record.ordinal;
  const grant: DispatchGrant = {
    kind: 'dispatch.grant',
    partition: plan.partition,
    app: owner,
    channel,
    credentials: credentials.state === 'ready' ? credentials.value : undefined,
    ...(app.settings.wording ? { wording: app.settings.wording } : {}),
    ...(isProbe ? { probes: true } : {}),
    ...(leave === undefined ? {} : { relays: leave.opened }),
    attempts,
  };
  return { port: homeOf(owner, channel, plan), message: grant };
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
      ...(target.copies === undefined ? {} : { copies: target.copies }),
      ...(target.lastRefusal === undefined ? {} : { detail: target.lastRefusal }),
    },
  };
}

function aboutOf({ sendId, origin }: Job, { id: deviceId }: DeviceRow): MailNamed {
  const { journeyId, topic } = origin ?? {};
  const ofJourney = journeyId === undefined ? {} : { journeyId };
  return { sendId, deviceId, ...ofJourney, ...(topic === undefined ? {} : { topic }) };
}

function linksAt(linkHost: string | undefined): Pick<EmailEnvelope, 'linkHost'> {
  return linkHost === undefined ? {} : { linkHost };
}

/** What mail programs and mailbox providers tell mails apart by. */
function programOf({ origin }: Job): Pick<EmailEnvelope, 'campaignId' | 'journeyId' | 'topic'> {
  const { campaignId, journeyId, topic } = origin ?? {};
  return {
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(journeyId === undefined ? {} : { journeyId }),
    ...(topic === undefined ? {} : { topic }),
  };
}

interface MailForm {
  readonly fromAddress: string | undefined;
  readonly isTest: boolean;
  /** Without pixel and tracked links. */
  readonly isPlain: boolean;
}

function draftOf(
  app: SendsView,
  job: Job,
  target: Target,
  device: DeviceRow,
  { fromAddress, isTest, isPlain }: MailForm,
  plan: DispatchPlan,
  context: PumpContext,
): Omit<Attempt, 'content'> {
  const { ordinal } = app.record;
  const isMarketing = job.origin !== undefined || isTest;
  return {
    sendId: job.sendId,
    deviceId: device.id,
    appId: app.record.id,
    appName: app.record.name,
    channel: target.channel,
    lane: job.origin === undefined ? 'express' : 'bulk',
    ...(job.origin?.stream === undefined ? {} : { stream: streamOf(job, target.channel) }),
    attempt: target.attempts + 1,
    ...(target.ambiguous > 0 ? { mayBeTaken: true as const } : {}),
    endpoint: device.endpoint,
    registeredMs: device.createdMs,
    ...(device.environment === undefined ? {} : { environment: device.environment }),
    acceptedMs: job.acceptedMs,
    ...(target.channel === 'email' && typeof device.endpoint === 'string'
      ? {
          email: {
            ...mailSettings(app.settings, app.branding),
            ...(fromAddress === undefined ? {} : { fromAddress }),
            person: job.person,
            ...programOf(job),
            ...linksAt(linkHostOf(app, fromAddress ?? app.settings.email.fromAddress)),
            ...(isTest ? { isTest } : {}),
            ...(isPlain ? { isTracked: false } : {}),
            unsubscribeUrl: plan.unsubscribeUrl(
              ordinal,
              device.endpoint,
              isMarketing,
              context.rng,
              aboutOf(job, device),
            ),
          },
        }
      : {}),
  };
}
