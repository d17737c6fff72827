// What other areas read of relays.

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
