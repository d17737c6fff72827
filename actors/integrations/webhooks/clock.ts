// When the webhooks of a partition need a turn: something happened, something is due, a pass over
// the ledger is due. Derived from memory and from the lines' tables; every start begins anew.

import type { PumpContext } from '../../../engine/actor/machine.ts';
import type { Context, Effect, Entry, Message, Tell } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import { hourMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import type { AreaClock, Ended } from '../../area-clock.ts';
import type { Sealer } from '../../sealer.ts';
import { legacyNumber } from './destination.ts';
import { dispatcherOf, type WebhookPlan } from './dispatcher-of.ts';
import { grantsOf } from './grant.ts';
import { Lines } from './lines.ts';
import type { WebhooksMemory, WebhooksView } from './memory.ts';
import type { WebhookRecall, WebhooksEntry, WebhooksProtocol } from './protocol.ts';

/** How often passes over a ledger begin. */
const sweepMs: Millis = hourMs;
/** Between the slices of a pass, so that it takes a small part of a thread. */
const pauseMs: Millis = 20;
/** Grants per turn; the rest waits for the next. */
const grantsMax = 256;

type WebhookReports = MessageOf<WebhooksProtocol, 'webhook.report'>;

export interface WebhookClockRules {
  readonly plan: WebhookPlan;
  readonly sealer: Sealer;
}

export class WebhookClock implements AreaClock<WebhooksMemory, WebhooksView> {
  /** What is out with dispatchers stays out. */
  readonly isKept = true;
  readonly after = {
    'webhook.report': (
      _app: WebhooksView | undefined,
      { destination, reports }: WebhookReports,
      { owner, nowMs }: Context,
    ) => {
      this.#lines.of(owner, destination).returned(reports, nowMs);
      this.#look(owner);
    },
  };
  readonly #rules: WebhookClockRules;
  readonly #lines = new Lines();
  /** When to look at an app. */
  readonly #nextOf = new Map<Ordinal, Millis>();
  readonly #unwritten = new Set<Ordinal>();
  /** Destinations that changed: what has not begun comes back, and goes out as they are now. */
  readonly #changed = new Map<string, { readonly owner: Ordinal; readonly number: number }>();
  #nextMs: Millis = Number.POSITIVE_INFINITY;

  /** When the clock needs a turn; `undefined` for never. */
  get nextMs(): Millis | undefined {
    return this.#nextMs === Number.POSITIVE_INFINITY ? undefined : this.#nextMs;
  }

  constructor(rules: WebhookClockRules) {
    this.#rules = rules;
  }

  begin({ apps }: WebhooksMemory): void {
    this.#lines.lookAgain();
    for (const [owner, { webhooks }] of apps) {
      if (webhooks.isUsed) this.#look(owner);
      if (webhooks.unwritten.length > 0) this.#unwritten.add(owner);
    }
  }

  folded(entry: Entry, app: WebhooksView | undefined): void {
    if (app === undefined) return;
    const { kind, owner } = entry;
    const { webhooks } = app;
    if (webhooks.unwritten.length > 0) this.#unwritten.add(owner);
    if (kind === 'settings.changed' && webhooks.isUsed) this.#recall(owner, legacyNumber);
    if (!kind.startsWith('webhook.')) return;
    const changed = changedBy(entry as WebhooksEntry);
    if (changed !== undefined) this.#recall(owner, changed);
    const isSwept = kind === 'webhook.swept';
    for (const number of webhooks.destinations.keys()) {
      const line = this.#lines.of(owner, number);
      if (isSwept) line.lookAgain();
      else line.nextMs = 0;
    }
    this.#look(owner);
  }

  /** Lets deliveries begin; what the sends of this turn mean is written in it, too. */
  end(
    state: WebhooksMemory,
    context: PumpContext,
    entries: readonly Entry[],
    mayStart: boolean,
  ): Ended | undefined {
    for (const { owner } of entries)
      if ((state.apps.get(owner)?.webhooks.wanted ?? 0) !== 0) this.#unwritten.add(owner);
    const { plan, sealer } = this.#rules;
    const isDue = mayStart && context.nowMs >= this.#nextMs;
    if (this.#unwritten.size + this.#changed.size === 0 && !isDue) return undefined;
    const tells: Tell[] = [];
    for (const to of this.#unwritten) if (state.apps.has(to)) tells.push(tell(to, 'webhook.write'));
    this.#unwritten.clear();
    const effects: Effect[] = [...this.#changed.values()].map(({ owner, number }) =>
      recallOf(owner, number, plan),
    );
    this.#changed.clear();
    if (!isDue) return { tells, effects };
    this.#nextMs = Number.POSITIVE_INFINITY;
    for (const [owner, lookMs] of [...this.#nextOf]) {
      const app = context.quarantined.has(owner) ? undefined : state.apps.get(owner);
      if (app === undefined) {
        this.#nextOf.delete(owner);
        continue;
      }
      let nextMs = lookMs;
      if (lookMs <= context.nowMs && effects.length < grantsMax) {
        const { webhooks } = app;
        nextMs = this.#serve(app, plan, sealer, context, effects);
        if (webhooks.passes.dueMs(sweepMs) <= context.nowMs)
          tells.push(tell(owner, 'webhook.sweep'));
        // Round-robin: move a served app to the back.
        this.#nextOf.delete(owner);
        this.#nextOf.set(owner, nextMs);
      }
      this.#nextMs = Math.min(this.#nextMs, nextMs);
    }
    return { tells, effects };
  }

  /** When to look again. */
  #serve(
    app: WebhooksView,
    plan: WebhookPlan,
    sealer: Sealer,
    context: PumpContext,
    effects: Effect[],
  ): Millis {
    const { webhooks, record } = app;
    let nextMs = Math.max(webhooks.passes.dueMs(sweepMs), context.nowMs + pauseMs);
    for (const [number, destination] of webhooks.destinations) {
      const line = this.#lines.of(record.ordinal, number);
      if (line.nextMs <= context.nowMs)
        effects.push(...grantsOf(app, destination, line, plan, sealer, context));
      nextMs = Math.min(nextMs, line.nextMs);
    }
    return nextMs;
  }

  #recall(owner: Ordinal, number: number): void {
    this.#changed.set(`${owner}|${number}`, { owner, number });
    this.#look(owner);
  }

  #look(owner: Ordinal): void {
    this.#nextOf.set(owner, 0);
    this.#nextMs = 0;
  }
}

/** The destination whose address, secret or state may be another one now. */
function changedBy(entry: WebhooksEntry): number | undefined {
  if (entry.kind === 'webhook.saved') return entry.destination.number;
  return entry.kind === 'webhook.removed' ? entry.destination : undefined;
}

/** Takes back what has not begun. */
function recallOf(
  app: Ordinal,
  destination: number,
  plan: Pick<WebhookPlan, 'dispatchers'>,
): Effect {
  const message: WebhookRecall = { kind: 'webhook.recall', app, destination };
  return { port: dispatcherOf(app, destination, plan), message };
}

function tell(to: Ordinal, kind: 'webhook.write' | 'webhook.sweep'): Tell {
  return { to, message: { kind, by: -1 } as Message };
}
