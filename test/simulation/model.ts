// What the clients of one world know to be true: every write whose answer reached them. A client
// writes to what it owns one call at a time and asks again after a lost answer, so the model is
// exact whenever it is compared.

import type { SubscriberView } from '../../actors/people/audience/protocol.ts';
import type { Sealer } from '../../actors/sealer.ts';
import type { Faults } from './faults.ts';
import type { Findings } from './invariants.ts';

/** One device as its owner last registered it. */
interface DeviceModel {
  readonly channel: string;
  readonly endpoint: string;
  enabled: boolean;
}

/** One person of a worker. */
export interface PersonModel {
  readonly externalUserId: string;
  exists: boolean;
  /** Known once an answer told it. */
  id: string | undefined;
  readonly tags: Map<string, string | number>;
  /** By `channel|endpoint`. */
  readonly devices: Map<string, DeviceModel>;
  /** Ids of earlier lives, all erased. */
  readonly pastIds: Set<string>;
}

/** A destination of webhooks as its owner last saved it. */
interface DestinationModel {
  readonly events: readonly string[];
  readonly enabled: boolean;
  readonly concurrency: number;
}

/** A send whose answer reached its caller. */
interface SendModel {
  readonly id: string;
  readonly app: AppModel;
  /** The last status that was read. */
  status: string;
}

/** One app and what its clients know of it. */
export interface AppModel {
  readonly id: string;
  readonly ordinal: number;
  readonly org: number;
  /** Set before the deletion is asked for: what is answered from then on proves nothing. */
  leaving: boolean;
  deleted: boolean;
  readonly people: PersonModel[];
  /** Opt-outs by identity: `unsure` from the moment a removal is asked for until it is answered. */
  readonly suppressions: Map<
    string,
    { state: 'on' | 'off' | 'unsure'; channel: string; address: string }
  >;
  readonly settings: Map<string, unknown>;
  readonly credentials: Map<string, string>;
  readonly keys: Set<string>;
  /** Ids of mail relays. */
  readonly relays: string[];
  /** By type, as they were saved last. */
  readonly destinations: Map<string, DestinationModel>;
  /** Who looks after them. */
  firstWorker: number | undefined;
  /** Event rows by `name|external id`: how many were acknowledged, and how many there may be. */
  readonly events: Map<string, { least: number; most: number }>;
  readonly eventIds: Set<string>;
  /** The longest window of any filter that a worker tried to save. */
  longestWindowDays: number;
}

/** The clients' knowledge of one world. */
export interface Model {
  readonly faults: Faults;
  readonly orgs: { readonly ordinal: number; readonly apps: AppModel[] }[];
  readonly sends: Map<string, SendModel>;
  /** What a send must say when it leaves, as far as its caller knows. */
  readonly words: Map<string, string>;
  /** Sends per org that were asked for without an answer: they may have been accepted. */
  readonly unsureSends: Map<number, number>;
  /** `app|identity` of every opt-out that its caller knows to be in force, or `marketing …`. */
  readonly optedOut: Set<string>;
  /** Opens the links of mails, as the pages behind them do. */
  readonly sealer: Sealer;
}

export function newModel(faults: Faults, sealer: Sealer): Model {
  return {
    faults,
    sealer,
    orgs: [],
    sends: new Map(),
    words: new Map(),
    unsureSends: new Map(),
    optedOut: new Set(),
  };
}

export function newAppModel(id: string, ordinal: number, org: number): AppModel {
  return {
    id,
    ordinal,
    org,
    leaving: false,
    deleted: false,
    people: [],
    suppressions: new Map(),
    settings: new Map(),
    credentials: new Map(),
    keys: new Set(),
    relays: [],
    destinations: new Map(),
    firstWorker: undefined,
    events: new Map(),
    eventIds: new Set(),
    longestWindowDays: 0,
  };
}

export function newPersonModel(externalUserId: string): PersonModel {
  return {
    externalUserId,
    exists: false,
    id: undefined,
    tags: new Map(),
    devices: new Map(),
    pastIds: new Set(),
  };
}

/**
 * Compares a person as read with the model. `refused` has the devices that a provider may have had
 * disabled.
 */
export function checkPerson(
  person: PersonModel,
  view: SubscriberView | undefined,
  refused: ReadonlySet<string>,
  findings: Findings,
): void {
  const who = person.externalUserId;
  findings.expect((view !== undefined) === person.exists, 'acknowledged_kept', () =>
    person.exists ? `${who} is gone` : `${who} was erased and is back`,
  );
  if (view === undefined || !person.exists) return;
  findings.expect(
    (person.id === undefined || person.id === view.id) && !person.pastIds.has(view.id),
    'acknowledged_kept',
    () => `${who} was ${person.id} and is ${view.id}`,
  );
  person.id = view.id;
  const tags = JSON.stringify(Object.entries(view.tags).sort());
  const wanted = JSON.stringify([...person.tags].sort());
  findings.expect(
    tags === wanted,
    'acknowledged_kept',
    () => `tags of ${who} are ${tags}, wrote ${wanted}`,
  );
  findings.expect(
    view.devices.length === person.devices.size,
    'acknowledged_kept',
    () => `${who} has ${view.devices.length} devices, registered ${person.devices.size}`,
  );
  for (const device of view.devices) {
    const known = person.devices.get(`${device.channel}|${String(device.endpoint)}`);
    const refusedSince = !device.enabled && refused.has(device.id);
    findings.expect(
      known !== undefined && (known.enabled === device.enabled || refusedSince),
      'acknowledged_kept',
      () =>
        `device ${device.channel} ${String(device.endpoint)} of ${who} is ${device.enabled}, wrote ${known?.enabled}`,
    );
  }
}
