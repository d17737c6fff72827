// Creates and changes people's records: the one place where people are created, devices converge
// and an endpoint changes its owner. Pure; the caller makes the decision.

import {
  accepted,
  type Context,
  type Decision,
  type DocumentWrite,
  type Entry,
} from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { newId, subscriberId } from '../../../engine/base/id.ts';
import {
  type DeviceRow,
  endpoints,
  type SubscriberRow,
  subscribers,
  type TagValue,
} from '../../../storage/tables/subscriber.ts';
import type { EndpointPolicy } from '../../channels/addresses/endpoint.ts';
import { limits } from '../../limits.ts';
import { choiceTag, isChoiceTag } from '../topics/choice-tag.ts';
import { asClientChooses, choicesFault, tagsOfChoices } from '../topics/choices.ts';
import type { TopicsReads } from '../topics/reads.ts';
import { endpointKey, knownAsWrites, withoutSendsOf } from './endpoint-owner.ts';
import {
  type NewAddressReads,
  newAddressPolicy,
  normalizeEndpoint,
  unwantedAddress,
} from './identity.ts';
import { changesNothing } from './import/changes-nothing.ts';
import type { AudienceEntry, DeviceInput, RefusedDevice, SubscriberInput } from './protocol.ts';
import type { PeopleReads } from './reads.ts';
import { checkTags, type KeylessNames, mergeTags, tooManyNames } from './tags.ts';
import { isUnconfirmed, unconfirmedReason } from './unconfirmed.ts';

type Mutable<T> = { -readonly [K in keyof T]: T[K] };

interface Upserted {
  readonly row: SubscriberRow;
  /** Upper bound of the record's bytes as JSON; cheap where it is far from the limit. */
  readonly bytesMax: number;
  readonly created: boolean;
  /** Devices that were left out. */
  readonly refused: readonly RefusedDevice[];
  /** Topics that the person is out of and stays out of. */
  readonly keptOut: number;
  readonly entries: readonly Entry[];
  readonly documents: readonly DocumentWrite[];
}

/** Its documents show the writes of earlier rows in the same decision. */
type UpsertContext = Pick<Context, 'owner' | 'nowMs' | 'rng'> & {
  readonly documents: Pick<Context['documents'], 'get'>;
};

interface UpsertOptions {
  /** Of a call without an API key. */
  readonly keyless?: KeylessNames;
  /** Whether choices may have to be confirmed; default: those of a call without an API key. */
  readonly asksToConfirm?: boolean;
  /** Whoever is out of a topic stays out: the caller's list may be older than that. */
  readonly keepsOut?: boolean;
  /** What people have not confirmed yet waits: their email addresses, and choices of topics. */
  readonly consent?: 'doubleOptIn';
  /** Whether the caller proves that the person exists; default: calls with an API key do. */
  readonly vouched?: boolean;
  readonly allowHttp?: boolean;
  /** A new person's ordinal, if the decision has created others that are not folded yet. */
  readonly nextPerson?: PersonOrdinal;
  /** A device that cannot be stored is left out instead of refusing the call. */
  readonly skipsDevices?: boolean;
  /** An upsert that says what is stored already writes nothing, not even the instant. */
  readonly skipsUnchanged?: boolean;
}

export interface UpsertReads extends TopicsReads, NewAddressReads {
  readonly people: Pick<PeopleReads, 'next'>;
  readonly traits: {
    readonly tags: ReadonlyMap<string, unknown>;
    readonly events: ReadonlyMap<string, unknown>;
  };
  /** Names that only calls without an API key have used. */
  readonly unvouched: { readonly tags: ReadonlySet<string> };
}

export type UpsertResult = Upserted | { readonly fault: Fault };

