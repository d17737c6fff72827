// Destinations with one call at a time: each delivery waits for the one before it. Within one life
// of the process none may begin after a later one, but for what somebody sends again by hand and
// what was tried while more calls at once were allowed.

import type { WebhookGrant } from '../../actors/integrations/webhooks/protocol.ts';
import { type IdParts, parseId } from '../../engine/base/id.ts';
import type { Findings } from './invariants.ts';
import type { AppWebhooks } from './webhook-facts.ts';

interface LineFact {
  life: number;
  /** The place of the latest that has begun in this life. */
  newest: number;
  readonly underWay: Set<number>;
  /** Places that were tried beside others. */
  readonly loose: Set<number>;
}

export class StrictOrder {
  readonly #findings: Findings;
  readonly #apps: ReadonlyMap<number, AppWebhooks>;
  readonly #lines = new Map<string, LineFact>();
  /** Chunks are named by instants of the wrong clock, too, and are due in another order. */
  #isRebased = false;
  /** Deliveries that were granted to go one at a time, as `line place`. */
  readonly #strict = new Set<string>();

  constructor(findings: Findings, apps: ReadonlyMap<number, AppWebhooks>) {
    this.#findings = findings;
    this.#apps = apps;
  }

  granted({ app, destination, concurrency, chunk, places }: WebhookGrant): void {
    for (const place of places) {
      const name = `${app}|${destination} ${chunk * 256 + place}`;
      if (concurrency === 1) this.#strict.add(name);
      else this.#strict.delete(name);
    }
  }

  rebased(): void {
    this.#isRebased = true;
  }

  /** A call begins. */
  began(deliveryId: string, life: number): void {
    const parts = parseId('whd', deliveryId);
    if (parts === undefined) return;
    const { ordinal, high16: destination, low32: place, atMs } = parts;
    const line = this.#lineOf(parts, life);
    if (!this.#strict.has(`${ordinal}|${destination} ${place}`)) {
      line.loose.add(place);
      return;
    }
    this.#findings.expect(
      line.underWay.size === 0,
      'webhook_order',
      () => `${deliveryId} of destination ${destination} leaves beside ${[...line.underWay]}`,
    );
    line.underWay.add(place);
    const retriedMs = this.#apps.get(ordinal)?.retries.get(destination)?.lastMs ?? -1;
    const isExcused = this.#isRebased || line.loose.has(place) || retriedMs >= atMs;
    this.#findings.expect(
      place >= line.newest || isExcused,
      'webhook_order',
      () => `${deliveryId} of destination ${destination} leaves after ${line.newest}`,
    );
    line.newest = Math.max(line.newest, place);
  }

  /** How often somebody had deliveries of this one's destination sent again. */
  retriesOf(deliveryId: string): number {
    const { ordinal = 0, high16 = 0 } = parseId('whd', deliveryId) ?? {};
    return this.#apps.get(ordinal)?.retries.get(high16)?.count ?? 0;
  }

  ended(deliveryId: string, life: number): void {
    const parts = parseId('whd', deliveryId);
    if (parts !== undefined) this.#lineOf(parts, life).underWay.delete(parts.low32);
  }

  #lineOf({ ordinal, high16 }: IdParts, life: number): LineFact {
    const name = `${ordinal}|${high16}`;
    let line = this.#lines.get(name);
    if (line === undefined)
      this.#lines.set(name, (line = { life, newest: -1, underWay: new Set(), loose: new Set() }));
    if (line.life !== life) {
      line.life = life;
      line.newest = -1;
      line.underWay.clear();
    }
    return line;
  }
}
