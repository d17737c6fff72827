// What a settlement adds for texts that a gateway accepted and reports nothing of by itself: a row
// each, and one timer a relay. Rows cost what a million texts cost on disk; calls are bounded where
// they are made (`callbacks/gateway-results.ts`).

import type { DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { hourMs, type Millis } from '../../../engine/base/brand.ts';
import type { AwaitedResultRow } from '../../../storage/tables/awaited-result.ts';
import { type ResultPollRow, resultPolls } from '../../../storage/tables/result-poll.ts';
import type { GatewayPolling } from '../../channels/relays/gateway/config.ts';
import { readableRow } from '../../readable-row.ts';
import { type RelaysReads, relayOf } from '../../tenants/relays/reads.ts';
import { awaited } from './awaited-rows.ts';
import type { SettlementContext } from './settlement-effects.ts';
import { gatewayAskTimer } from './timers.ts';

/** A text that was accepted. */
export interface AwaitedText
  extends Pick<AwaitedResultRow, 'sendId' | 'deviceId' | 'person' | 'name'> {
  /** By which it left. */
  readonly relay: string;
}

const waitMsMax: Millis = 6 * hourMs;

/** How a relay is asked for outcomes; `undefined`: it is gone, or reports by itself. */
export function pollingOf(app: RelaysReads, relayId: string): GatewayPolling | undefined {
  const relay = relayOf(app, relayId);
  return relay?.kind === 'http'
    ? (relay.shown['polling'] as GatewayPolling | undefined)
    : undefined;
}

/** After so many answers without an outcome the next question waits so long. */
export function askAgainMs({ everySeconds }: GatewayPolling, asks: number): Millis {
  return Math.min(waitMsMax, everySeconds * 1_000 * 2 ** Math.min(asks, 20));
}

export class AwaitedResults {
  readonly #app: RelaysReads;
  readonly #context: SettlementContext;
  readonly #texts: (AwaitedText & { readonly dueMs: Millis })[] = [];
  readonly #polling = new Map<string, GatewayPolling | undefined>();

  constructor(app: RelaysReads, context: SettlementContext) {
    this.#app = app;
    this.#context = context;
  }

  isAsked(relay: string): boolean {
    return this.#pollingOf(relay) !== undefined;
  }

  accepted(text: AwaitedText): void {
    const polling = this.#pollingOf(text.relay);
    if (polling === undefined) return;
    this.#texts.push({ ...text, dueMs: this.#context.nowMs + askAgainMs(polling, 0) });
  }

  documents(): readonly DocumentWrite[] {
    const rows = this.#texts.map(({ relay, dueMs, ...text }) =>
      awaited(relay, dueMs, { ...text, sinceMs: this.#context.nowMs, asks: 0 }),
    );
    const polls = this.#polls().map(([relay, value]) => ({
      ...{ table: resultPolls, key: [relay], value },
    }));
    return [...rows, ...polls];
  }

  timers(): readonly Entry[] {
    const { owner } = this.#context;
    return this.#polls().map(([relay, { dueMs }]) => gatewayAskTimer(owner, relay, dueMs));
  }

  #pollingOf(relay: string): GatewayPolling | undefined {
    if (!this.#polling.has(relay)) this.#polling.set(relay, pollingOf(this.#app, relay));
    return this.#polling.get(relay);
  }

  /** Rows of relays that are to be asked earlier than they were. */
  #polls(): (readonly [relay: string, row: ResultPollRow])[] {
    const { documents } = this.#context;
    const firstMs = new Map<string, Millis>();
    for (const { relay, dueMs } of this.#texts)
      firstMs.set(relay, Math.min(dueMs, firstMs.get(relay) ?? dueMs));
    return [...firstMs].flatMap(([relay, dueMs]) => {
      const before = readableRow(documents, resultPolls, [relay]);
      if (before === undefined) return [[relay, { sinceMs: 0, pass: 0, dueMs, failures: 0 }]];
      // Under way or failing: what comes next is decided when that ends.
      if (before.asking !== undefined || before.failures > 0 || before.dueMs <= dueMs) return [];
      return [[relay, { ...before, dueMs }]];
    });
  }
}
