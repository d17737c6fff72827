// A partition's memory as plain data, and back: what a checkpoint holds. Every app is a part of its
// own, so that a large partition is written and read app by app. Derived and per-process members
// (what is ready to start, the tables' secret) are left out and made again.

import type { SnapshotPart } from '../../engine/actor/machine.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import { ExpiringSet, type ExpiringSetSnapshot } from '../../engine/base/expiring-set.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import { type FlagRecord, flagOf } from '../audiences/flags/flag.ts';
import { InAppMessages, type InAppSnapshot } from '../audiences/inapp/in-app-messages.ts';
import { ContactFacts, type ContactFactsSnapshot } from '../audiences/segments/contact-facts.ts';
import type { SegmentRecord } from '../audiences/segments/protocol.ts';
import { Traits, type TraitsSnapshot } from '../audiences/segments/traits.ts';
import { snapshotsOf, type WatchSnapshot, watchesOf } from '../audiences/segments/watches.ts';
import { People, type PeopleSnapshot } from '../people/audience/people.ts';
import { noIdentityKeys } from '../people/identity/records.ts';
import { Campaigns, type CampaignsSnapshot } from '../programs/campaigns/campaigns.ts';
import { ReadingHours, type ReadingHoursSnapshot } from '../programs/campaigns/reading-hours.ts';
import { Sending, type SendingSnapshot } from '../programs/campaigns/sending.ts';
import { Journeys, type JourneysSnapshot } from '../programs/journeys/journeys.ts';
import { CapCounts, type CapCountsSnapshot } from '../sending/gate/caps.ts';
import { IdempotencyKeys } from '../sending/transactional/idempotency.ts';
import { Outbox } from '../sending/transactional/outbox.ts';
import type { AppState, OrgState, PartitionState } from '../state.ts';
import { MonthlyActive, type MonthlyActiveSnapshot } from '../tenants/usage/monthly-active.ts';
import { OrgMeter, type OrgMeterSnapshot } from '../tenants/usage/org-meter.ts';

type MapValue<M> = M extends Map<unknown, infer Value> ? Value : never;

type OrgSnapshot = Omit<OrgState, 'apps' | 'keyIds' | 'meter' | 'auditNotes'> & {
  /** Older checkpoints did not count. */
  readonly auditNotes?: number;
  /** Older checkpoints have none, but the emails of one month. */
  readonly meter?: OrgMeterSnapshot;
  readonly emailsMonth?: number;
  readonly emailsDelivered?: number;
  readonly apps: readonly Ordinal[];
  readonly keyIds: readonly string[];
};

type AppSnapshot = Omit<
  AppState,
  | 'credentials'
  | 'people'
  | 'suppressions'
  | 'outbox'
  | 'segments'
  | 'watches'
  | 'traits'
  | 'contact'
  | 'templates'
  | 'flags'
  | 'inApp'
  | 'campaigns'
  | 'sending'
  | 'readingHours'
  | 'journeys'
  | 'caps'
  | 'monthlyActive'
> & {
  readonly credentials: readonly (readonly [string, unknown])[];
  readonly people: PeopleSnapshot;
  readonly suppressions: readonly string[];
  readonly outbox: unknown;
  readonly segments: readonly SegmentRecord[];
  readonly watches: readonly WatchSnapshot[];
  readonly traits: TraitsSnapshot;
  readonly contact?: ContactFactsSnapshot; // older checkpoints have none
  readonly templates?: readonly (readonly [name: string, id: string])[]; // nor these
  readonly flags: readonly FlagRecord[];
  readonly inApp: readonly InAppSnapshot[];
  // Older checkpoints have none of these.
  readonly campaigns?: CampaignsSnapshot;
  readonly sending?: SendingSnapshot;
  readonly readingHours?: ReadingHoursSnapshot;
  readonly journeys?: JourneysSnapshot;
  readonly caps?: CapCountsSnapshot;
  readonly monthlyActive?: MonthlyActiveSnapshot; // nor these
};

/** What is of no single app. */
interface SharedPart {
  readonly orgs: readonly (readonly [Ordinal, OrgSnapshot])[];
  readonly keys: readonly (readonly [string, MapValue<PartitionState['keys']>])[];
  readonly epoch: number;
  readonly ordinalsUsed: readonly (readonly [number, number])[];
  readonly tombstones: readonly Ordinal[];
  readonly eventIdKey: HashKey | null;
}

/**
 * Members of the state that have parts of their own, or none because they are derived. A new member
 * must go somewhere.
 */
type Elsewhere = 'apps' | 'idempotency' | 'eventIds' | 'orgById' | 'ready' | 'tableKey';

const sharedPart = 'partition';
const idempotencyPart = 'idempotency';
const eventIdsPart = 'event-ids';
const appPart = /^app-(\d+)$/;

