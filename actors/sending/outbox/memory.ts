// Memory of sends: an app's outbox, an org's sends of today, and which apps of a partition may have
// something to start.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { NewApp, NewOrg, Slice } from '../../area.ts';
import { Outbox } from '../outbox/outbox.ts';
import type { RelayDay } from './relay-days.ts';

export interface SendsApp {
  readonly outbox: Outbox;
  deadLettersOpen: number;
  /** Mails that each relay took on its newest day, for a process that starts. */
  readonly relayDays: Map<string, RelayDay>;
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

type AppSnapshot = {
  readonly outbox: unknown;
  readonly deadLettersOpen: number;
  /** Absent in checkpoints of earlier builds. */
  readonly relayDays?: readonly (readonly [string, RelayDay])[];
};

export const sendsOfApp: Slice<SendsApp, AppSnapshot, NewApp> = {
  make: () => ({ outbox: new Outbox(), deadLettersOpen: 0, relayDays: new Map() }),
  snapshot: ({ outbox, deadLettersOpen, relayDays }) => ({
    outbox: outbox.snapshot(),
    deadLettersOpen,
    ...(relayDays.size === 0 ? {} : { relayDays: [...relayDays] }),
  }),
  restore: ({ outbox, deadLettersOpen, relayDays = [] }) => ({
    outbox: Outbox.restore(outbox),
    deadLettersOpen,
    relayDays: new Map(relayDays),
  }),
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