/** Creates a person, or changes `existing`. */
export function upsert(
  app: UpsertReads,
  given: SubscriberInput,
  existing: SubscriberRow | undefined,
  context: UpsertContext,
  options: UpsertOptions = {},
): UpsertResult {
  const problem = checkInput(app, given, options.keyless);
  if (problem !== undefined) return { fault: problem };
  const isAsked = options.consent !== undefined;
  const asks = isAsked || (options.asksToConfirm ?? options.keyless !== undefined);
  const now = existing?.tags ?? {};
  const wished = withChoices(given, now, app, asks);
  const outs = options.keepsOut === true ? outsIn(wished.tags, now) : [];
  const input = outs.length === 0 ? wished : { ...wished, tags: without(wished.tags, outs) };
  const keptOut = outs.length;
  const policy = newAddressPolicy(app, options.allowHttp);
  const isSame =
    existing !== undefined &&
    options.skipsUnchanged === true &&
    changesNothing(existing, input, policy, app.unvouched.tags, isAsked);
  if (isSame) return { ...unchanged(existing, input), keptOut };
  const base = existing ?? newPerson(options.nextPerson ?? app.people.next, input, context);
  const added = withDevices(base, input, context, policy, options);
  if ('fault' in added) return added;
  const { devices, refused, documents, entries } = added;
  const nobody = existing === undefined ? unknowable(input, devices, refused) : undefined;
  if (nobody !== undefined) return { fault: nobody };
  const row = withInput({ ...base, devices, updatedMs: context.nowMs }, input);
  if (options.keyless === undefined && row.unclaimed === true) delete row.unclaimed;
  const bytesMax = recordBytesMax(row);
  if (bytesMax - choiceBytes(row) > limits.subscriberBytesMax) {
    return {
      fault: fieldFault(
        'tags',
        `a subscriber's record has at most ${limits.subscriberBytesMax} bytes`,
      ),
    };
  }
  documents.push({ table: subscribers, key: [row.person], value: row });
  const entry: AudienceEntry =
    existing === undefined
      ? {
          kind: 'subscriber.created',
          owner: context.owner,
          person: row.person,
          externalUserId: row.externalUserId ?? null,
          atMs: context.nowMs,
          keyless: options.keyless !== undefined,
        }
      : changedEntry(row.person, context, options.vouched ?? options.keyless === undefined);
  return {
    row,
    bytesMax,
    created: existing === undefined,
    refused,
    keptOut,
    entries: [entry, ...entries],
    documents,
  };
}

/** Adds the devices of a call, and leaves out those that cannot be stored where `skips`. */
function withDevices(
  { person, devices: before }: SubscriberRow,
  input: SubscriberInput,
  context: UpsertContext,
  policy: EndpointPolicy,
  { skipsDevices: skips = false, consent }: UpsertOptions,
) {
  const documents: DocumentWrite[] = [];
  const entries: Entry[] = [];
  const pending: PendingRegistrations = {
    endpoints: new Map(),
    previous: new Map(),
    keepsState: true,
    isAsked: consent !== undefined,
  };
  const refused: RefusedDevice[] = [...(input.refused ?? [])];
  let devices = before;
  for (const [index, device] of (input.devices ?? []).entries()) {
    const { place = index } = device;
    const field = `devices[${place}]`;
    const added = withNewDevice(person, devices, device, field, context, policy, pending);
    if ('fault' in added) {
      if (!skips) return added;
      refused.push({ device: place, error: added.fault.message });
      continue;
    }
    devices = added.devices;
    documents.push(...added.documents);
    entries.push(...added.entries);
  }
  return { devices, refused, documents, entries };
}

function unchanged(row: SubscriberRow, { refused = [] }: SubscriberInput): Upserted {
  const bytesMax = recordBytesMax(row);
  return { row, bytesMax, created: false, refused, keptOut: 0, entries: [], documents: [] };
}

/** Nobody could find or reach a person without id and device; the row is sent again, corrected. */
function unknowable(
  { externalUserId }: SubscriberInput,
  devices: readonly DeviceRow[],
  [first]: readonly RefusedDevice[],
): Fault | undefined {
  if (externalUserId !== undefined || devices.length > 0 || first === undefined) return undefined;
  const field = first.error.slice(0, first.error.indexOf(': '));
  return fieldFault(field, first.error.slice(field.length + 2));
}

