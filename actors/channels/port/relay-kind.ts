// What a kind of relay is, as data: without the code that talks to it.

import type { z } from 'zod';
import type { ChannelId } from '../channel-ids.ts';
import type { RelayConfig } from './open-relay.ts';

export interface RelaySigns {
  /** Of DKIM keys that all accounts have, below the domain of the sender. */
  readonly selectors?: readonly string[];
  /** The label of the return path below the domain of the sender, unless an account changes it. */
  readonly returnPathLabel?: string;
  /** The member of the configuration that names the domain of the return path. */
  readonly returnPathIn?: string;
}

export interface RelayKind {
  /** As people know it: `Amazon SES`. */
  readonly label: string;
  readonly channels: readonly ChannelId[];
  /** What a tenant enters: settings and secrets. Unknown members are dropped. */
  readonly configSchema: z.ZodType<RelayConfig>;
  /** A configuration with a change; default: its members are replaced. `null` removes one. */
  readonly changed?: (known: RelayConfig, change: RelayConfig) => RelayConfig;
  /** Why a configuration that matches the schema does not fit the channel of its relay. */
  readonly channelProblem?: (
    config: RelayConfig,
    channel: ChannelId,
  ) => { readonly field: string; readonly message: string } | undefined;
  /** Members of the configuration that no answer ever contains. */
  readonly secrets: readonly string[];
  /** Base addresses by the X of `ENGAGE_X_URL`; `null`: the kind picks one for each account. */
  readonly urls?: Readonly<Record<string, string | null>>;
  /**
   * Where its mails leave with its own signature and return path: what of these the DNS of the
   * sender's domain tells. Absent: Engage signs, and its return path stays.
   */
  readonly signs?: RelaySigns;
  /** How its events prove themselves, for documents. Absent: it reports nothing. */
  readonly events?: { readonly proof: string };
}
