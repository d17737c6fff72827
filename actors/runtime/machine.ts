// The product as the runtime drives it: every area's decisions and folds in one table, the caller
// checked before any of them, and the memory written down and taken back.

import type {
  Machine,
  PumpContext,
  PumpResult,
  SnapshotPart,
  TimerRef,
} from '../../engine/actor/machine.ts';
import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Effect,
  type Entry,
  type Message,
  refused,
  type Tell,
} from '../../engine/actor/message.ts';
import { isSlotAddress } from '../../engine/actor/placement.ts';
import type { MessageOf } from '../../engine/actor/protocol.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import { type HashKey, newHashKey } from '../../engine/base/hash.ts';
import { exportDecisions } from '../audiences/export/export.ts';
import { flagsApplies } from '../audiences/flags/apply.ts';
import { flagsDecisions } from '../audiences/flags/decide.ts';
import { inAppApplies } from '../audiences/inapp/apply.ts';
import { inAppDecisions } from '../audiences/inapp/decide.ts';
import { segmentsApplies } from '../audiences/segments/apply.ts';
import { segmentsDecisions } from '../audiences/segments/decide.ts';
import { windowBeyond } from '../audiences/segments/kept-windows.ts';
import { membershipDecisions } from '../audiences/segments/membership.ts';
import { MembershipClock } from '../audiences/segments/membership-clock.ts';
import type { Review } from '../audiences/segments/protocol.ts';
import { traitsChanged } from '../audiences/segments/trait-changes.ts';
import { messagesApplies } from '../content/messages/apply.ts';
import { messagesDecisions } from '../content/messages/decide.ts';
import { templatesApplies } from '../content/templates/apply.ts';
import { templatesDecisions } from '../content/templates/decide.ts';
import { eventsApplies } from '../events/apply.ts';
import { cdpApplies } from '../events/cdp/apply.ts';
import { cdpDecisions } from '../events/cdp/decide.ts';
import { eventsDecisions } from '../events/decide.ts';
import { notFound } from '../faults.ts';
import { auditApplies } from '../insight/audit/apply.ts';
import { auditDecisions } from '../insight/audit/decide.ts';
import { notesOf } from '../insight/audit/notes.ts';
import { insightsDecisions } from '../insight/insights/decide.ts';
import { explainUnknown, timelineDecisions } from '../insight/timeline/decide.ts';
import { limits } from '../limits.ts';
import { audienceApplies } from '../people/audience/apply.ts';
import { audienceDecisions } from '../people/audience/decide.ts';
import { identityApplies } from '../people/identity/apply.ts';
import { identityDecisions } from '../people/identity/decide.ts';
import { Keyring } from '../people/identity/keyring.ts';
import { campaignsApplies } from '../programs/campaigns/apply.ts';
import { BulkWindows } from '../programs/campaigns/bulk-window.ts';
import { CampaignClock } from '../programs/campaigns/clock.ts';
import { campaignsDecisions } from '../programs/campaigns/decide.ts';
import { type FannedOut, type FanOutPlan, fanOut } from '../programs/campaigns/fan-out.ts';
import { campaignsListen } from '../programs/campaigns/listens.ts';
import { interruptedWave } from '../programs/campaigns/settle-wave.ts';
import { journeysApplies } from '../programs/journeys/apply.ts';
import { JourneyClock } from '../programs/journeys/clock.ts';
import { journeysDecisions } from '../programs/journeys/decide.ts';
import { heardBy } from '../programs/journeys/heard.ts';
import type { JourneysInside } from '../programs/journeys/protocol.ts';
import type { Sealer } from '../sealer.ts';
import { callbacksApplies } from '../sending/callbacks/apply.ts';
import { callbacksDecisions } from '../sending/callbacks/decide.ts';
import type { WaveReport } from '../sending/dispatch/protocol.ts';
import { OrgRooms } from '../sending/gate/org-room.ts';
import { liveActivitiesApplies } from '../sending/live-activities/apply.ts';
import { liveActivitiesDecisions } from '../sending/live-activities/decide.ts';
import { transactionalApplies } from '../sending/transactional/apply.ts';
import { transactionalDecisions } from '../sending/transactional/decide.ts';
import { openCredentials } from '../sending/transactional/open-credentials.ts';
import {
  type CredentialCache,
  type DispatchPlan,
  type PumpedApp,
  pumpApp,
} from '../sending/transactional/pump.ts';
import { type AppState, newPartitionState, type PartitionState } from '../state.ts';
import { accountsApplies } from '../tenants/accounts/apply.ts';
import { accountsDecisions } from '../tenants/accounts/decide.ts';
import { usageDecisions } from '../tenants/usage/decide.ts';
import { messageOfTimer } from '../timers.ts';
import { erasureApplies, erasureDecisions } from './erasure.ts';
import { givenUpEffect } from './given-up.ts';
import {
  isRestorePending,
  type Restored,
  restoredApplies,
  restoredDecisions,
  restoredTells,
} from './restored.ts';
import { reviewsOf } from './reviews.ts';
import { secretsDecisions } from './rewrap.ts';
import { partsOfState, restoreState } from './snapshot.ts';