/** The state's parts, each made when it is asked for. */
export function* partsOfState(state: PartitionState): Generator<SnapshotPart> {
  const shared = {
    orgs: [...state.orgs].map(([ordinal, org]): [Ordinal, OrgSnapshot] => [
      ordinal,
      {
        ...org,
        apps: [...org.apps],
        keyIds: [...org.keyIds],
        meter: org.meter.snapshot(),
      },
    ]),
    keys: [...state.keys],
    epoch: state.epoch,
    ordinalsUsed: [...state.ordinalsUsed],
    tombstones: [...state.tombstones],
    eventIdKey: state.eventIdKey ?? null,
  } satisfies Record<Exclude<keyof PartitionState, Elsewhere>, unknown> & SharedPart;
  yield { name: sharedPart, value: shared };
  yield { name: idempotencyPart, value: state.idempotency.snapshot() };
  yield { name: eventIdsPart, value: state.eventIds.snapshot() };
  for (const [ordinal, app] of state.apps) {
    const value: AppSnapshot = {
      ...app,
      credentials: [...app.credentials],
      people: app.people.snapshot(),
      suppressions: [...app.suppressions],
      outbox: app.outbox.snapshot(),
      segments: [...app.segments.values()],
      watches: snapshotsOf(app.watches),
      traits: app.traits.snapshot(),
      contact: app.contact.snapshot(),
      templates: [...app.templates],
      flags: [...app.flags.values()].map(({ record }) => record),
      inApp: app.inApp.snapshot(),
      campaigns: app.campaigns.snapshot(),
      sending: app.sending.snapshot(),
      readingHours: app.readingHours.snapshot(),
      journeys: app.journeys.snapshot(),
      caps: app.caps.snapshot(),
      monthlyActive: app.monthlyActive.snapshot(),
    };
    yield { name: `app-${ordinal}`, value };
  }
}

/** Fills a new state from the parts of a snapshot; apps come in the order they were written. */
export function restoreState(state: PartitionState, parts: Iterable<SnapshotPart>): void {
  for (const { name, value } of parts) {
    const app = appPart.exec(name)?.[1];
    if (app !== undefined) restoreApp(state, Number(app), value as AppSnapshot);
    else if (name === sharedPart) restoreShared(state, value as SharedPart);
    else if (name === idempotencyPart) state.idempotency = IdempotencyKeys.restore(value);
    else if (name === eventIdsPart)
      state.eventIds = ExpiringSet.restore(value as ExpiringSetSnapshot);
    else throw new Error(`a checkpoint has a part ${name} that this program does not know`);
  }
}

function restoreShared(state: PartitionState, from: SharedPart): void {
  for (const [ordinal, org] of from.orgs) {
    state.orgs.set(ordinal, restoredOrg(org));
    state.orgById.set(org.record.id, ordinal);
  }
  for (const [keyId, key] of from.keys) state.keys.set(keyId, key);
  state.epoch = from.epoch;
  for (const [slot, used] of from.ordinalsUsed) state.ordinalsUsed.set(slot, used);
  for (const ordinal of from.tombstones) state.tombstones.add(ordinal);
  state.eventIdKey = from.eventIdKey ?? undefined;
}

function restoredOrg(from: OrgSnapshot): OrgState {
  const { meter, emailsMonth = 0, emailsDelivered: delivered = 0, ...org } = from;
  const included = org.record.emailAllowance;
  const emails = delivered === 0 ? [] : [[emailsMonth, { delivered, included }] as const];
  return {
    ...org,
    apps: new Set(org.apps),
    keyIds: new Set(org.keyIds),
    auditNotes: org.auditNotes ?? 0,
    meter: OrgMeter.restore(meter ?? { emails, deleted: [], earlier: [] }),
  };
}

function restoreApp(state: PartitionState, ordinal: Ordinal, from: AppSnapshot): void {
  state.apps.set(ordinal, {
    ...from,
    writeKeys: from.writeKeys ?? null, // older checkpoints have none
    identity: from.identity ?? noIdentityKeys, // nor these
    credentials: new Map(from.credentials) as AppState['credentials'],
    people: People.restore(from.people, state.tableKey),
    suppressions: new Set(from.suppressions),
    outbox: Outbox.restore(from.outbox),
    segments: new Map(from.segments.map((segment) => [segment.id, segment])),
    watches: watchesOf(from.watches ?? []), // older checkpoints have none
    traits: Traits.restore(from.traits),
    contact: from.contact === undefined ? new ContactFacts() : ContactFacts.restore(from.contact),
    // Older checkpoints have none of these.
    messageCount: from.messageCount ?? 0,
    templates: new Map(from.templates ?? []),
    flags: new Map((from.flags ?? []).map((record) => [record.key, flagOf(record)])),
    inApp: InAppMessages.restore(from.inApp ?? []),
    campaigns: Campaigns.restore(from.campaigns),
    sending: Sending.restore(from.sending),
    readingHours: ReadingHours.restore(from.readingHours ?? []),
    journeys: Journeys.restore(from.journeys),
    caps: CapCounts.restore(from.caps ?? []),
    monthlyActive: MonthlyActive.restore(from.monthlyActive),
  });
}