/** The record with a call's tags, time zone and channels; `null` removes. */
function withInput(base: SubscriberRow, input: SubscriberInput): Mutable<SubscriberRow> {
  const timezone = input.timezone === undefined ? base.timezone : (input.timezone ?? undefined);
  const preferred =
    input.preferredChannels === undefined
      ? base.preferredChannels
      : (input.preferredChannels ?? undefined);
  const row: Mutable<SubscriberRow> = { ...base, tags: mergeTags(base.tags, input.tags) };
  if (preferred !== undefined) row.preferredChannels = preferred;
  else if (base.preferredChannels !== undefined) delete row.preferredChannels;
  if (timezone !== undefined) row.timezone = timezone;
  else if (base.timezone !== undefined) delete row.timezone;
  return row;
}

/** The input with its choices as tags, which a client may have to confirm. */
function withChoices(
  { topics: choices, ...input }: SubscriberInput,
  now: SubscriberRow['tags'],
  { topics }: TopicsReads,
  asksToConfirm: boolean,
): Omit<SubscriberInput, 'topics'> {
  const tags = choices === undefined ? input.tags : { ...input.tags, ...tagsOfChoices(choices) };
  if (tags === undefined) return input;
  return { ...input, tags: asksToConfirm ? asClientChooses(tags, now, topics) : tags };
}

type TagPatch = Readonly<Record<string, TagValue | null>>;

/** Tags of a patch that would bring the person back into a topic. */
function outsIn(patch: TagPatch = {}, now: SubscriberRow['tags']): readonly string[] {
  return Object.keys(patch).filter(
    (tag) => isChoiceTag(tag) && now[tag] === 'out' && patch[tag] !== 'out',
  );
}

function without(patch: TagPatch = {}, names: readonly string[]): TagPatch {
  return Object.fromEntries(Object.entries(patch).filter(([tag]) => !names.includes(tag)));
}

/** For callers whose tags fail one by one: those that name a topic wrongly are left out. */
export function withoutWrongChoices(
  tags: Readonly<Record<string, TagValue | null>>,
  { topics }: TopicsReads,
): { readonly tags: typeof tags; readonly problems: readonly Fault[] } {
  const problems: Fault[] = [];
  const kept = Object.entries(tags).filter(([tag, value]) => {
    const wrong = choicesFault({ [tag]: value }, topics, 'tags');
    if (wrong !== undefined) problems.push(wrong);
    return wrong === undefined;
  });
  return problems.length === 0 ? { tags, problems } : { tags: Object.fromEntries(kept), problems };
}

/** Of a record, as JSON: a full record keeps nobody from leaving a topic. */
function choiceBytes({ tags }: SubscriberRow): number {
  let bytes = 0;
  for (const tag in tags) if (isChoiceTag(tag)) bytes += Buffer.byteLength(tag) + choiceFrameBytes;
  return bytes;
}

/** Quotes, colon, comma and the longest choice. */
const choiceFrameBytes = 15;

/** What earlier devices of the same call changed; documents change only after the decision. */
interface PendingRegistrations {
  readonly endpoints: Map<string, { readonly person: number; readonly deviceId: string }>;
  readonly previous: Map<number, SubscriberRow>;
  /** A disabled device stays disabled by default. Registering it by itself enables it. */
  readonly keepsState: boolean;
  /** Email addresses that take no messages yet wait for their owner's confirmation. */
  readonly isAsked?: boolean;
}

