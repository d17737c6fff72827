// The port of an area: all that one part of the product brings, as one value. The runtime is loops
// over the list of areas (`runtime/areas.ts`): what is not in the list does not exist.

import type { TimerRef } from '../engine/actor/machine.ts';
import type {
  Context,
  Decision,
  DocumentWrite,
  Entry,
  Message,
  TypedTable,
} from '../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../engine/base/brand.ts';
import type { HashKey } from '../engine/base/hash.ts';
import type { SubscriberRow } from '../storage/tables/subscriber.ts';
import type { AppCheck, CheckedApp } from './area-check.ts';
import type { AppRecord, AppSettings, OrgRecord } from './tenants/accounts/records.ts';

/** A partition as an area sees it: its apps, with the members that the area may read. */
export interface AppsOf<App> {
  readonly apps: ReadonlyMap<Ordinal, App>;
}

/** Members that an area adds to the memory of an app, of an org or of a partition. */
export interface Slice<Own, Snapshot, Born> {
  make(born: Born): Own;
  /** As plain data, for a checkpoint. */
  snapshot(own: Own): Snapshot;
  restore(from: Snapshot, born: Pick<AppBorn, 'tableKey'>): Own;
}

export interface AppBorn {
  readonly record: AppRecord;
  /** This process's secret for tables that client strings are keys of. */
  readonly tableKey: HashKey;
}

export interface OrgBorn {
  readonly record: OrgRecord;
}

/** A part of a partition's checkpoint that is large enough for a file of its own. */
export interface Part<State> {
  readonly name: string;
  readonly snapshot: (state: State) => unknown;
  readonly restore: (state: State, value: unknown) => void;
}

/**
 * Messages that timers become, by the number that stands for them at rest. Append only: the numbers
 * are in checkpoints and logs. The runtime adds the caller, which is the system.
 */
export type AreaTimers = Readonly<Record<number, (ref: TimerRef) => Message>>;

/** `person` becomes an alias of `into`. */
interface PersonMerged {
  readonly person: PersonOrdinal;
  readonly into: PersonOrdinal;
  readonly atMs: Millis;
}

/** A person is erased. `names` are all ordinals that stand for them, theirs first. */
interface PersonErased {
  readonly person: PersonOrdinal;
  readonly names: readonly PersonOrdinal[];
}

/** A restore holds back what was pending in the backup. */
export interface BackupRestored {
  readonly resend: 'none' | 'transactional';
  readonly atMs: Millis;
}

/** What an area does when something happens that may concern every area. */
export interface Hooks<State, App> {
  /** Entries that go with a new app. */
  readonly createApp?: (owner: Ordinal, nowMs: Millis) => readonly Entry[];
  /** Its documents of a person, as they stand after the person is erased. */
  readonly erasePerson?: (
    app: App,
    row: SubscriberRow,
    context: Context,
  ) => readonly DocumentWrite[];
  /** Its documents of two people, as they stand after the first is merged into the second. */
  readonly mergePeople?: (
    from: SubscriberRow,
    into: SubscriberRow,
    context: Pick<Context, 'documents'>,
  ) => readonly DocumentWrite[];
  /** Entries that make it hold, after a restore, what must not go on by itself. */
  readonly restoreBackup?: (app: App, nowMs: Millis) => readonly Entry[];
  // Folds. Each runs before the area that owns the entry folds it, the last area's first.
  readonly personErased?: (app: App, erased: PersonErased) => void;
  readonly personMerged?: (app: App, merged: PersonMerged) => void;
  readonly appDeleted?: (state: State, app: App, atMs: Millis) => void;
  readonly backupRestored?: (app: App, restored: BackupRestored) => void;
  readonly settingsChanged?: (app: App, settings: AppSettings) => void;
}

/** What decisions that concern every area ask of all of them. */
export interface EveryArea<App> {
  /** Every table whose rows belong to an app. */
  readonly appTables: readonly TypedTable<object>[];
  readonly createApp: NonNullable<Hooks<never, App>['createApp']>;
  readonly erasePerson: NonNullable<Hooks<never, App>['erasePerson']>;
  readonly mergePeople: NonNullable<Hooks<never, App>['mergePeople']>;
  readonly restoreBackup: NonNullable<Hooks<never, App>['restoreBackup']>;
}

/** Some members of `Whole`; what they are as plain data is the area's own affair. */
interface SliceOf<Whole, Born> {
  readonly make: (born: Born) => Partial<Whole>;
  readonly snapshot: (own: Whole) => object;
  readonly restore: (from: never, born: Pick<AppBorn, 'tableKey'>) => Partial<Whole>;
}

/** One area. `Rules`: what the operator's set-up tells its decisions. */
export interface Area<Rules, State, App, Org> {
  readonly name: string;
  readonly app?: SliceOf<App, AppBorn>;
  readonly org?: SliceOf<Org, OrgBorn>;
  readonly partition?: SliceOf<State, Pick<AppBorn, 'tableKey'>>;
  readonly parts?: readonly Part<State>[];
  /** One function a message. Built once a partition. */
  readonly decide?: (
    rules: Rules,
  ) => Readonly<Record<string, (state: State, message: never, context: Context) => Decision>>;
  /** One fold an entry. */
  readonly apply?: Readonly<Record<string, (state: State, entry: never) => void>>;
  /** Messages that are handled while the disk is nearly full. */
  readonly whenDiskIsFull?: readonly string[];
  /** Tables whose rows belong to an app. */
  readonly tables?: readonly TypedTable<object>[];
  readonly timers?: AreaTimers;
  /** What of an app is written down twice, and must agree. */
  readonly check?: (app: App, checked: CheckedApp) => AppCheck;
  readonly on?: Hooks<State, App>;
}
