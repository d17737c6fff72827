// The product as one machine: checks the caller, then runs the areas' decisions and folds; restores
// and snapshots memory.

import type {
  GapMemory,
  Machine,
  PumpContext,
  PumpResult,
  Rebase,
  SnapshotPart,
  TimerRef,
} from '../../engine/actor/machine.ts';
import {
  type Context,
  type Decision,
  type DocumentReader,
  type Entry,
  type Message,
  refused,
  type Tell,
} from '../../engine/actor/message.ts';
import { isSlotAddress } from '../../engine/actor/placement.ts';
import type { Millis, Ordinal } from '../../engine/base/brand.ts';
import { notFound } from '../faults.ts';
import { Clocks } from './clocks.ts';
import { foldEverywhere, rebaseEverywhere } from './every-area.ts';
import { Followers } from './followers.ts';
import { rulesOf } from './make-rules.ts';
import { newPartitionState, partsOfState, restoreState } from './memory.ts';
import type { ProductOptions } from './rules.ts';
import { Rulings } from './rulings.ts';
import { startWork } from './start-work.ts';
import type { PartitionState } from './state.ts';

export type { ProductOptions };

/** `by` of a message from inside the system. */
const system = -1;

/** One partition's product. */
export class Product implements Machine {
  readonly state: PartitionState;
  readonly #clocks: Clocks;
  readonly #followers = new Followers();
  readonly #rulings: Rulings;
  #hasBegun = false;
  #isShared = false;
  /** Dispatchers are about to end, or another server is about to own the partition. */
  #isEnding = false;

  constructor(options: ProductOptions) {
    this.state = newPartitionState(options.tableKey);
    const rules = rulesOf(options);
    this.#clocks = new Clocks(rules);
    this.#rulings = new Rulings(rules, this.#clocks, this.#followers);
  }

  get ages(): GapMemory {
    return this.state.ages;
  }

  documentsOf(owner: Ordinal, stored: DocumentReader): DocumentReader {
    const app = this.state.apps.get(owner);
    return app === undefined ? stored : this.#rulings.documentsOf(app, stored);
  }

  decide(message: Message, context: Context): Decision {
    const { by, namedApp } = message as Message & {
      readonly by: Ordinal;
      readonly namedApp?: string;
    };
    // Only the id's ordinal led here; the rest of the id must match, too.
    if (namedApp !== undefined && this.state.apps.get(context.owner)?.record.id !== namedApp)
      return refused(notFound('app'));
    if (by !== system && !this.#mayReach(by, context.owner))
      return this.#rulings.ofUnknown(this.state, message, context);
    return this.#rulings.of(this.state, message, context);
  }

  apply(entry: Entry): void {
    const apply = this.#rulings.applies.get(entry.kind);
    if (apply === undefined) throw new Error(`nothing folds ${entry.kind}`);
    foldEverywhere(this.state, entry);
    apply(this.state, entry);
    const app = this.state.apps.get(entry.owner);
    if (app !== undefined) this.#followers.fold(app, entry, this.state);
    this.#clocks.folded(entry, app);
  }

  /** What is derived from instants is derived again. */
  rebase(to: Rebase): void {
    rebaseEverywhere(this.state, to);
    if (this.#hasBegun) this.#clocks.beginAnew(this.state, to.toMs); // else a replay
  }

  due(nowMs: Millis, wallMs = nowMs): readonly Tell[] {
    const turn = { nowMs, wallMs, isShared: this.#isShared };
    return this.#clocks.due(this.state, turn, this.#isEnding);
  }

  dueWhenFull(): readonly Tell[] {
    return this.#clocks.dueWhenFull(this.state);
  }

  nextDueMs(): Millis | undefined {
    return this.#clocks.nextMs(this.#isEnding);
  }

  /** Columns of an app are complete: what waited for them may continue. */
  columnsBecameWhole(owner: Ordinal): void {
    const app = this.state.apps.get(owner);
    if (app !== undefined) this.#clocks.columnsComplete(app);
  }

  timerMessage(timer: number, ref: TimerRef, _dueMs: Millis): Message {
    const made = this.#rulings.timers.get(`${timer}`);
    if (made === undefined) throw new Error(`no timer has the number ${timer}`);
    return { ...made(ref), by: system } as Message;
  }

  pump(context: PumpContext, budget: number): PumpResult | undefined {
    this.#isShared = context.isShared;
    const mayStart = !this.#isEnding && !this.#clocks.isHeld(this.state);
    return startWork(this.state, this.#clocks, this.#followers, context, budget, mayStart);
  }

  /** Nothing is sent from now on. Due targets wait for the next start, or until `false`. */
  quiesce(isEnding = true): void {
    this.#isEnding = isEnding;
  }

  recover(nowMs: Millis): readonly Tell[] {
    this.#hasBegun = true;
    this.#clocks.begin(this.state, nowMs);
    return this.#clocks.resume(this.state);
  }

  parts(): Iterable<SnapshotPart> {
    return partsOfState(this.state);
  }

  restore(parts: Iterable<SnapshotPart>): void {
    restoreState(this.state, parts);
  }

  /** An org reaches itself, its apps and bare slots; a deleted one nothing. */
  #mayReach(by: Ordinal, owner: Ordinal): boolean {
    if (this.state.orgs.get(by)?.record.closedMs !== undefined) return false;
    if (by === owner || isSlotAddress(owner)) return true;
    return this.state.apps.get(owner)?.record.org === by;
  }
}