/** Adds a device, or refreshes the one with this endpoint; takes it from its previous owner. */
export function withNewDevice(
  person: number,
  devices: readonly DeviceRow[],
  input: DeviceInput,
  field: string,
  context: UpsertContext,
  policy: EndpointPolicy,
  pending: PendingRegistrations = { endpoints: new Map(), previous: new Map(), keepsState: false },
):
  | {
      readonly device: DeviceRow;
      readonly devices: readonly DeviceRow[];
      readonly documents: readonly DocumentWrite[];
      readonly entries: readonly Entry[];
    }
  | { readonly fault: Fault } {
  const normal = normalizeEndpoint(input.channel, input.endpoint, policy);
  if ('problem' in normal) return { fault: fieldFault(`${field}.endpoint`, normal.problem) };
  const key = endpointKey(input.channel, normal.key);
  const pendingKey = `${input.channel} ${normal.key}`;
  const owner = pending.endpoints.get(pendingKey) ?? context.documents.get(endpoints, key);
  const unwanted =
    owner === undefined ? unwantedAddress(input.channel, normal.endpoint, policy) : undefined;
  if (unwanted !== undefined) return { fault: fieldFault(`${field}.endpoint`, unwanted) };
  const documents: DocumentWrite[] = [];
  const entries: Entry[] = [];
  const mine =
    owner?.person === person ? devices.find((device) => device.id === owner.deviceId) : undefined;
  let taken: DeviceRow | undefined;
  if (owner !== undefined && owner.person !== person) {
    const previous =
      pending.previous.get(owner.person) ?? context.documents.get(subscribers, [owner.person]);
    if (previous !== undefined) {
      taken = previous.devices.find((device) => device.id === owner.deviceId);
      const left = previous.devices.filter((device) => device !== taken);
      const value: SubscriberRow = { ...previous, devices: left, updatedMs: context.nowMs };
      pending.previous.set(owner.person, value);
      documents.push({ table: subscribers, key: [owner.person], value });
      documents.push(withoutSendsOf(owner.deviceId));
      if (taken !== undefined) documents.push(...knownAsWrites(taken, undefined));
      entries.push(changedEntry(owner.person, context));
    }
  }
  if (mine === undefined && devices.length >= limits.devicesMax) {
    return { fault: fieldFault(field, `a subscriber has at most ${limits.devicesMax} devices`) };
  }
  const device: Mutable<DeviceRow> = {
    id: mine?.id ?? newId('dev', context.owner, context.nowMs, context.rng),
    channel: input.channel,
    endpoint: normal.endpoint,
    enabled: enabledOf(mine, input, pending, taken),
    createdMs: mine?.createdMs ?? context.nowMs,
    updatedMs: context.nowMs,
  };
  if (!device.enabled) {
    const before = input.enabled === undefined ? mine?.disabledReason : undefined;
    const waits = pending.isAsked === true && input.channel === 'email' && input.enabled !== false;
    const given = input.disabledReason ?? 'disabled_by_caller';
    device.disabledReason = before ?? (waits ? unconfirmedReason : given);
  }
  noteOrigin(device, input, mine);
  pending.endpoints.set(pendingKey, { person, deviceId: device.id });
  documents.push({ table: endpoints, key, value: { person, deviceId: device.id } });
  const next =
    mine === undefined
      ? [...devices, device]
      : devices.map((old) => (old.id === device.id ? device : old));
  return { device, devices: next, documents, entries };
}

/** Where it is from, and what its provider knows it as. */
function noteOrigin(device: Mutable<DeviceRow>, input: DeviceInput, mine?: DeviceRow): void {
  const environment = input.environment ?? mine?.environment;
  if (environment !== undefined) device.environment = environment;
  if (mine?.knownAs !== undefined) device.knownAs = mine.knownAs;
  if (input.registeredBy !== undefined) device.registeredBy = input.registeredBy;
  if (input.fromTrait !== undefined) device.fromTrait = input.fromTrait;
}

/** An address that takes messages already is not asked again. */
function enabledOf(
  mine: DeviceRow | undefined,
  input: DeviceInput,
  pending: PendingRegistrations,
  taken: DeviceRow | undefined,
): boolean {
  if (pending.isAsked === true && input.channel === 'email')
    return input.enabled !== false && (mine ?? taken)?.enabled === true;
  return input.enabled ?? (keepsState(mine, input, pending) ? mine?.enabled : undefined) ?? true;
}

