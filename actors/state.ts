// The memory of one partition: every org, key and app that lives in it. A fold of the log: only
// `apply` functions change it, and a checkpoint is this state written down.

import type { Ordinal } from '../engine/base/brand.ts';
import { ExpiringSet } from '../engine/base/expiring-set.ts';
import type { HashKey } from '../engine/base/hash.ts';
import type { Flag } from './audiences/flags/flag.ts';
import { InAppMessages } from './audiences/inapp/in-app-messages.ts';
import { ContactFacts } from './audiences/segments/contact-facts.ts';
import type { SegmentRecord } from './audiences/segments/protocol.ts';
import { Traits } from './audiences/segments/traits.ts';
import type { Watch } from './audiences/segments/watches.ts';
import type { CredentialName } from './channels/catalog.ts';
import type { WriteKeys } from './events/cdp/protocol.ts';
import { limits } from './limits.ts';
import { People } from './people/audience/people.ts';
import { type IdentityKeys, noIdentityKeys } from './people/identity/records.ts';
import { Campaigns } from './programs/campaigns/campaigns.ts';
import { ReadingHours } from './programs/campaigns/reading-hours.ts';
import { Sending } from './programs/campaigns/sending.ts';
import { Journeys } from './programs/journeys/journeys.ts';
import { CapCounts } from './sending/gate/caps.ts';
import { IdempotencyKeys } from './sending/transactional/idempotency.ts';
import { Outbox } from './sending/transactional/outbox.ts';
import type {
  AppRecord,
  AppSettings,
  CredentialRecord,
  KeyRecord,
  OrgRecord,
} from './tenants/accounts/records.ts';
import { MonthlyActive } from './tenants/usage/monthly-active.ts';
import { OrgMeter } from './tenants/usage/org-meter.ts';

/** One org: its record, its keys and what it used. */
export interface OrgState {
  record: OrgRecord;
  readonly apps: Set<Ordinal>;
  readonly keyIds: Set<string>;
  /** The UTC day (days since the epoch) that `sendsToday` counts. */
  sendsDay: number;
  sendsToday: number;
  /** How many notes its audit log has. */
  auditNotes: number;
  readonly meter: OrgMeter;
}

/** One app: its configuration, its people and what it has to send. */
export interface AppState {
  record: AppRecord;
  settings: AppSettings;
  readonly credentials: Map<CredentialName, CredentialRecord>;
  vapidPublicKey: string | null;
  /** Of the customer-data platform that sends; `null` without that integration. */
  writeKeys: WriteKeys | null;
  /** The keys that prove who a person is. */
  identity: IdentityKeys;
  readonly people: People;
  /** Identity keys (`phone:+66…`, `email:…`) that have opted out. */
  readonly suppressions: Set<string>;
  readonly outbox: Outbox;
  /** Saved filters, by id. */
  readonly segments: Map<string, SegmentRecord>;
  /** Segments whose membership somebody follows, by id. */
  readonly watches: Map<string, Watch>;
  /** What filters ask about, by column. */
  readonly traits: Traits;
  /** What policy asks about people beside that. */
  readonly contact: ContactFacts;
  /** The newest marketing sends, as many as a frequency cap asks about. */
  readonly caps: CapCounts;
  /** How many messages are saved; they are in their table. */
  messageCount: number;
  /** Ids of message templates, by handle; their content is in its table. */
  readonly templates: Map<string, string>;
  /** Feature flags, by key. */
  readonly flags: Map<string, Flag>;
  /** In-app messages, and who did what with them. */
  readonly inApp: InAppMessages;
  readonly campaigns: Campaigns;
  /** What campaigns send, and may still be answered. */
  readonly sending: Sending;
  /** When people open and click. */
  readonly readingHours: ReadingHours;
  /** Journeys, and who is under way in them. */
  readonly journeys: Journeys;
  readonly monthlyActive: MonthlyActive;
  /** The number of the next stored event; gapless within the app. */
  nextEvent: number;
  deadLettersOpen: number;
  /** People erased since the last pass over the sends began; see `erasure.ts`. */
  erasedUnscrubbed: number;
  /** Such a pass is under way. */
  scrubbing: boolean;
  /** Keyless creation of people in the current minute. */
  keylessMinute: number;
  keylessCreated: number;
}

export interface PartitionState {
  readonly orgs: Map<Ordinal, OrgState>;
  readonly orgById: Map<string, Ordinal>;
  readonly apps: Map<Ordinal, AppState>;
  readonly keys: Map<string, KeyRecord & { readonly org: Ordinal }>;
  /**
   * The life of the data that memory knows of: behind the store's from a restore until it has been
   * acted on.
   */
  epoch: number;
  /** Ordinals given out per slot; never reused. */
  readonly ordinalsUsed: Map<number, number>;
  /** Deleted apps whose documents are still being removed in bounded turns. */
  readonly tombstones: Set<Ordinal>;
  idempotency: IdempotencyKeys;
  /** Keys the hashes of event ids; drawn once, when the partition is founded. */
  eventIdKey: HashKey | undefined;
  eventIds: ExpiringSet;
  /** Derived, never written down: apps that may have something to start. */
  readonly ready: Set<Ordinal>;
  /** This process's secret for tables keyed by client strings; not part of the fold. */
  readonly tableKey: HashKey;
}

/** The memory of a new partition. */
export function newPartitionState(tableKey: HashKey): PartitionState {
  return {
    orgs: new Map(),
    orgById: new Map(),
    apps: new Map(),
    keys: new Map(),
    epoch: 1,
    ordinalsUsed: new Map(),
    tombstones: new Set(),
    idempotency: new IdempotencyKeys(),
    eventIdKey: undefined,
    eventIds: new ExpiringSet(limits.eventIdsMax),
    ready: new Set(),
    tableKey,
  };
}

export function newOrgState(record: OrgRecord): OrgState {
  return {
    record,
    apps: new Set(),
    keyIds: new Set(),
    sendsDay: 0,
    sendsToday: 0,
    auditNotes: 0,
    meter: new OrgMeter(),
  };
}

export function newAppState(record: AppRecord, settings: AppSettings, tableKey: HashKey): AppState {
  return {
    record,
    settings,
    credentials: new Map(),
    vapidPublicKey: null,
    writeKeys: null,
    identity: noIdentityKeys,
    people: new People(tableKey),
    suppressions: new Set(),
    outbox: new Outbox(),
    segments: new Map(),
    watches: new Map(),
    traits: new Traits(),
    contact: new ContactFacts(),
    caps: new CapCounts(),
    messageCount: 0,
    templates: new Map(),
    flags: new Map(),
    inApp: new InAppMessages(),
    campaigns: new Campaigns(),
    sending: new Sending(),
    readingHours: new ReadingHours(),
    journeys: new Journeys(),
    monthlyActive: new MonthlyActive(),
    nextEvent: 1,
    deadLettersOpen: 0,
    erasedUnscrubbed: 0,
    scrubbing: false,
    keylessMinute: 0,
    keylessCreated: 0,
  };
}
