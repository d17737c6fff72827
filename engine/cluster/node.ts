// One member of a cluster: it hears the others, keeps copies of the partitions that the plan gives
// it, and replaces the plan if its name comes first. It does nothing by itself: whoever runs it
// calls `tick` and `hear`, and does what it asks for.

import type { Millis } from '../base/brand.ts';
import { type Beat, beatMs, type CopySaid, type MemberIdentity } from './beat.ts';
import type { Directory, DirectoryValue } from './directory.ts';
import {
  decodePlan,
  encodePlan,
  isPlanner,
  type KeptPlan,
  nextPlan,
  noPlan,
  type Planner,
} from './kept-plan.ts';
import type { LeaseWords } from './lease.ts';
import { Members, type MemberTrouble } from './members.ts';
import { Seat, type SeatOptions, type SeatTrouble, settledMs } from './seat.ts';

/** The directory is read so often, for its news may get lost. */
const lookMs: Millis = 5_000;
/** Writes into the directory that are not the plan, and plans. */
const writeAgainMs: Millis = 1_000;

const planKey = 'plan';

function ownerKey(partition: number): string {
  return `owner.${String(partition).padStart(2, '0')}`;
}

/** What a member needs of the process around it. */
export interface NodeHost {
  /** Partitions that this machine has files of. */
  kept(): readonly number[];
  open(
    partition: number,
    hooks: Parameters<SeatOptions['open']>[0],
  ): ReturnType<SeatOptions['open']>;
  /** Removes the files of a copy that was closed. */
  drop(partition: number): void | Promise<void>;
  /** Makes the files of a copy anew from another member's. False: not now. */
  renew(partition: number, from: string): Promise<boolean>;
  hold(partition: number, isHeld: boolean): void;
  isDrained(partition: number): boolean;
  say(beat: Beat): void;
  onTrouble(trouble: MemberTrouble | SeatTrouble): void;
  /** Another process has its name: it has stopped, and the process must end. */
  onNameTaken(): void;
}

interface NodeOptions {
  readonly self: MemberIdentity;
  readonly partitions: number;
  /** Of each partition, its owner's included. */
  readonly copies: number;
  readonly generation: number;
  readonly directory: Directory;
  readonly words: LeaseWords;
  /** Shared by all threads that look at the words. */
  readonly monotonic: () => Millis;
  readonly wall: () => Millis;
  readonly wait: (ms: Millis) => Promise<void>;
  readonly host: NodeHost;
  readonly planner?: Planner;
}

export class ClusterNode {
  readonly members: Members;
  readonly #options: NodeOptions;
  readonly #seats = new Map<number, Seat>();
  /** Partitions whose copies are being closed. */
  readonly #leaving = new Set<number>();
  readonly #watch: { close(): void };
  #values: ReadonlyMap<string, DirectoryValue> = new Map();
  #plan = noPlan;
  #hasLooked = false;
  #isLooking = false;
  #isWriting = false;
  #isDraining = false;
  #isLeaving = false;
  #isClosed = false;
  #spokeMs: Millis = Number.NEGATIVE_INFINITY;
  #lookedMs: Millis = Number.NEGATIVE_INFINITY;
  #wroteMs: Millis = Number.NEGATIVE_INFINITY;

  constructor(options: NodeOptions) {
    const { self, directory, monotonic, wall, host } = options;
    this.#options = options;
    const onTrouble = (trouble: MemberTrouble) => host.onTrouble(trouble);
    this.members = new Members({ self, monotonic, wall, onTrouble });
    this.#watch = directory.watch(() => void this.#look());
    for (const partition of host.kept()) this.#seat(partition);
  }

  get plan(): KeptPlan {
    return this.#plan;
  }

  roleOf(partition: number): Seat['role'] | undefined {
    return this.#seats.get(partition)?.role;
  }

  /** It shall be emptied, or no longer. */
  drain(isDraining = true): void {
    this.#isDraining = isDraining;
    this.#say();
  }

