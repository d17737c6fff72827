// Memory of sends: an app's outbox, an org's sends of today, and which apps of a partition may have
// something to start.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { NewApp, NewOrg, Slice } from '../../area.ts';
import { Outbox } from '../outbox/outbox.ts';

export interface SendsApp {
  readonly outbox: Outbox;
  deadLettersOpen: number;
}

export interface SendsOrg {
  /** The UTC day (days since the epoch) that `sendsToday` counts. */
  sendsDay: number;
  sendsToday: number;
}

export interface SendsPartition {
  /** Derived: apps that may have something to start. */
  readonly ready: Set<Ordinal>;
}

type AppSnapshot = { readonly outbox: unknown; readonly deadLettersOpen: number };

export const sendsOfApp: Slice<SendsApp, AppSnapshot, NewApp> = {
  make: () => ({ outbox: new Outbox(), deadLettersOpen: 0 }),
  snapshot: ({ outbox, deadLettersOpen }) => ({ outbox: outbox.snapshot(), deadLettersOpen }),
  restore: ({ outbox, deadLettersOpen }) => ({ outbox: Outbox.restore(outbox), deadLettersOpen }),
};

export const sendsOfOrg: Slice<SendsOrg, SendsOrg, NewOrg> = {
  make: () => ({ sendsDay: 0, sendsToday: 0 }),
  snapshot: ({ sendsDay, sendsToday }) => ({ sendsDay, sendsToday }),
  restore: ({ sendsDay, sendsToday }) => ({ sendsDay, sendsToday }),
};

export const sendsOfPartition: Slice<SendsPartition, object, object> = {
  make: () => ({ ready: new Set() }),
  snapshot: () => ({}),
  restore: () => ({ ready: new Set() }),
};