export interface ProductOptions {
  readonly sealer: Sealer;
  readonly plan: DispatchPlan;
  readonly allowHttpEndpoints: boolean;
  /** This process's secret for tables keyed by client strings. */
  readonly tableKey: HashKey;
  /** What the store says of its last restore; absent for a store that never was restored. */
  readonly restored?: Restored;
}

type Decide = (state: PartitionState, message: Message, context: Context) => Decision;
type Apply = (state: PartitionState, entry: Entry) => void;

interface Founded extends Entry {
  readonly kind: 'partition.founded';
  readonly eventIdKey: HashKey;
}

/** `Decision.work` of an event that a journey hears. */
const workOfMove = 256;

/** `by` of a message from inside the system. */
export const system = -1;

/** One partition's product. */
export class Product implements Machine {
  readonly state: PartitionState;
  readonly #options: ProductOptions;
  readonly #decisions: ReadonlyMap<string, Decide>;
  readonly #applies: ReadonlyMap<string, Apply>;
  readonly #credentials: CredentialCache = new Map();
  readonly #membership = new MembershipClock();
  readonly #campaigns = new CampaignClock();
  readonly #journeys = new JourneyClock();
  readonly #windows = new BulkWindows();
  #isShared = false;
  #quiet = false;

  constructor(options: ProductOptions) {
    this.#options = options;
    this.state = newPartitionState(options.tableKey);
    const keyring = new Keyring(options.sealer);
    this.#decisions = new Map(
      Object.entries({
        ...accountsDecisions(options.sealer),
        ...secretsDecisions(options.sealer),
        ...audienceDecisions({ allowHttpEndpoints: options.allowHttpEndpoints }),
        ...exportDecisions,
        ...erasureDecisions,
        ...segmentsDecisions,
        ...membershipDecisions,
        ...messagesDecisions,
        ...templatesDecisions,
        ...auditDecisions,
        ...flagsDecisions,
        ...inAppDecisions,
        ...campaignsDecisions(options.plan),
        ...journeysDecisions(options.plan),
        ...insightsDecisions,
        ...eventsDecisions(keyring.read),
        ...identityDecisions(keyring, options),
        ...liveActivitiesDecisions(keyring.read),
        ...cdpDecisions,
        ...transactionalDecisions,
        ...timelineDecisions(options.plan),
        ...callbacksDecisions(
          { rules: options.plan, sealer: options.sealer, cache: this.#credentials },
          options.plan,
        ),
        ...usageDecisions,
        ...restoredDecisions,
        'partition.found': found,
      } as unknown as Record<string, Decide>),
    );
    this.#applies = new Map(
      Object.entries({
        ...accountsApplies,
        ...audienceApplies,
        ...erasureApplies,
        ...segmentsApplies,
        ...messagesApplies,
        ...templatesApplies,
        ...auditApplies,
        ...flagsApplies,
        ...inAppApplies,
        ...campaignsApplies,
        ...journeysApplies,
        ...eventsApplies,
        ...identityApplies,
        ...liveActivitiesApplies,
        ...cdpApplies,
        ...transactionalApplies,
        ...callbacksApplies,
        ...restoredApplies,
        'partition.founded': (state: PartitionState, entry: Founded) => {
          state.eventIdKey = entry.eventIdKey;
        },
      } as unknown as Record<string, Apply>),
    );
  }

  decide(message: Message, context: Context): Decision {
    const decide = this.#decisions.get(message.kind);
    if (decide === undefined) throw new Error(`nothing answers ${message.kind}`);
    const { by, namedApp } = message as Message & {
      readonly by: Ordinal;
      readonly namedApp?: string;
    };
    // An id leads here by its ordinal alone; all of it has to be right.
    if (namedApp !== undefined && this.state.apps.get(context.owner)?.record.id !== namedApp) {
      return refused(notFound('app'));
    }
    if (by !== system && !this.#mayReach(by, context.owner)) {
      // The one exception to "another tenant's object is 404" finds nothing there, and says so.
      if (message.kind === 'send.explain')
        return explainUnknown((message as Message & { readonly id: string }).id, context);
      if (message.kind !== 'transactional.read') return refused(notFound(what(message.kind)));
      return decide(this.state, message, { ...context, documents: nothing });
    }
    const app = this.state.apps.get(context.owner);
    if (message.kind === 'dispatch.wave_report' && app !== undefined)
      this.#noteWave(app, message as WaveReport, context);
    const beyond = app && windowBeyond(app, message);
    if (beyond !== undefined) return refused(beyond);
    const decision = this.#withTraits(message, decide(this.state, message, context), context);
    const reviewed = this.#withReviews(message, decision, context);
    return withGivenUp(this.#withNotes(message, this.#withHeard(reviewed, context), context));
  }

  /** Changes that the audit log knows are told to their org, whoever decided them. */
  #withNotes(message: Message, decision: Decision, context: Context): Decision {
    if (decision.outcome === 'refused' || decision.entries === undefined) return decision;
    const notes = notesOf(this.state, message, decision.entries, context);
    return notes.length === 0
      ? decision
      : { ...decision, tells: [...(decision.tells ?? []), ...notes] };
  }

  /** What filters can see of the written records goes into the columns, whoever wrote them. */
  #withTraits(message: Message, decision: Decision, context: Context): Decision {
    if (decision.outcome === 'refused' || decision.documents === undefined) return decision;
    if (message.kind === 'events.ingest') return decision; // only people without tags and devices
    const app = this.state.apps.get(context.owner);
    const changed = app && traitsChanged(app, decision.documents, context);
    if (changed === undefined) return decision;
    return { ...decision, entries: [...(decision.entries ?? []), changed] };
  }

  /**
   * People whom a decision may have moved in or out of followed segments are looked at once it was
   * folded.
   */
  #withReviews(message: Message, decision: Decision, { owner, nowMs }: Context): Decision {
    const app = this.state.apps.get(owner);
    if (app === undefined || app.watches.size === 0 || decision.outcome === 'refused')
      return decision;
    if (message.kind === 'segment.review') {
      const { reviews } = message as Message & { readonly reviews: readonly Review[] };
      this.#membership.reviewed(app, reviews, nowMs);
      return decision;
    }
    if (decision.entries === undefined) return decision;
    const reviews = reviewsOf(app, decision.entries, nowMs);
    if (reviews.length === 0) return decision;
    const review: Message = { kind: 'segment.review', by: system, reviews } as Message;
    return { ...decision, tells: [{ to: owner, message: review }, ...(decision.tells ?? [])] };
  }

  /** Events that a journey listens for are told to it once they were folded. */
  #withHeard(decision: Decision, { owner }: Context): Decision {
    const app = this.state.apps.get(owner);
    if (app === undefined || decision.outcome === 'refused' || decision.entries === undefined)
      return decision;
    const heard = heardBy(app, decision.entries);
    if (heard.length === 0) return decision;
    const work = (decision.work ?? 0) + workOfHeard(heard);
    return { ...decision, work, tells: [...(decision.tells ?? []), ...heard] };
  }

  apply(entry: Entry): void {
    const apply = this.#applies.get(entry.kind);
    if (apply === undefined) throw new Error(`nothing folds ${entry.kind}`);
    apply(this.state, entry);
    campaignsListen.get(entry.kind)?.(this.state, entry);
    const app = this.state.apps.get(entry.owner);
    this.#membership.folded(entry, app);
    this.#campaigns.folded(entry);
    this.#journeys.folded(entry, app);
  }

  due(nowMs: Millis): readonly Tell[] {
    const membership = this.#membership.due(this.state, nowMs);
    if (isRestorePending(this.state, this.#options.restored)) return membership;
    const campaigns = this.#campaigns.due(this.state, nowMs);
    const journeys = this.#journeys.due(this.state, nowMs, this.#isShared);
    return campaigns.length + journeys.length === 0
      ? membership
      : [...membership, ...campaigns, ...journeys];
  }

  nextDueMs(): Millis | undefined {
    const clocks = [this.#membership, this.#campaigns, this.#journeys];
    const next = Math.min(...clocks.map(({ nextMs }) => nextMs ?? Number.POSITIVE_INFINITY));
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  /** Columns of an app became whole: followed segments may be answered again. */
  columnsBecameWhole(owner: Ordinal): void {
    for (const segmentId of this.state.apps.get(owner)?.watches.keys() ?? [])
      this.#membership.reconcile(owner, segmentId);
    this.#campaigns.look(owner); // one may have waited for them
  }

  #noteWave({ record, sending }: AppState, report: WaveReport, { nowMs }: Context): void {
    const wave = sending.waves.get(report.wave);
    if (wave !== undefined) this.#windows.reported(record.ordinal, wave, report, nowMs);
  }

  timerMessage(timer: number, ref: TimerRef, _dueMs: Millis): Message {
    return messageOfTimer(timer, ref);
  }

  pump(context: PumpContext, budget: number): PumpResult | undefined {
    this.#isShared = context.isShared;
    const { ready } = this.state;
    if (ready.size === 0 || this.#quiet) return undefined;
    if (isRestorePending(this.state, this.#options.restored)) return undefined;
    const entries: Entry[] = [];
    const documents: (DocumentWrite & { readonly owner: Ordinal })[] = [];
    const effects: Effect[] = [];
    const tells: Tell[] = [];
    const rooms = new OrgRooms(this.state, context.nowMs);
    let left = budget;
    let people = context.isShared ? limits.turnPeopleSharedMax : limits.turnPeopleMax;
    for (const owner of [...ready]) {
      const app = context.quarantined.has(owner) ? undefined : this.state.apps.get(owner);
      const pumped = app && this.#pumpApp(app, rooms, context, left);
      const fanned = app && this.#fanOut(app, rooms, context, people, pumped);
      if (app === undefined || (pumped === undefined && fanned === undefined)) {
        // this turn's room is taken: the next one asks
        if (app !== undefined && people <= 0 && !app.sending.isEmpty) continue;
        ready.delete(owner); // back by the entry that gives it credit, or a due time
        continue;
      }
      const own = [...(pumped?.entries ?? []), ...(fanned?.entries ?? [])];
      entries.push(...own);
      const reviews = app.watches.size === 0 ? [] : reviewsOf(app, own, context.nowMs);
      const review = { kind: 'segment.review', by: system, reviews } as Message;
      if (reviews.length > 0) tells.push({ to: owner, message: review });
      tells.push(...heardBy(app, own));
      documents.push(...(pumped?.documents ?? []));
      effects.push(...(pumped?.effects ?? []), ...(fanned?.effects ?? []));
      left -= pumped?.taken ?? 0;
      people -= fanned?.taken ?? 0;
      if (fanned !== undefined) {
        // Whoever was served goes to the end of the line.
        ready.delete(owner);
        ready.add(owner);
      }
      if (left <= 0) break;
    }
    if (entries.length === 0) return undefined;
    const givenUp = givenUpEffect(entries);
    if (givenUp !== undefined) effects.push(givenUp);
    return { entries, documents, effects, tells };
  }

  #pumpApp(
    app: AppState,
    rooms: OrgRooms,
    context: PumpContext,
    budget: number,
  ): PumpedApp | undefined {
    const { plan, sealer } = this.#options;
    const room = rooms.of(app.record.org);
    return pumpApp(app, plan, sealer, this.#credentials, room, context, budget);
  }

  /** Campaigns come after all that single sends took, and number their events after theirs. */
  #fanOut(
    app: AppState,
    rooms: OrgRooms,
    context: PumpContext,
    budget: number,
    pumped: PumpedApp | undefined,
  ): FannedOut | undefined {
    if (budget <= 0 || app.sending.isEmpty) return undefined;
    const { plan, sealer } = this.#options;
    const fanOutPlan: FanOutPlan = {
      partition: plan.partition,
      dispatchers: plan.dispatchers,
      credentialsOf: (channel) => openCredentials(app, channel, plan, sealer, this.#credentials),
      roomOn: (channel) => this.#windows.roomOn(app, channel, context.nowMs),
      room: rooms.of(app.record.org),
    };
    const firstEvent = app.nextEvent + (pumped?.events ?? 0);
    return fanOut(app, fanOutPlan, context, budget, firstEvent);
  }

  /**
   * Starts nothing any more: the dispatchers are about to end. What is due stays due for the next
   * start.
   */
  quiesce(): void {
    this.#quiet = true;
  }

  recover(nowMs: Millis): readonly Tell[] {
    this.#membership.begin(this.state, nowMs);
    const tells: Tell[] = [];
    if (this.state.eventIdKey === undefined)
      tells.push({ to: 0, message: { kind: 'partition.found', by: system } as Message });
    const restored = restoredTells(this.state, this.#options.restored);
    tells.push(...restored);
    this.#campaigns.begin(this.state);
    this.#journeys.begin(this.state);
    for (const [owner, app] of this.state.apps) {
      if (app.outbox.readyCount > 0 || !app.sending.isEmpty) this.state.ready.add(owner);
      for (const wave of app.sending.waves.values())
        tells.push({ to: owner, message: interruptedWave(wave) });
      for (const [channel, reports] of app.outbox.interrupted()) {
        tells.push({
          to: owner,
          message: { kind: 'dispatch.report', by: system, channel, reports } as Message,
        });
      }
    }
    return tells;
  }

  parts(): Iterable<SnapshotPart> {
    return partsOfState(this.state);
  }

  restore(parts: Iterable<SnapshotPart>): void {
    restoreState(this.state, parts);
  }

  /** An org reaches itself, its apps, and the bare slot; nothing else exists for it. */
  #mayReach(by: Ordinal, owner: Ordinal): boolean {
    if (by === owner || isSlotAddress(owner)) return true;
    return this.state.apps.get(owner)?.record.org === by;
  }
}

/** Sends that it gives up are told to whoever runs the server. */
function withGivenUp(decision: Decision): Decision {
  if (decision.outcome === 'refused' || decision.entries === undefined) return decision;
  const effect = givenUpEffect(decision.entries);
  return effect === undefined
    ? decision
    : { ...decision, effects: [...(decision.effects ?? []), effect] };
}

/**
 * What telling journeys costs, as `Decision.work` counts: some microseconds for each event that one
 * hears.
 */
function workOfHeard(tells: readonly Tell[]): number {
  let heard = 0;
  for (const { message } of tells)
    heard += (message as MessageOf<JourneysInside, 'journey.hear'>).heard.length;
  return heard * workOfMove;
}

const nothing: Context['documents'] = {
  get: () => undefined,
  lend: () => false,
  range: () => [],
};

const found: Decide = (_state, _message, context) => {
  const entry: Founded = {
    kind: 'partition.founded',
    owner: 0,
    eventIdKey: newHashKey(context.rng),
  };
  return accepted(null, { entries: [entry] });
};

function what(kind: string): string {
  return kind.startsWith('org.') || kind.startsWith('key.') ? 'org' : 'app';
}
