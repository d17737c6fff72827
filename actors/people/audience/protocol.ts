// Messages and entries of people.

import type { DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Bytes, Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type {
  ContactTrait,
  DeviceRow,
  RegisteredBy,
  SubscriberRow,
  TagValue,
} from '../../../storage/tables/subscriber.ts';
import type { SuppressionRow } from '../../../storage/tables/suppression.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { AboutSend, MessageNamed } from '../about-send.ts';

/** A device as reads show it: with the opt-out of its address. */
export interface ShownDevice extends DeviceRow {
  readonly suppressed: DeviceOptOut | null;
  /** The address rests after soft bounces: no marketing until then. */
  readonly restingUntilMs?: Millis;
}

interface DeviceOptOut {
  /** `marketing`: transactional messages may still be sent. */
  readonly scope: 'all' | 'marketing';
  /** As given, else where the opt-out came from. */
  readonly reason: string | null;
  readonly source: SuppressionRow['source'] | null;
  readonly atMs: Millis | null;
}

/** A person as every read of the API shows them. */
export interface SubscriberView
  extends Omit<
    SubscriberRow,
    | 'preferredChannels'
    | 'timezone'
    | 'externalUserId'
    | 'devices'
    | 'unclaimed'
    | 'generation'
    | 'proven'
    | 'endedSessions'
  > {
  readonly devices: readonly ShownDevice[];
  readonly externalUserId: string | null;
  /** From the tags that the app's settings name. */
  readonly displayName: string | null;
  readonly preferredChannels: readonly string[] | null;
  readonly timezone: string | null;
  /** `null` if never active. */
  readonly lastActiveMs: Millis | null;
}

export interface DeviceInput {
  readonly channel: ChannelId;
  readonly endpoint: unknown;
  readonly environment?: 'production' | 'sandbox';
  readonly enabled?: boolean;
  /** Why it is disabled; ignored for an enabled one. */
  readonly disabledReason?: string;
  /** Absent for a call with a key. */
  readonly registeredBy?: RegisteredBy;
  /** The trait of a customer-data platform that names it. */
  readonly fromTrait?: ContactTrait;
  /** Its place in the call, where devices before it were refused already. */
  readonly place?: number;
}

/** A device that was left out, and why; `error` starts with the field's name. */
export interface RefusedDevice {
  /** Its place in the call. */
  readonly device: number;
  readonly error: string;
}

/** `doubleOptIn`: email addresses and choices wait until their owner confirms them. */
export type Consent = 'confirmed' | 'doubleOptIn';

/** Absent members stay as they are. */
export interface SubscriberInput {
  readonly externalUserId?: string;
  readonly tags?: Readonly<Record<string, TagValue | null>>;
  /** Choices by topic; `null` removes one. The same as the tags `topic.<key>`. */
  readonly topics?: Readonly<Record<string, TagValue | null>>;
  /** `null` clears the preference. */
  readonly preferredChannels?: readonly ChannelId[] | null;
  readonly timezone?: string | null;
  readonly devices?: readonly DeviceInput[];
  /** Devices of an import's row that the edge has refused. */
  readonly refused?: readonly RefusedDevice[];
}

/** By subscriber id or by external user id. */
export type PersonRef =
  | { readonly id: string }
  /** `isPrefixed`: given in the place of a subscriber id, as `external:…`. */
  | { readonly externalUserId: string; readonly isPrefixed?: true };

export interface Page<Item> {
  readonly items: readonly Item[];
  readonly nextCursor: string | null;
}

/** By time of creation. */
export type ListOrder = 'newest' | 'oldest';

/** `total`: items on all pages; `null` where counting would read them all. */
export interface CountedPage<Item> extends Page<Item> {
  readonly total: number | null;
}

/** `oldest` by default. A cursor belongs to its order. */
export interface OrderedPage {
  readonly order?: ListOrder;
  readonly limit: number;
  readonly cursor?: string;
}

/** Who opted out, and the details of their events. */
export interface Unsubscribed {
  readonly people: readonly PersonOrdinal[];
  /** The runtime assigns it; 0 until then, here and in all entries that have it. */
  firstEvent: number;
  readonly atMs: Millis;
  readonly channel: ChannelId;
  readonly source: 'unsubscribe' | 'callback' | 'bounce';
  readonly reason?: string;
  /** Absent: of everything. */
  readonly scope?: 'marketing';
  /** By which message, if that is known; absent in older entries. */
  readonly about?: AboutSend;
  /** The relay where they said so, and what that was called then. */
  readonly relay?: string;
  readonly relayName?: string;
}

/** A text that is no keyword and may ask for what STOP does. */
export interface DoubtfulText {
  readonly id: string;
  readonly identityKey: string;
  readonly channel: ChannelId;
  /** Empty once one of several people at the address was erased: they may have written it. */
  readonly words: string;
  /** The message that it answers, as far as that is known. */
  readonly about?: AboutSend;
  /** Whose address it was when it came: an erasure finds them without the device, too. */
  readonly people: readonly PersonOrdinal[];
  /** When it came. */
  readonly atMs: Millis;
}

/** The same as lists show it. */
export interface ShownDoubt {
  readonly id: string;
  readonly channel: ChannelId;
  readonly address: string;
  readonly words: string;
  /** When it came. */
  readonly atMs: Millis;
  /** Whose address it is now. */
  readonly subscribers: readonly { readonly id: string; readonly externalUserId: string | null }[];
}

/**
 * Why a row of an import was refused, or the `device` of one that is stored without it; `error`
 * starts with the field's name.
 */
export interface RowError {
  readonly row: number;
  readonly error: string;
  readonly device?: number;
}

/** A row of an import of opt-outs. */
export interface OptOutInput {
  readonly channel: ChannelId;
  readonly address: string;
  readonly reason?: string;
  /** Absent: everything. */
  readonly scope?: 'marketing';
}

export interface SuppressionsImported {
  /** New, or wider than what was there. */
  readonly added: number;
  /** Suppressed already, by a record or an earlier row. */
  readonly known: number;
  /** In order of `row`. */
  readonly errors: readonly RowError[];
}

export interface ImportReply {
  /** Rows decided, from the first on; send the rest again as a slice of its own. */
  readonly handled: number;
  readonly created: number;
  readonly updated: number;
  /** With `doubleOptIn`: people with an address or a choice that waits for its confirmation. */
  readonly unconfirmed?: number;
  /** Choices that would have brought people back into a topic, if there are any. */
  readonly keptOut?: number;
  /** In order of `row`, which counts within the slice. Those without `device` are refused rows. */
  readonly errors: readonly RowError[];
}

/** The texts of a column by code, from 1 on; 0 is none. */
export interface CodedColumn<Value> {
  readonly values: readonly Value[];
  /** By row. */
  readonly codes: Uint16Array;
}

/**
 * Rows of an import in columns: most rows of a slice, each with its record as bytes, so that the
 * shard neither makes nor copies an object for somebody who is new. `pack-rows.ts` makes them. At
 * most 65,535. Ends are those of one row after another.
 */
export interface PackedRows {
  readonly count: number;
  /** Where the texts of external ids are in `fields`; `end` is 0 for a row without one. */
  readonly ids: { readonly start: Uint32Array; readonly end: Uint32Array };
  /** The fields of records from `externalUserId` to `updatedMs`, with places for what is new. */
  readonly fields: Uint8Array;
  readonly fieldEnds: Uint32Array;
  /** An upper bound of the record's bytes as JSON, by row. */
  readonly bytesMax: Uint32Array;
  /** What the columns count as the row's bytes (`traits.changed`). */
  readonly counted: Uint32Array;
  readonly devices: PackedDevices;
  readonly tags: readonly (CodedColumn<TagValue> & { readonly name: string })[];
  readonly zones: CodedColumn<string>;
  /** Preferred channels as bits in the catalog's order, by row. */
  readonly preferred: Uint16Array;
}

interface PackedDevices {
  /** By row. */
  readonly ends: Uint32Array;
  /** Indexes into `channelIds`, by device as all that follow. */
  readonly channels: Uint8Array;
  /** Where the texts of id and endpoint are in `fields`. */
  readonly idAt: Uint32Array;
  readonly endpointAt: Uint32Array;
  readonly endpointEnds: Uint32Array;
  /** 16 bytes each, of SHA-256 of the normal form. */
  readonly keys: Uint8Array;
}

/** What slices that were only tried would have written: the next one is decided after them. */
export interface TriedImport {
  /** The last one of each key. */
  readonly writes: ReadonlyMap<string | number, DocumentWrite>;
  readonly newcomers: ReadonlyMap<string, PersonOrdinal>;
  readonly created: number;
  /** Names that the app has no column for. */
  readonly tags: ReadonlySet<string>;
}

/** As `topics/choices.ts` has it. */
type TopicChoice = 'in' | 'out' | 'pending';

export interface Preferences {
  /** `null` for no preference. */
  readonly channels: readonly ChannelId[] | null;
  /** Every topic of the app, by key. */
  readonly topics: Readonly<Record<string, TopicChoice>>;
  readonly language: string | null;
  readonly timezone: string | null;
  /** Channels on which every enabled address has opted out of marketing. */
  readonly suppressed: readonly ChannelId[];
}

/** Absent members stay; `null` clears. */
export interface PreferenceChange {
  readonly channels?: readonly ChannelId[] | null;
  readonly topics?: Readonly<Record<string, TopicChoice | null>>;
  readonly language?: string | null;
  readonly timezone?: string | null;
}

export interface AudienceProtocol {
  'subscriber.upsert': {
    body: Caller & { subscriber: SubscriberInput; consent?: Consent };
    reply: { subscriber: SubscriberView; created: boolean };
  };
  /** Upserts the rows in order, each accepted or refused by itself. */
  'subscriber.import': {
    body: Caller & {
      /** `null` for the next row of `packed`. */
      rows: readonly (SubscriberInput | null)[];
      packed?: PackedRows;
      consent?: Consent;
    };
    reply: ImportReply;
  };
  /** What an import of the rows would answer. The host asks for it slice by slice. */
  'subscriber.try_import': {
    body: Caller & { rows: readonly SubscriberInput[]; consent?: Consent };
    reply: Omit<ImportReply, 'handled'>;
  };
  'subscriber.try_slice': {
    body: Caller & { rows: readonly SubscriberInput[]; tried?: TriedImport; consent?: Consent };
    reply: ImportReply & { readonly tried: TriedImport };
  };
  'subscriber.read': { body: Caller & { ref: PersonRef }; reply: SubscriberView };
  'subscriber.patch': {
    body: Caller & { ref: PersonRef; patch: Omit<SubscriberInput, 'externalUserId' | 'devices'> };
    reply: SubscriberView;
  };
  'preferences.read': { body: Caller & { ref: PersonRef }; reply: Preferences };
  /** `page`: the person, on a page of ours. */
  'preferences.set': {
    body: Caller & { ref: PersonRef; change: PreferenceChange; source?: 'page' };
    reply: Preferences;
  };
  'subscriber.list': {
    body: Caller & {
      externalUserId?: string;
      /** Of a device. */
      address?: string;
      /** `address` must be a phone number. */
      isPhone?: true;
      channel?: ChannelId;
    } & OrderedPage;
    reply: CountedPage<SubscriberView>;
  };
  'device.add': { body: Caller & { ref: PersonRef; device: DeviceInput }; reply: ShownDevice };
  'device.enable': {
    body: Caller & { ref: PersonRef; deviceId: string; enabled: boolean };
    reply: ShownDevice;
  };
  'device.remove': { body: Caller & { ref: PersonRef; deviceId: string }; reply: null };
  'suppression.add': {
    body: Caller & {
      channel: ChannelId;
      address: string;
      reason?: string;
      source: SuppressionRow['source'];
      /** Absent: everything. Of a marketing mail's link `unsubscribeScope` decides. */
      scope?: 'marketing';
      /** The message by which the person asks for it. */
      about?: MessageNamed;
    };
    reply: SuppressionRow;
  };
  /** As many `suppression.add` of a tenant. `isDry`: what it would answer, and nothing written. */
  'suppression.import': {
    body: Caller & { rows: readonly OptOutInput[]; isDry?: true };
    reply: SuppressionsImported;
  };
  'suppression.remove': { body: Caller & { channel: ChannelId; address: string }; reply: null };
  'suppression.list': {
    body: Caller & {
      channel?: ChannelId;
      address?: string;
      /** How the address begins. */
      q?: string;
      limit: number;
      cursor?: string;
    };
    reply: CountedPage<SuppressionRow>;
  };
  /** Newest first. */
  'doubtful_opt_out.list': {
    body: Caller & { limit: number; cursor?: string };
    reply: CountedPage<ShownDoubt>;
  };
  /** The opt-out; `null` for a text that was none. */
  'doubtful_opt_out.decide': {
    body: Caller & { id: string; decision: 'opt_out' | 'dismiss'; scope?: 'marketing' };
    reply: SuppressionRow | null;
  };
  /** Reads addresses of earlier builds into memory, some in a turn. */
  'endpoints.gather': { body: Caller; reply: null };
  /** What is too old to decide about ends. */
  'doubtful_opt_out.expire': { body: Caller; reply: null };
}

/** The people that one slice of an import created, in columns. */
export interface ImportedEntry extends Entry {
  readonly kind: 'subscribers.imported';
  /** Ascending. */
  readonly people: Uint32Array;
  /** External ids in UTF-8, one after another; a person without one has none between two ends. */
  readonly ids: Uint8Array;
  readonly idEnds: Uint32Array;
  readonly atMs: Millis;
  readonly tags: readonly (CodedColumn<TagValue> & { readonly name: string })[];
  readonly zones?: CodedColumn<string>;
  // Channels as bits in the catalog's order, by person.
  /** With a device whose address takes messages. */
  readonly reach: Uint16Array;
  readonly preferred?: Uint16Array;
  /** With more than one device. */
  readonly several?: Uint16Array;
  /** With a device whose address opted out. */
  readonly optedOut?: Uint16Array;
  /** Of their records, as `traits.changed` counts them. */
  readonly countedBytes: Bytes;
}

/** The tag values that one slice of an import changed, in columns. */
export interface RetaggedEntry extends Entry {
  readonly kind: 'subscribers.retagged';
  /** In the order of their rows. */
  readonly people: Uint32Array;
  readonly atMs: Millis;
  /** A code of 0: the person's value stays. */
  readonly tags: readonly (CodedColumn<TagValue> & { readonly name: string })[];
  /** What their records grew by, as `traits.changed` counts them. */
  readonly grewBytes: Bytes;
}

/** Addresses have other owners; in columns. */
export interface EndpointsEntry extends Entry {
  readonly kind: 'endpoints.changed';
  /** Two words of a keyed hash for each address. */
  readonly hashes: Uint32Array;
  /** The ordinal plus one, by address; 0 for nobody. */
  readonly people: Uint32Array;
  /** Of the hash; with the first one of an app. */
  readonly key?: { readonly low: number; readonly high: number };
  /** The table of earlier builds has no rows of the app any more. */
  readonly isWhole?: true;
}

export type AudienceEntry =
  | ImportedEntry
  | RetaggedEntry
  | EndpointsEntry
  | (Entry & {
      readonly kind: 'subscriber.created';
      readonly person: PersonOrdinal;
      readonly externalUserId: string | null;
      readonly atMs: Millis;
      /** Created without an API key: counts against the app's limit. */
      readonly keyless: boolean;
    })
  | (Entry & {
      readonly kind: 'subscriber.changed';
      readonly person: PersonOrdinal;
      readonly atMs: Millis;
      /** By an API key or with an identity hash: the person is no invention of a stranger. */
      readonly vouched?: true;
    })
  /** An anonymous person got an external id that nobody had. */
  | (Entry & {
      readonly kind: 'subscriber.identified';
      readonly person: PersonOrdinal;
      readonly externalUserId: string;
    })
  /** `person` becomes `into`. Documents have devices, tags and record; memory moves the rest. */
  | (Entry & {
      readonly kind: 'subscriber.merged';
      readonly person: PersonOrdinal;
      readonly into: PersonOrdinal;
      readonly atMs: Millis;
      /** By a login without an `identityHash`. */
      readonly unproven?: true;
    })
  | (Entry & {
      readonly kind: 'suppression.added';
      readonly identityKey: string;
      /** What it covers from now on; absent: everything. */
      readonly scope?: 'marketing';
      /** Its record; absent in entries of older versions. */
      readonly row?: SuppressionRow;
      /** Given if the people opted out themselves: an event `unsubscribed` for each. */
      readonly unsubscribed?: Unsubscribed;
    })
  | (Entry & { readonly kind: 'suppression.removed'; readonly identityKey: string })
  /** Takes the place of an earlier text of the address. */
  | (Entry & { readonly kind: 'opt_out.doubted'; readonly doubt: DoubtfulText })
  /** An opt-out of everything ends the text of its address by itself. */
  | (Entry & {
      readonly kind: 'opt_out.settled';
      readonly ids: readonly string[];
      /** `superseded`: by a keyword, another opt-out, an erasure, or newer texts of others. */
      readonly decision: 'opted_out' | 'dismissed' | 'expired' | 'superseded';
    });
