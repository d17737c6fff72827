// The form of an area: all that one part of the product adds, as one value. The runtime loops over
// the list of areas (`runtime/areas.ts`).

import type { Rebase, TimerRef } from '../engine/actor/machine.ts';
import type {
  Ages,
  Context,
  Decision,
  DocumentReader,
  DocumentWrite,
  Effect,
  Entry,
  KeyPart,
  Message,
  TypedTable,
} from '../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../engine/base/brand.ts';
import type { Fault } from '../engine/base/fault.ts';
import type { HashKey } from '../engine/base/hash.ts';
import type { Rng } from '../engine/base/rng.ts';
import type { SubscriberRow } from '../storage/tables/subscriber.ts';
import type { AppCheck, CheckedApp } from './area-check.ts';
import type { AreaClock } from './area-clock.ts';
import type { NoteText } from './audit-note.ts';
import type { PoolQuestion } from './pool-question.ts';
import type { InFlightOf, Recall } from './recall.ts';
import type { StoredShare } from './stored-share.ts';
import type { AppRecord, AppSettings, OrgRecord } from './tenants/accounts/records.ts';
import type { Undone } from './undone.ts';

/**
 * How a message uses its org's storage: it adds something whose size is known only afterwards, the
 * same for a caller without proof of who it is, or it copies or marks what there was room for.
 */
export type StorageUse = 'adds' | 'adds_unproven' | 'copies';

/** Facts of an entry (`events/facts.ts`, of a later house). */
interface EntryMeaning {
  batches(): Iterable<unknown>;
}

/** A decision that is not refused. */
export type Accepted = Extract<Decision, { readonly outcome: 'accepted' }>;

/** The apps of a partition, with the members that an area may read. */
export interface AppsOf<App> {
  readonly apps: ReadonlyMap<Ordinal, App>;
}

/** For folds that let something expire; decisions have it in their context. */
export interface Aged {
  readonly ages: Ages;
}

/** Members that an area adds to the memory of an app, an org or a partition. */
export interface Slice<Own, Snapshot, From> {
  make(from: From): Own;
  /** As plain data, for a checkpoint. */
  snapshot(own: Own): Snapshot;
  restore(from: Snapshot, app: Pick<NewApp, 'tableKey'>): Own;
}

export interface NewApp {
  readonly record: AppRecord;
  /** This process's secret for hash tables with client strings as keys. */
  readonly tableKey: HashKey;
  /** The memory of its org; each area knows its own members of it. */
  readonly org?: object | undefined;
}

export interface NewOrg {
  readonly record: OrgRecord;
}

/** A part of a checkpoint that gets a file of its own. */
export interface Part<State> {
  readonly name: string;
  readonly snapshot: (state: State) => unknown;
  readonly restore: (state: State, value: unknown) => void;
}

/** By the timer's number at rest: append only. The runtime adds `by`, the system. */
export type AreaTimers = Readonly<Record<number, (ref: TimerRef) => Message>>;

/** `person` becomes an alias of `into`. */
interface PersonMerged {
  readonly person: PersonOrdinal;
  readonly into: PersonOrdinal;
  readonly atMs: Millis;
}

/** `names`: all ordinals of the erased person, the person's own first. */
interface PersonErased {
  readonly person: PersonOrdinal;
  readonly names: readonly PersonOrdinal[];
}

/** A restore holds back what was pending in the backup. */
export interface BackupRestored {
  readonly resend: 'none' | 'transactional';
  readonly atMs: Millis;
}

