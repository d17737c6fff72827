// What other areas read of relays.

import { serverRelay } from '../../channels/port/open-relay.ts';
import type { RelayRecord } from './records.ts';

export interface RelaysReads {
  /** Its own, by id. */
  readonly relays: ReadonlyMap<string, RelayRecord>;
  /** Its org's, then those of its org's agency: a copy, because what sends sees the app alone. */
  readonly sharedRelays: readonly RelayRecord[];
}

export interface RelaysOrgReads {
  readonly relays: ReadonlyMap<string, RelayRecord>;
  /** What its agency shares. */
  readonly agencyRelays: readonly RelayRecord[];
}

/** A relay that this app may send through, also a disabled one. */
export function relayOf(app: RelaysReads, id: string): RelayRecord | undefined {
  return app.relays.get(id) ?? app.sharedRelays.find((one) => one.id === id);
}

/** How an entry names the relay of a message: what it is called may change, or it may go. */
export interface NamedRelay {
  readonly relay?: string;
  /** Absent for the server's own way. */
  readonly relayName?: string;
}

/** Empty where the channel had no relays. */
export function relayNamed(app: RelaysReads, relay: string | undefined): NamedRelay {
  if (relay === undefined) return {};
  const relayName = relay === serverRelay ? undefined : relayOf(app, relay)?.name;
  return relayName === undefined ? { relay } : { relay, relayName };
}
