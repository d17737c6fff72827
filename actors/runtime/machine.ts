// The product as one machine: checks the caller, then runs the areas' decisions and folds; restores
// and snapshots memory.

import type {
  GapMemory,
  Machine,
  PumpContext,
  PumpResult,
  Rebase,
  SnapshotPart,
  TimerRef,
} from '../../engine/actor/machine.ts';
import {
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
import { windowBeyond } from '../audiences/segments/kept-windows.ts';
import { MembershipClock } from '../audiences/segments/membership-clock.ts';
import type { Review } from '../audiences/segments/protocol.ts';
import { traitsChanged } from '../audiences/segments/trait-changes.ts';
import { providers } from '../channels/providers.ts';
import { type EntryFacts, noFacts } from '../events/facts.ts';
import type { EventsEntry } from '../events/protocol.ts';
import { notFound } from '../faults.ts';
import { notesOf } from '../insight/audit/notes.ts';
import { explainUnknown } from '../insight/timeline/decide.ts';
import { WebhookClock } from '../integrations/webhooks/clock.ts';
import { eventMeta } from '../integrations/webhooks/event-meta.ts';
import type { WebhooksProtocol } from '../integrations/webhooks/protocol.ts';
import { limits } from '../limits.ts';
import type { AudienceEntry } from '../people/audience/protocol.ts';
import { Keyring } from '../people/identity/keyring.ts';
import { BulkWindows } from '../programs/campaigns/bulk-window.ts';
import { CampaignClock } from '../programs/campaigns/clock.ts';
import { type FanOutPlan, type FanOutResult, fanOut } from '../programs/campaigns/fan-out.ts';
import { interruptedWave } from '../programs/campaigns/settle-wave.ts';
import { JourneyClock } from '../programs/journeys/clock.ts';
import type { WaveReport } from '../sending/dispatch/protocol.ts';
import { type OrgRoom, OrgRooms } from '../sending/gate/org-room.ts';
import { openCredentials } from '../sending/transactional/open-credentials.ts';
import { type CredentialCache, pumpApp } from '../sending/transactional/pump.ts';
import { BillingClock } from '../tenants/billing/clock.ts';
import { TellClock } from '../tenants/clients/tell-clock.ts';
import { signOutsIn } from '../tenants/sessions/sign-outs.ts';
import { countTell } from '../tenants/usage/count-rows.ts';
import { type AnyArea, areas } from './areas.ts';
import { earlierCreation, withCreation } from './creations.ts';
import { credentialsIn } from './credential-marks.ts';
import { decideEdit, editsOf } from './edits.ts';
import { everyArea, foldEverywhere, rebaseEverywhere } from './every-area.ts';
import { ExpiryClock } from './expiry-clock.ts';
import { factsOf, numberEntry } from './facts.ts';
import { newPartitionState, partsOfState, restoreState } from './memory.ts';
import { recallsOf } from './recalls.ts';
import { changeAgain, changesIn } from './restore-changes.ts';
import { isRestorePending, restoredTells } from './restored.ts';
import type { ProductOptions, ProductRules } from './rules.ts';
import type { AppState, PartitionState } from './state.ts';
import { storageRefusal, withStored } from './storage-quota.ts';
import { type Consequences, factSubscribers } from './subscribers.ts';

export type { ProductOptions };

type Decide = (state: PartitionState, message: Message, context: Context) => Decision;
type Apply = (state: PartitionState, entry: Entry) => void;
type Accepted = Extract<Decision, { outcome: 'accepted' }>;
type SegmentReview = Message & { readonly reviews: readonly Review[] };
type WebhookReports = MessageOf<WebhooksProtocol, 'webhook.report'>;
type TimerMessage = (ref: TimerRef) => Message;

/** `by` of a message from inside the system. */
const system = -1;

/** Of a deleted app, per turn while the disk is nearly full. */
const sweepsWhenFull = 8;

/** One partition's product. */
export class Product implements Machine {
  readonly state: PartitionState;
  readonly #options: ProductOptions;
  readonly #decisions: ReadonlyMap<string, Decide>;
  readonly #applies: ReadonlyMap<string, Apply>;
  readonly #timers: ReadonlyMap<string, TimerMessage>;
  readonly #edits = editsOf(areas);
  readonly #credentials: CredentialCache = new Map();
  #membership = new MembershipClock();
  #campaigns = new CampaignClock();
  #journeys = new JourneyClock();
  #billing: BillingClock;
  #expiry = new ExpiryClock();
  #tells = new TellClock(everyArea.stored.sums);
  #windows = new BulkWindows();
  readonly #webhooks = new WebhookClock();
  #hasBegun = false;
  /** Whether nobody doubted the clock in the turn before. */
  #wasSure = true;
  /** The facts of entries that were decided and are folded next, in this order. */
  readonly #decided: { readonly entry: Entry; readonly facts: EntryFacts }[] = [];
  #folded = 0;
  #isShared = false;
  #quiet = false;

  constructor(options: ProductOptions) {
    this.#options = options;
    this.state = newPartitionState(options.tableKey);
    this.#billing = new BillingClock(options.plan);
    const rules: ProductRules = {
      ...options,
      webhooks: providers,
      keyring: new Keyring(options.sealer),
      credentials: this.#credentials,
      everyArea,
      eventMeta,
    };
    // `areas.ts` checks the types; lookups here are by kind.
    this.#decisions = tableOf(({ decide }) => decide?.(rules)) as ReadonlyMap<string, Decide>;
    this.#applies = tableOf(({ apply }) => apply) as ReadonlyMap<string, Apply>;
    this.#timers = tableOf(({ timers }) => timers) as ReadonlyMap<string, TimerMessage>;
  }

  get ages(): GapMemory {
    return this.state.ages;
  }

  decide(message: Message, context: Context): Decision {
    const decide = this.#decisions.get(message.kind);
    if (decide === undefined) throw new Error(`nothing answers ${message.kind}`);
    const { by, namedApp } = message as Message & {
      readonly by: Ordinal;
      readonly namedApp?: string;
    };
    // Only the id's ordinal led here; the rest of the id must match, too.
    if (namedApp !== undefined && this.state.apps.get(context.owner)?.record.id !== namedApp) {
      return refused(notFound('app'));
    }
    if (by !== system && !this.#mayReach(by, context.owner)) {
      // The two exceptions to "another tenant's object is 404" answer as for an unknown send.
      if (message.kind === 'send.explain')
        return explainUnknown((message as Message & { readonly id: string }).id, context);
      if (message.kind !== 'transactional.read') return refused(notFound(what(message.kind)));
      return decide(this.state, message, { ...context, documents: nothing });
    }
    const app = this.state.apps.get(context.owner);
    if (message.kind === 'dispatch.wave_report' && app !== undefined)
      this.#noteWave(app, message as WaveReport, context);
    const full = app && storageRefusal(this.state, app, message, context.nowMs);
    if (full !== undefined) return refused(full);
    const beyond = app && windowBeyond(app, message);
    if (beyond !== undefined) return refused(beyond);
    const earlier = earlierCreation(this.state, message, context);
    if (earlier !== undefined) return earlier;
    const edit = this.#edits.get(message.kind);
    const asked =
      edit === undefined
        ? decide(this.state, message, context)
        : decideEdit(edit, this.state, message, context, () =>
            decide(this.state, message, context),
          );
    const traits = this.#withTraits(message, asked, context);
    if (traits.outcome === 'refused') return traits;
    const decided = app ? withStored(this.state, app, message, traits, context) : traits;
    if (decided.outcome === 'refused') return decided;
    const decision = withCreation(decided, message, context);
    if (message.kind === 'webhook.report') this.#noteReports(message as WebhookReports, context);
    if (message.kind === 'segment.review' && app !== undefined && app.watches.size > 0)
      this.#membership.reviewed(app, (message as SegmentReview).reviews, context.nowMs);
    const followed = this.#withFollowed(app, decision, context);
    return this.#withNotes(message, this.#withHostWork(followed, context), context);
  }

  /** What dispatchers return, what a restore must not undo, what fronts must drop, and learn. */
  #withHostWork(decision: Accepted, { nowMs }: Context): Accepted {
    const { entries, effects = [] } = decision;
    if (entries === undefined) return decision;
    const recalls = recallsOf(this.state, entries);
    // Also of `restored.change`: a replay cannot tell those from others, and lists them late.
    const changes = changesIn(entries, nowMs);
    const signOuts = signOutsIn(this.state, entries);
    const made = credentialsIn(this.state, entries);
    if (recalls.length + changes.length + signOuts.length + made.length === 0) return decision;
    return { ...decision, effects: [...effects, ...recalls, ...changes, ...signOuts, ...made] };
  }

  /** Tells the org's audit log about changes that it records. */
  #withNotes(message: Message, decision: Decision, context: Context): Decision {
    if (decision.outcome === 'refused' || decision.entries === undefined) return decision;
    const notes = notesOf(this.state, message, decision.entries, context);
    return notes.length === 0
      ? decision
      : { ...decision, tells: [...(decision.tells ?? []), ...notes] };
  }

  /** Updates the columns that filters read from the records written. */
  #withTraits(message: Message, decision: Decision, context: Context): Decision {
    if (decision.outcome === 'refused' || decision.documents === undefined) return decision;
    if (message.kind === 'events.ingest') return decision; // only people without tags and devices
    const app = this.state.apps.get(context.owner);
    const { kind } = message;
    const unproven = kind.startsWith('sdk.') && !(decision.entries ?? []).some(isProof);
    const by = { keyless: kind === 'sdk.tag', unproven };
    const changed = app && traitsChanged(app, decision.documents, context, by);
    if (changed === undefined) return decision;
    return { ...decision, entries: [...(decision.entries ?? []), changed] };
  }

  /** Adds what subscribers want done about the decision's entries. */
  #withFollowed(app: AppState | undefined, decision: Accepted, { nowMs }: Context): Accepted {
    const { entries } = decision;
    this.#forgetFacts();
    if (app === undefined || entries === undefined) return decision;
    const followed = this.#follow(app, entries, nowMs);
    if (followed.length === 0) return decision;
    const { tells = [], effects = [], work = 0 } = decision;
    return {
      ...decision,
      tells: [
        ...followed.flatMap((one) => one.first ?? []),
        ...tells,
        ...followed.flatMap((one) => one.tells ?? []),
      ],
      effects: [...effects, ...followed.flatMap((one) => one.effects ?? [])],
      work: followed.reduce((sum, one) => sum + (one.work ?? 0), work),
    };
  }

  /** Numbers the events of an app's entries and asks the subscribers for consequences. */
  #follow(app: AppState, entries: readonly Entry[], nowMs: Millis): readonly Consequences[] {
    const all: EntryFacts[] = [];
    let next = app.nextEvent;
    for (const entry of entries) {
      numberEntry(entry, next);
      const facts = factsOf(entry);
      if (facts === noFacts) continue;
      facts.resolve(app.people);
      next += facts.rows().count;
      all.push(facts);
      this.#decided.push({ entry, facts });
    }
    if (all.length === 0) return [];
    const followed: Consequences[] = [];
    for (const subscriber of factSubscribers) {
      const one = subscriber.follow?.(app, all, nowMs);
      if (one !== undefined) followed.push(one);
    }
    return followed;
  }

  apply(entry: Entry): void {
    const apply = this.#applies.get(entry.kind);
    if (apply === undefined) throw new Error(`nothing folds ${entry.kind}`);
    foldEverywhere(this.state, entry);
    apply(this.state, entry);
    const app = this.state.apps.get(entry.owner);
    if (app !== undefined) this.#fold(app, entry);
    this.#membership.folded(entry, app);
    this.#campaigns.folded(entry);
    this.#journeys.folded(entry, app);
    this.#billing.folded(entry);
    this.#tells.folded(entry, app);
    this.#webhooks.folded(entry, app);
  }

  /** What is derived from instants is derived again. */
  rebase(to: Rebase): void {
    rebaseEverywhere(this.state, to);
    if (!this.#hasBegun) return; // a replay
    this.#membership = new MembershipClock();
    this.#campaigns = new CampaignClock();
    this.#journeys = new JourneyClock();
    this.#billing = new BillingClock(this.#options.plan);
    this.#expiry = new ExpiryClock();
    this.#tells = new TellClock(everyArea.stored.sums);
    this.#windows = new BulkWindows();
    this.#beginClocks(to.toMs);
  }

  #beginClocks(nowMs: Millis): void {
    this.#membership.begin(this.state, nowMs);
    this.#campaigns.begin(this.state);
    this.#journeys.begin(this.state);
    this.#billing.begin(this.state);
    this.#expiry.begin(nowMs);
    this.#tells.begin(this.state, nowMs);
    this.#webhooks.begin(this.state);
  }

  #forgetFacts(): void {
    this.#decided.length = 0;
    this.#folded = 0;
  }

  #fold(app: AppState, entry: Entry): void {
    const decided = this.#decided[this.#folded];
    let facts = decided?.facts;
    if (facts !== undefined && decided?.entry === entry) this.#folded++;
    else {
      facts = factsOf(entry);
      if (facts === noFacts) return;
      facts.resolve(app.people);
    }
    for (const subscriber of factSubscribers) subscriber.fold?.(app, facts, this.state);
  }

  due(nowMs: Millis, wallMs = nowMs): readonly Tell[] {
    const membership = this.#membership.due(this.state, nowMs);
    if (isRestorePending(this.state, this.#options.restored)) return membership;
    this.#lookWhenSure();
    const campaigns = this.#campaigns.due(this.state, nowMs, wallMs);
    const journeys = this.#journeys.due(this.state, nowMs, this.#isShared);
    const expiry = this.#expiry.due(this.state, nowMs);
    const tells = this.#tells.due(this.state, nowMs);
    // Dispatchers that are about to end take no more orders.
    const billing = this.#quiet ? [] : this.#billing.due(this.state, nowMs, wallMs);
    const more = [...campaigns, ...journeys, ...expiry, ...tells, ...billing];
    return more.length === 0 ? membership : [...membership, ...more];
  }

  /** What waited for a clock in doubt runs in the turn that confirms it. */
  #lookWhenSure(): void {
    const isSure = this.state.ages.gaps.length === 0;
    if (isSure && !this.#wasSure) {
      this.#campaigns.lookAgain();
      this.#billing.lookAgain();
    }
    this.#wasSure = isSure;
  }

  /** A few slices of deleted apps; their timers wait with all others. */
  dueWhenFull(): readonly Tell[] {
    const [owner] = this.state.tombstones;
    if (owner === undefined) return [];
    const message = { kind: 'app.sweep', by: system, isExtra: true } as Message;
    return Array.from({ length: sweepsWhenFull }, () => ({ to: owner, message }));
  }

  nextDueMs(): Millis | undefined {
    const never = Number.POSITIVE_INFINITY;
    const next = Math.min(
      this.#membership.nextMs ?? never,
      this.#campaigns.nextMs ?? never,
      this.#journeys.nextMs ?? never,
      this.#expiry.nextMs,
      this.#tells.nextMs ?? never,
      this.#webhooks.nextMs ?? never,
      this.#quiet ? never : (this.#billing.nextMs ?? never),
    );
    return next === never ? undefined : next;
  }

  /** Columns of an app are complete: followed segments can be evaluated again. */
  columnsBecameWhole(owner: Ordinal): void {
    for (const segmentId of this.state.apps.get(owner)?.watches.keys() ?? [])
      this.#membership.reconcile(owner, segmentId);
    this.#campaigns.look(owner); // a campaign may have waited for them
  }

  #noteWave({ record, sending }: AppState, report: WaveReport, { nowMs }: Context): void {
    const wave = sending.waves.get(report.wave);
    if (wave !== undefined) this.#windows.reported(record.ordinal, wave, report, nowMs);
  }

  #noteReports({ destination, reports }: WebhookReports, { owner, nowMs }: Context): void {
    this.#webhooks.returned(owner, destination, reports, nowMs);
  }

  timerMessage(timer: number, ref: TimerRef, _dueMs: Millis): Message {
    const made = this.#timers.get(`${timer}`);
    if (made === undefined) throw new Error(`no timer has the number ${timer}`);
    return { ...made(ref), by: system } as Message;
  }

  /** Sends first, then webhooks: what the sends of this turn mean is written in it. */
  pump(context: PumpContext, budget: number): PumpResult | undefined {
    this.#isShared = context.isShared;
    const { plan, sealer, restored } = this.#options;
    const mayStart = !this.#quiet && !isRestorePending(this.state, restored);
    const sends = mayStart ? this.#pumpSends(context, budget) : undefined;
    if (sends !== undefined) this.#webhooks.willHappen(this.state, sends.entries);
    const webhooks = this.#webhooks.pump(this.state, plan, sealer, context, mayStart);
    if (webhooks === undefined) return sends;
    const { entries = [], documents = [], effects = [], tells = [] } = sends ?? {};
    return {
      entries,
      documents,
      effects: [...effects, ...webhooks.effects],
      tells: [...tells, ...webhooks.tells],
    };
  }

  #pumpSends(context: PumpContext, budget: number): PumpResult | undefined {
    const { ready } = this.state;
    if (ready.size === 0) return undefined;
    const { plan, sealer } = this.#options;
    this.#forgetFacts();
    const entries: Entry[] = [];
    const documents: (DocumentWrite & { readonly owner: Ordinal })[] = [];
    const effects: Effect[] = [];
    const tells: Tell[] = [];
    const rooms = new OrgRooms(this.state, context.nowMs);
    let left = budget;
    let people = context.isShared ? limits.turnPeopleSharedMax : limits.turnPeopleMax;
    for (const owner of [...ready]) {
      const app = context.quarantined.has(owner) ? undefined : this.state.apps.get(owner);
      if (app === undefined) {
        ready.delete(owner);
        continue;
      }
      const room = rooms.of(app.record.org);
      const pumped = pumpApp(app, plan, sealer, this.#credentials, room, context, left);
      const fanned = this.#fanOut(app, room, context, people);
      if (pumped === undefined && fanned === undefined) {
        // Without room left in this turn, the next one asks. Else the app is back by the entry that
        // gives it credit, or at a due time.
        if (people > 0 || app.sending.isEmpty) ready.delete(owner);
        continue;
      }
      const own = [...(pumped?.entries ?? []), ...(fanned?.entries ?? [])];
      entries.push(...own);
      const followed = this.#follow(app, own, context.nowMs);
      for (const { first = [], tells: more = [] } of followed) tells.push(...first, ...more);
      documents.push(...(pumped?.documents ?? []));
      effects.push(...(pumped?.effects ?? []), ...(fanned?.effects ?? []));
      for (const one of followed) effects.push(...(one.effects ?? []));
      left -= pumped?.handled ?? 0;
      people -= fanned?.people ?? 0;
      if (fanned !== undefined) {
        // Round-robin: move a served app to the back.
        ready.delete(owner);
        ready.add(owner);
      }
      if (left <= 0) break;
    }
    if (entries.length === 0) return undefined;
    return { entries, documents, effects, tells };
  }

  /** Campaigns get what single sends leave. */
  #fanOut(
    app: AppState,
    room: OrgRoom,
    context: PumpContext,
    budget: number,
  ): FanOutResult | undefined {
    if (budget <= 0 || app.sending.isEmpty) return undefined;
    const { plan, sealer } = this.#options;
    const fanOutPlan: FanOutPlan = {
      partition: plan.partition,
      dispatchers: plan.dispatchers,
      credentialsOf: (channel) => openCredentials(app, channel, plan, sealer, this.#credentials),
      roomOn: (channel) => this.#windows.roomOn(app, channel, context.nowMs),
      room,
    };
    return fanOut(app, fanOutPlan, context, budget);
  }

  /** The dispatchers are about to end. Due targets wait for the next start. */
  quiesce(): void {
    this.#quiet = true;
  }

  recover(nowMs: Millis): readonly Tell[] {
    this.#hasBegun = true;
    this.#beginClocks(nowMs);
    const tells: Tell[] = [];
    if (this.state.eventIdKey === undefined)
      tells.push({ to: 0, message: { kind: 'partition.found', by: system } as Message });
    const { restored } = this.#options;
    if (isRestorePending(this.state, restored))
      tells.push(...changeAgain(this.state, restored?.changes?.() ?? []));
    tells.push(...restoredTells(this.state, restored));
    for (const [owner, { billing }] of this.state.orgs)
      if (billing.unpaid.some(({ charge }) => charge !== null))
        tells.push({ to: owner, message: { kind: 'billing.resume', by: system } as Message });
    for (const [owner, app] of this.state.apps) {
      if (app.stored.counted !== 'all') tells.push(countTell(owner));
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

  /** An org reaches itself, its apps and bare slots; a deleted one nothing. */
  #mayReach(by: Ordinal, owner: Ordinal): boolean {
    if (this.state.orgs.get(by)?.record.closedMs !== undefined) return false;
    if (by === owner || isSlotAddress(owner)) return true;
    return this.state.apps.get(owner)?.record.org === by;
  }
}

/** Whether an entry of a client's call says that an `identityHash` proved who it is. */
function isProof(entry: Entry): boolean {
  const one = entry as AudienceEntry | EventsEntry;
  if (one.kind === 'subscriber.changed') return one.vouched === true;
  return one.kind === 'events.tracked' && one.proven !== undefined;
}

const nothing: Context['documents'] = {
  get: () => undefined,
  lend: () => false,
  range: () => [],
};

function tableOf(pick: (area: AnyArea) => object | undefined): ReadonlyMap<string, unknown> {
  return new Map(areas.flatMap((area) => Object.entries(pick(area) ?? {})));
}

function what(kind: string): string {
  return kind.startsWith('org.') || kind.startsWith('key.') ? 'org' : 'app';
}
