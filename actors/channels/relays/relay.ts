// How a kind of relay is talked to. Tenants choose a relay, never its address, except of `smtp` and
// `http`, whose calls pass the guard on addresses.

import type { RelayAccount } from '../email/relay-mail.ts';
import type { AdapterContext } from '../port/adapter.ts';
import type { OpenRelay } from '../port/open-relay.ts';
import type { ReadRelayEvents } from '../port/relay-events.ts';

/** How a kind of relay opens an account; `config` matches its schema. */
export type OpenRelayAccount = (relay: OpenRelay, context: AdapterContext) => RelayAccount;

/** A kind's `service.ts`: how it is talked to. */
export interface RelayService {
  readonly open: () => Promise<OpenRelayAccount>;
  readonly readEvents?: () => Promise<ReadRelayEvents>;
  /** A call holds a copy of the whole mail, files included, until its answer. */
  readonly holdsMails?: true;
}