  /** Its process is about to end: what it owns goes to standbys, and the plan stays as it is. */
  leave(): void {
    this.#isLeaving = true;
    for (const [partition, seat] of this.#seats) seat.tick(this.#planned(partition));
  }

  get isDraining(): boolean {
    return this.#isDraining;
  }

  /** Its copies, as others hear of them. */
  get copies(): readonly CopySaid[] {
    return [...this.#seats.values()].map(({ said }) => said);
  }

  /** Nothing is left here that others do not have. */
  get isEmpty(): boolean {
    return this.#seats.size === 0;
  }

  hear(beat: Beat): void {
    if (this.#isClosed) return;
    this.members.hear(beat);
    if (beat.planVersion > this.#plan.version) this.#lookSoon(writeAgainMs);
  }

  /** Four times a second. */
  tick(): void {
    if (this.#isClosed) return;
    const { members } = this;
    members.tick();
    if (members.isNameTaken) {
      void this.close();
      this.#options.host.onNameTaken();
      return;
    }
    if (members.attentiveMs - this.#spokeMs >= beatMs) this.#say();
    this.#lookSoon(lookMs);
    this.#sit();
    for (const [partition, seat] of this.#seats) seat.tick(this.#planned(partition));
    if (members.hasJoined) this.#write();
  }

  /** Owners stop, copies stay. */
  async close(): Promise<void> {
    this.#isClosed = true;
    this.#watch.close();
    await Promise.all([...this.#seats.values()].map((seat) => seat.close()));
  }

  #planned(partition: number): readonly string[] {
    return this.#plan.partitions[partition] ?? [];
  }

  #say(): void {
    if (this.#isClosed) return;
    this.#spokeMs = this.members.attentiveMs;
    this.#options.host.say(
      this.members.say({
        isDraining: this.#isDraining,
        planVersion: this.#plan.version,
        copies: this.copies,
      }),
    );
  }

  /** Opens the copies that the plan gives this member, and drops those that it does not need. */
  #sit(): void {
    const { self, host } = this.#options;
    for (const [partition, names] of this.#plan.partitions.entries()) {
      const seat = this.#seats.get(partition);
      if (names.includes(self.name)) {
        if (seat === undefined && !this.#leaving.has(partition)) this.#seat(partition);
        continue;
      }
      if (seat === undefined || seat.role === 'owner' || seat.role === 'claiming') continue;
      // A copy goes once all that shall be there are there.
      if (names.length === 0 || !seat.areWhole(names)) continue;
      this.#seats.delete(partition);
      this.#leaving.add(partition);
      void seat
        .close()
        .then(() => (this.#isClosed ? undefined : host.drop(partition)))
        .finally(() => this.#leaving.delete(partition));
    }
  }

  #seat(partition: number): void {
    const { self, generation, words, monotonic, wait, host } = this.#options;
    const seat = new Seat({
      partition,
      generation,
      self,
      members: this.members,
      words,
      monotonic,
      wait,
      open: (hooks) => host.open(partition, hooks),
      renew: (from) => host.renew(partition, from),
      hold: (isHeld) => host.hold(partition, isHeld),
      isDrained: () => host.isDrained(partition),
      isDraining: () => this.#isDraining || this.#isLeaving,
      say: () => this.#say(),
      onTrouble: (trouble) => host.onTrouble(trouble),
    });
    this.#seats.set(partition, seat);
  }

  #lookSoon(everyMs: Millis): void {
    if (this.members.attentiveMs - this.#lookedMs >= everyMs) void this.#look();
  }

  async #look(): Promise<void> {
    if (this.#isLooking || this.#isClosed) return;
    this.#isLooking = true;
    this.#lookedMs = this.members.attentiveMs;
    const values = await this.#options.directory.readAll();
    this.#isLooking = false;
    if (values === undefined) return;
    this.#hasLooked = true;
    this.#values = values;
    const kept = values.get(planKey);
    this.#plan = (kept && decodePlan(kept.value)) ?? noPlan;
  }

  /** One write at a time: the plan first, then who owns what. */
  #write(): void {
    const nowMs = this.members.attentiveMs;
    if (!this.#hasLooked || this.#isWriting || nowMs - this.#wroteMs < writeAgainMs) return;
    const next = this.#nextWrite();
    if (next === undefined) return;
    const [key, value] = next;
    this.#isWriting = true;
    this.#wroteMs = nowMs;
    const { directory } = this.#options;
    const revision = this.#values.get(key)?.revision ?? 0;
    void directory.update(key, value, revision).then(({ state }) => {
      this.#isWriting = false;
      if (state === 'updated') this.members.proved();
      void this.#look();
    });
  }

  #nextWrite(): readonly [key: string, value: Uint8Array] | undefined {
    const { self, partitions, copies, planner } = this.#options;
    const { members } = this;
    const { name, zone } = self;
    const view = {
      self: { name, zone, isDraining: this.#isDraining },
      others: members.others(),
      awakeMs: members.attentiveMs,
      settledMs,
      partitions,
      copies,
      old: this.#plan,
    };
    if (members.attentiveMs >= settledMs && members.isConnected && isPlanner(view)) {
      const plan = nextPlan(view, planner);
      if (plan !== undefined) return [planKey, encodePlan(plan)];
    }
    for (const [partition, seat] of this.#seats) {
      if (seat.role !== 'owner') continue;
      const value = Buffer.from(JSON.stringify({ name, term: seat.term }));
      const known = this.#values.get(ownerKey(partition));
      if (known === undefined || !value.equals(known.value)) return [ownerKey(partition), value];
    }
    // Who hears nobody learns by a write whether it is cut off.
    if (members.isConnected) return undefined;
    return [`member.${name}`, Buffer.from(String(self.instance))];
  }
}