/** What an area does about events that may concern every area. */
export interface Hooks<State, App> {
  /** Entries that go with a new app. */
  readonly createApp?: (owner: Ordinal, nowMs: Millis, rng: Rng) => readonly Entry[];
  /** Its documents of a person, as they are after the erasure. */
  readonly erasePerson?: (
    app: App,
    row: SubscriberRow,
    context: Context,
  ) => readonly DocumentWrite[];
  /** Its documents of a person who expires, who has nothing under way. */
  readonly expirePerson?: (
    app: App,
    row: SubscriberRow,
    context: Context,
  ) => readonly DocumentWrite[];
  /** Its documents of two people, as they are after the first is merged into the second. */
  readonly mergePeople?: (
    from: SubscriberRow,
    into: SubscriberRow,
    context: Pick<Context, 'documents'>,
  ) => readonly DocumentWrite[];
  /** Entries that make it hold, after a restore, what must not continue by itself. */
  readonly restoreBackup?: (app: App, nowMs: Millis) => readonly Entry[];
  // Folds. Each runs before the area that owns the entry folds it, the last area first.
  readonly personErased?: (app: App, erased: PersonErased) => void;
  /** For an area with `personErased`: what is left of people who had nothing under way. */
  readonly peopleExpired?: (app: App, people: Iterable<PersonOrdinal>) => void;
  readonly personMerged?: (app: App, merged: PersonMerged) => void;
  readonly appDeleted?: (state: State, app: App, atMs: Millis) => void;
  /** Runs at every restore, also at one that holds nothing back. */
  readonly restoreBegun?: (app: App, atMs: Millis) => void;
  readonly backupRestored?: (app: App, restored: BackupRestored) => void;
  /** The same, once for a partition. */
  readonly partitionRestored?: (state: State) => void;
  readonly orgChanged?: (state: State, org: OrgRecord, atMs: Millis) => void;
  readonly settingsChanged?: (app: App, settings: AppSettings, atMs: Millis | undefined) => void;
  /** Events before an instant are hidden for good, because the retention changed. */
  readonly eventsGone?: (app: App, beforeMs: Millis) => void;
  /** Awaited instants, and stamps of the wrong time, become those of the right clock. */
  readonly clockRebased?: (state: State, to: Rebase) => void;
}

/** What decisions ask of all areas. */
export interface EveryArea<App> {
  /** Every table whose rows belong to an app. */
  readonly appTables: readonly TypedTable<object>[];
  readonly stored: Required<Pick<StoredShare<App>, 'tables' | 'sums'>>;
  readonly createApp: NonNullable<Hooks<never, App>['createApp']>;
  readonly erasePerson: NonNullable<Hooks<never, App>['erasePerson']>;
  readonly expirePerson: NonNullable<Hooks<never, App>['expirePerson']>;
  readonly mergePeople: NonNullable<Hooks<never, App>['mergePeople']>;
  readonly restoreBackup: NonNullable<Hooks<never, App>['restoreBackup']>;
}

/** Some members of `Whole`; only the area knows their form as plain data. */
interface SliceOf<Whole, From> {
  readonly make: (from: From) => Partial<Whole>;
  readonly snapshot: (own: Whole) => object;
  readonly restore: (from: never, app: Pick<NewApp, 'tableKey'>) => Partial<Whole>;
}

/** Something that people edit, as it is now. */
export interface Editable {
  /** Names it in the table of last edits; absent where nobody is kept. */
  readonly key?: string;
  /** Absent if it does not exist yet. */
  readonly etag?: string;
  /** Where its record says when it was changed last, also by others than callers. */
  readonly changedMs?: Millis;
}

/** What a message is about to change; `undefined` if the message will be refused. */
export type EditableOf<State> = (
  state: State,
  message: never,
  context: Context,
) => Editable | undefined;

/** Rows that memory has instead of a table. Decisions read and write them like other documents. */
export interface RememberedTable<App, Row extends object> {
  readonly table: TypedTable<Row>;
  /** `stored`: the app's documents at rest, and what this turn wrote. */
  readonly row: (
    app: App,
    key: readonly KeyPart[],
    stored: Pick<DocumentReader, 'get'>,
  ) => Row | undefined;
  /** The entry for what a decision writes. */
  readonly entry: (
    app: App,
    writes: readonly DocumentWrite[],
    context: Pick<Context, 'owner' | 'rng'>,
  ) => Entry;
}

