// Memory of sends: an app's outbox, an org's sends of today, a partition's idempotency keys, and
// which apps may have something to start.

import type { Ordinal } from '../../../engine/base/brand.ts';
import type { AppBorn, OrgBorn, Part, Slice } from '../../area.ts';
import { IdempotencyKeys } from './idempotency.ts';
import { Outbox } from './outbox.ts';

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
  idempotency: IdempotencyKeys;
  /** Derived: apps that may have something to start. */
  readonly ready: Set<Ordinal>;
}

type AppSnapshot = { readonly outbox: unknown; readonly deadLettersOpen: number };

export const sendsOfApp: Slice<SendsApp, AppSnapshot, AppBorn> = {
  make: () => ({ outbox: new Outbox(), deadLettersOpen: 0 }),
  snapshot: ({ outbox, deadLettersOpen }) => ({ outbox: outbox.snapshot(), deadLettersOpen }),
  restore: ({ outbox, deadLettersOpen }) => ({ outbox: Outbox.restore(outbox), deadLettersOpen }),
};

export const sendsOfOrg: Slice<SendsOrg, SendsOrg, OrgBorn> = {
  make: () => ({ sendsDay: 0, sendsToday: 0 }),
  snapshot: ({ sendsDay, sendsToday }) => ({ sendsDay, sendsToday }),
  restore: ({ sendsDay, sendsToday }) => ({ sendsDay, sendsToday }),
};

export const sendsOfPartition: Slice<SendsPartition, object, object> = {
  make: () => ({ idempotency: new IdempotencyKeys(), ready: new Set() }),
  snapshot: () => ({}),
  restore: () => ({ idempotency: new IdempotencyKeys(), ready: new Set() }),
};

export const idempotencyPart: Part<SendsPartition> = {
  name: 'idempotency',
  snapshot: ({ idempotency }) => idempotency.snapshot(),
  restore: (state, value) => {
    state.idempotency = IdempotencyKeys.restore(value);
  },
};