/** What the tenant registers needs no confirmation: it may know the address from elsewhere. */
function keepsState(
  mine: DeviceRow | undefined,
  { registeredBy }: DeviceInput,
  pending: PendingRegistrations,
): boolean {
  const isVouched = mine !== undefined && isUnconfirmed(mine) && registeredBy === undefined;
  return pending.keepsState && !isVouched;
}

/** The decision that replaces a person's devices and claims them; `also` is what else changes. */
export function changeDevices<R>(
  row: SubscriberRow,
  devices: readonly DeviceRow[],
  context: Context,
  reply: R,
  also: {
    readonly documents?: readonly DocumentWrite[];
    readonly entries?: readonly Entry[];
    readonly vouched?: boolean;
  } = {},
): Decision<R> {
  const { unclaimed: _, ...rest } = row;
  const value: SubscriberRow = { ...rest, devices, updatedMs: context.nowMs };
  return accepted(reply, {
    entries: [changedEntry(row.person, context, also.vouched), ...(also.entries ?? [])],
    documents: [{ table: subscribers, key: [row.person], value }, ...(also.documents ?? [])],
  });
}

function changedEntry(
  person: PersonOrdinal,
  { owner, nowMs: atMs }: Pick<Context, 'owner' | 'nowMs'>,
  vouched = false,
): AudienceEntry {
  return { kind: 'subscriber.changed', owner, person, atMs, ...(vouched && { vouched }) };
}

export function newPerson(
  person: PersonOrdinal,
  input: Pick<SubscriberInput, 'externalUserId'>,
  context: Pick<Context, 'owner' | 'nowMs' | 'rng'>,
): SubscriberRow {
  return {
    id: subscriberId(context.owner, person, context.nowMs, context.rng.uint32() >>> 16),
    person,
    ...(input.externalUserId === undefined ? {} : { externalUserId: input.externalUserId }),
    devices: [],
    tags: {},
    createdMs: context.nowMs,
    updatedMs: context.nowMs,
  };
}

function checkInput(
  { traits, unvouched, topics }: UpsertReads,
  input: SubscriberInput,
  sender: KeylessNames | undefined,
): Fault | undefined {
  if (input.preferredChannels?.length === 0) {
    return fieldFault(
      'preferredChannels',
      'expected at least one channel, or null for no preference',
    );
  }
  const twice = Object.keys(input.topics ?? {}).find((key) => choiceTag(key) in (input.tags ?? {}));
  if (twice !== undefined)
    return fieldFault(`topics.${twice}`, `is also given as tags.topic.${twice}; give one of them`);
  const wrong = input.topics && choicesFault(input.topics, topics, 'topics');
  if (wrong !== undefined) return wrong;
  if (input.tags === undefined) return undefined;
  return (
    checkTags(input.tags) ??
    choicesFault(input.tags, topics, 'tags') ??
    tooManyNames(input.tags, { tags: traits.tags, unvouchedTags: unvouched.tags }, sender)
  );
}

/** An upper bound of a record's bytes as JSON, exact if a rough one exceeds the limit. */
function recordBytesMax(row: SubscriberRow): number {
  const rough = roughBytes(row);
  return rough <= limits.subscriberBytesMax ? rough : Buffer.byteLength(JSON.stringify(row));
}

/** Never below JSON's length: six bytes a character cover every escape, 26 every number. */
function roughBytes(value: unknown): number {
  if (typeof value === 'string') return value.length * 6 + 2;
  if (typeof value !== 'object' || value === null) return 26;
  let bytes = 2;
  if (Array.isArray(value)) {
    for (const item of value) bytes += roughBytes(item) + 1;
    return bytes;
  }
  for (const key in value) {
    bytes += key.length * 6 + 4 + roughBytes((value as Record<string, unknown>)[key]);
  }
  return bytes;
}

/** Rewrites a fault about `device` for a body that is the device. */
export function unprefixed<F extends { readonly field?: string; readonly message: string }>(
  fault: F,
): F {
  const strip = (text: string) => text.replace(/^device\./, '').replace(/^device: /, '');
  return {
    ...fault,
    message: strip(fault.message),
    ...(fault.field ? { field: strip(fault.field) } : {}),
  };
}
