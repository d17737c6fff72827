// The clocks of all areas, as one. What is due, and what a start resumes, comes in a fixed order,
// as the order of entries in a log depends on it.

import type { PumpContext } from '../../engine/actor/machine.ts';
import type { Context, Entry, Message, Tell } from '../../engine/actor/message.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { AreaClock, DueTurn, Ended, Hears, Started, StartTurn } from '../area-clock.ts';
import { type AnyArea, type AreaName, areas } from './areas.ts';
import type { ProductRules } from './rules.ts';
import type { AppState, PartitionState } from './state.ts';

type AnyClock = AreaClock<PartitionState, AppState>;

/** Areas whose clocks are asked in this order; a test pins it. */
export const clockOrder = [
  'events',
  'restore changes',
  'restored',
  'audience',
  'usage',
  'segments',
  'campaigns',
  'journeys',
  'expiry',
  'clients',
  'billing',
  'accounts',
  'outbox',
  'webhooks',
] as const satisfies readonly AreaName[];

type Clocked = Extract<(typeof areas)[number], { readonly clock: unknown }>;

export class Clocks {
  /** In `clockOrder`. */
  readonly #makers: readonly (() => AnyClock)[];
  #clocks: readonly AnyClock[];
  /** In the order of areas: single sends begin before campaigns. */
  readonly #startOrder: readonly number[];
  #before: ReadonlyMap<string, Hears<AppState>> = new Map();
  #after: ReadonlyMap<string, Hears<AppState>> = new Map();
  /** Those that look at entries: asking all of them would be the most of folding a small one. */
  #folding: readonly AnyClock[] = [];
  /** Whether nobody doubted the clock in the turn before. */
  #wasSure = true;

  constructor(rules: ProductRules) {
    const clocked = areas.filter((area): area is Clocked => 'clock' in area);
    const ordered = clocked.toSorted((a, b) => rankOf(a) - rankOf(b));
    this.#makers = ordered.map((area: AnyArea) => () => area.clock?.(rules) ?? {});
    this.#clocks = this.#makers.map((make) => make());
    this.#startOrder = clocked.map((area) => ordered.indexOf(area));
    this.#listen();
  }

  begin(state: PartitionState, nowMs: Millis): void {
    for (const clock of this.#clocks) clock.begin?.(state, nowMs);
  }

  /** The clock was set right. */
  beginAnew(state: PartitionState, nowMs: Millis): void {
    this.#clocks = this.#clocks.map((clock, i) =>
      clock.isKept ? clock : (this.#makers[i] as () => AnyClock)(),
    );
    this.#listen();
    this.begin(state, nowMs);
  }

  folded(entry: Entry, app: AppState | undefined): void {
    for (const clock of this.#folding) clock.folded?.(entry, app);
  }

  hearBefore(app: AppState | undefined, message: Message, context: Context): void {
    this.#before.get(message.kind)?.(app, message as never, context);
  }

  hearAfter(app: AppState | undefined, message: Message, context: Context): void {
    this.#after.get(message.kind)?.(app, message as never, context);
  }

  /** Nothing may begin: a restore has not been acted on. */
  isHeld(state: PartitionState): boolean {
    return this.#clocks.some((clock) => clock.holds?.(state) === true);
  }

  /** `isEnding`: dispatchers take no more orders. */
  due(state: PartitionState, turn: DueTurn, isEnding: boolean): readonly Tell[] {
    const isHeld = this.isHeld(state);
    if (!isHeld) this.#noteDoubt(state);
    const tells: Tell[] = [];
    for (const clock of this.#clocks) {
      if (clock.due === undefined || (isHeld && !clock.whileHeld)) continue;
      if (isEnding && clock.needsDispatchers) continue;
      tells.push(...clock.due(state, turn));
    }
    return tells;
  }

  dueWhenFull(state: PartitionState): readonly Tell[] {
    return this.#clocks.flatMap((clock) => clock.dueWhenFull?.(state) ?? []);
  }

  nextMs(isEnding: boolean): Millis | undefined {
    let next = Number.POSITIVE_INFINITY;
    for (const { nextMs, needsDispatchers } of this.#clocks)
      if (nextMs !== undefined && !(isEnding && needsDispatchers)) next = Math.min(next, nextMs);
    return next === Number.POSITIVE_INFINITY ? undefined : next;
  }

  columnsComplete(app: AppState): void {
    for (const clock of this.#clocks) clock.columnsComplete?.(app);
  }

  /** What an app lets begin, area by area; each takes from what is left of the turn. */
  *start(state: PartitionState, app: AppState, turn: StartTurn): Generator<Started> {
    for (const at of this.#startOrder) {
      const started = this.#clocks[at]?.start?.(state, app, turn);
      if (started !== undefined) yield started;
    }
  }

  hasMore(app: AppState): boolean {
    return this.#clocks.some((clock) => clock.hasMore?.(app) === true);
  }

  *end(
    state: PartitionState,
    context: PumpContext,
    entries: readonly Entry[],
    mayStart: boolean,
  ): Generator<Ended> {
    for (const clock of this.#clocks) {
      const ended = clock.end?.(state, context, entries, mayStart);
      if (ended !== undefined) yield ended;
    }
  }

  resume(state: PartitionState): readonly Tell[] {
    const tells = this.#clocks.flatMap((clock) => clock.resume?.(state) ?? []);
    for (const app of state.apps.values())
      for (const clock of this.#clocks) tells.push(...(clock.resumeApp?.(state, app) ?? []));
    return tells;
  }

  /** What waited for a clock in doubt runs in the turn that confirms it. */
  #noteDoubt({ ages }: PartitionState): void {
    const isSure = ages.gaps.length === 0;
    if (isSure && !this.#wasSure) for (const clock of this.#clocks) clock.confirmed?.();
    this.#wasSure = isSure;
  }

  #listen(): void {
    const heard = (member: 'before' | 'after') =>
      new Map(this.#clocks.flatMap((clock) => Object.entries(clock[member] ?? {})));
    this.#folding = this.#clocks.filter((clock) => clock.folded !== undefined);
    this.#before = heard('before');
    this.#after = heard('after');
  }
}

/** Does not compile while the clock of an area has no place in `clockOrder`. */
function rankOf({ name }: Clocked): number {
  return clockOrder.indexOf(name);
}
