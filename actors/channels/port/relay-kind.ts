// What a kind of relay is, as data: without the code that talks to it.

import type { z } from 'zod';
import type { ChannelId } from '../channel-ids.ts';
import type { RelayConfig } from './open-relay.ts';

export interface RelayKind {
  /** As people know it: `Amazon SES`. */
  readonly label: string;
  readonly channels: readonly ChannelId[];
  /** What a tenant enters: settings and secrets. Unknown members are dropped. */
  readonly configSchema: z.ZodType<RelayConfig>;
  /** A configuration with a change; default: its members are replaced. `null` removes one. */
  readonly changed?: (known: RelayConfig, change: RelayConfig) => RelayConfig;
  /** Members of the configuration that no answer ever contains. */
  readonly secrets: readonly string[];
  /** Base addresses by the X of `ENGAGE_X_URL`; `null`: the kind picks one for each account. */
  readonly urls?: Readonly<Record<string, string | null>>;
  /** How its events prove themselves, for documents. Absent: it reports nothing. */
  readonly events?: { readonly proof: string };
}