/** `Rules`: the operator's settings that its decisions need. */
export interface Area<Rules, State, App, Org> {
  readonly name: string;
  readonly app?: SliceOf<App, NewApp>;
  readonly org?: SliceOf<Org, NewOrg>;
  readonly partition?: SliceOf<State, Pick<NewApp, 'tableKey'>>;
  readonly parts?: readonly Part<State>[];
  /** One function per message. Called once per partition. */
  readonly decide?: (
    rules: Rules,
  ) => Readonly<Record<string, (state: State, message: never, context: Context) => Decision>>;
  /** Messages that the host answers with its pool, which asks the app first; by kind. */
  readonly asks?: Readonly<Record<string, PoolQuestion<never>>>;
  /** For each message that changes something that people edit: what that is (`If-Match`). */
  readonly edits?: Readonly<Record<string, EditableOf<State>>>;
  /** The same for messages that delete it. */
  readonly ends?: Readonly<Record<string, EditableOf<State>>>;
  /** One fold per entry. */
  readonly apply?: Readonly<Record<string, (state: State, entry: never) => void>>;
  /** What its entries mean to others, and entries of areas before events; by kind. */
  readonly facts?: Readonly<Record<string, (entry: never) => EntryMeaning>>;
  /** Entries that mean nothing to others. */
  readonly silent?: readonly string[];
  /** What the audit log notes of its entries (`audit-note.ts`). */
  readonly notes?: Readonly<
    Record<
      string,
      (state: State, entry: never, context: Context, message: Message) => NoteText | undefined
    >
  >;
  /** What it notes of a message as a whole, by kind, with the entries of its decision. */
  readonly notesOfCalls?: Readonly<
    Record<string, (message: Message, entries: readonly Entry[]) => NoteText | undefined>
  >;
  /** What dispatchers must not begin any more after an entry, by kind. */
  readonly recalls?: Readonly<Record<string, (state: State, entry: never) => Recall | undefined>>;
  readonly inFlight?: InFlightOf<App>;
  /** What a restore must not undo, by kind of entry. */
  readonly undone?: Readonly<Record<string, Undone<State, never>>>;
  /** Messages that are handled while the disk is nearly full. */
  readonly whenDiskIsFull?: readonly string[];
  /** Tables whose rows belong to an app. */
  readonly tables?: readonly TypedTable<object>[];
  readonly remembers?: readonly RememberedTable<App, object>[];
  readonly timers?: AreaTimers;
  /** What counts for the storage quota of the app's org. */
  readonly stored?: StoredShare<App>;
  /** What messages store, by kind, for the storage quota of the app's org. */
  readonly stores?: Readonly<
    Record<string, StorageUse | ((message: never, app: App) => StorageUse | undefined)>
  >;
  /** Compares what an app stores twice. */
  readonly check?: (app: App, checked: CheckedApp) => AppCheck;
  readonly on?: Hooks<State, App>;
  /** What it does without being asked. Made at every start. */
  readonly clock?: (rules: Rules) => AreaClock<State, App>;
  /** For messages of any area to an app: why this one has it refused. */
  readonly refuses?: Readonly<Record<string, (app: App, message: Message) => Fault | undefined>>;
  /** Answers about something of another tenant, as about something unknown, without documents. */
  readonly unknown?: Readonly<
    Record<
      string,
      (message: never, blind: Context, decide: (blind: Context) => Decision) => Decision
    >
  >;
  /** What follows from the documents of any decision. */
  readonly derive?: (
    app: App,
    message: Message,
    decision: Accepted,
    context: Context,
  ) => Entry | readonly Entry[] | undefined;
  /** Effects that follow from the entries of any decision, which are not folded yet. */
  readonly announce?: (
    state: State,
    entries: readonly Entry[],
    context: Context,
  ) => readonly Effect[];
}
