// By which relay the next wave of each channel leaves, in one turn; and whether it is one person
// who finds out about a relay that did not take messages.

import type { Millis } from '../../../engine/base/brand.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { Sealer } from '../../sealer.ts';
import type { CredentialCache } from '../../sending/outbox/open-credentials.ts';
import { type RelayRules, relaysNow } from '../../sending/outbox/relay-rules.ts';
import { RelayTurns } from '../../sending/outbox/relay-turns.ts';
import { openRelay } from '../../tenants/relays/open-relay.ts';
import type { WaveRelay } from './fan-out.ts';
import type { CampaignsView } from './memory.ts';

/** `way` is absent if no relay takes messages now. */
export interface RelayNow {
  readonly way?: WaveRelay;
}

export class WaveRelays {
  readonly #app: CampaignsView;
  readonly #rules: RelayRules;
  readonly #sealer: Sealer;
  readonly #cache: CredentialCache;
  readonly #nowMs: Millis;
  readonly #known = new Map<ChannelId, RelayNow | undefined>();

  constructor(
    app: CampaignsView,
    rules: RelayRules,
    sealer: Sealer,
    cache: CredentialCache,
    nowMs: Millis,
  ) {
    this.#app = app;
    this.#rules = rules;
    this.#sealer = sealer;
    this.#cache = cache;
    this.#nowMs = nowMs;
  }

  /** `undefined` if the channel has no relays. */
  of(channel: ChannelId): RelayNow | undefined {
    if (!this.#known.has(channel)) this.#known.set(channel, this.#find(channel));
    return this.#known.get(channel);
  }

  #find(channel: ChannelId): RelayNow | undefined {
    const health = this.#app.outbox.channels.get(channel) ?? {};
    const nowMs = this.#nowMs;
    const relays = relaysNow(this.#app, this.#rules, channel, health, nowMs);
    if (relays === undefined) return undefined;
    const open = (relay: Parameters<typeof openRelay>[0]) =>
      openRelay(relay, this.#sealer, nowMs, this.#cache);
    const turns = new RelayTurns({ ...relays, isReadable: (one) => open(one) !== undefined });
    const turn = turns.turnOf('marketing');
    if (!('relay' in turn)) return {};
    const { relay: name, record, probes } = turn;
    const relay = record && open(record);
    return {
      way: {
        name,
        ...(relay === undefined ? {} : { relay }),
        ...(probes === undefined ? {} : { probes }),
      },
    };
  }
}
