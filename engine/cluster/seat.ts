// One partition as one member sees it: its copy, the lease while it owns it, and what it does next.
// A standby claims what has no owner; an owner says that it lives, and moves the partition to the
// member that the plan names.

import type { Millis } from '../base/brand.ts';
import type { CopyRole, PartitionCopy } from '../log/copy.ts';
import type { Frame } from '../log/frame.ts';
import type { Position } from '../log/partition-log.ts';
import type { CopySaid, MemberIdentity } from './beat.ts';
import { Lease, type LeaseWords, leaseOverMs } from './lease.ts';
import type { Member, Members } from './members.ts';
import {
  type Awaiting,
  announce,
  awaitingStep,
  isAwaited,
  leavingStep,
  type PlannedMove,
} from './moves.ts';
import { ReadSums } from './read-sums.ts';
import { type Candidate, graceMs, isVacant, isWhole, successors } from './takeover.ts';

/** A copy must have read what the log had so long ago. */
const behindMaxMs: Millis = 1_000;
/** A member must have lived so long before partitions move to it. */
export const settledMs: Millis = 5_000;
/** After a move that did not take place. */
const moveAgainMs: Millis = 5_000;
/** Between the steps of a move. */
const soonMs: Millis = 10;
/** While an owner is silent, the log is asked so often whether it answers. */
const probeMs: Millis = 1_000;

/** What a copy tells its seat. */
interface SeatHooks {
  readonly onFrame: (frame: Frame) => void;
  readonly onCommitted: (publishedMs: Millis) => void;
  readonly onRole: (role: CopyRole, error?: unknown) => void;
  readonly onLost: () => void;
  readonly beforeStart: () => Promise<void>;
}

type SeatCopy = Pick<
  PartitionCopy,
  'role' | 'place' | 'isQuiet' | 'idle' | 'handOver' | 'takeOver' | 'reachesLog' | 'close'
>;

/** What an operator must know. */
export type SeatTrouble =
  /** Two copies differ where they must be the same. */
  | { readonly kind: 'diverged'; readonly partition: number; readonly member: string }
  | { readonly kind: 'copy_failed'; readonly partition: number; readonly error: unknown };

export interface SeatOptions {
  readonly partition: number;
  readonly generation: number;
  readonly self: MemberIdentity;
  readonly members: Members;
  readonly words: LeaseWords;
  /** The clock of the lease. */
  readonly monotonic: () => Millis;
  readonly wait: (ms: Millis) => Promise<void>;
  readonly open: (hooks: SeatHooks) => SeatCopy;
  /** Makes the copy's files anew from another member's. False: not now. */
  readonly renew: (from: string) => Promise<boolean>;
  /** Whether messages wait outside, because the partition is about to move. */
  readonly hold: (isHeld: boolean) => void;
  /** Everything that was taken is decided. */
  readonly isDrained: () => boolean;
  /** This member is to be emptied. */
  readonly isDraining: () => boolean;
  /** Others should hear of this now. */
  readonly say: () => void;
  readonly onTrouble: (trouble: SeatTrouble) => void;
}

export class Seat {
  readonly #options: SeatOptions;
  readonly #lease: Lease;
  readonly #sums = new ReadSums();
  #copy: SeatCopy;
  /** By attentive time: the newest valid frame of whoever owns. */
  #frameMs: Millis;
  /** By the lease's clock: the newest frame of another process that may have a lease by it. */
  #foreignMs: Millis;
  #handedTo: string | undefined;
  /** Positions that a member said, by attentive time. */
  #positions: { readonly atMs: Millis; readonly position: Position }[] = [];
  #vacantMs: Millis | undefined;
  #answeringMs: Millis | undefined;
  #probedMs: Millis = Number.NEGATIVE_INFINITY;
  #leaving: PlannedMove | undefined;
  #moveAgainMs: Millis = 0;
  #awaiting: Awaiting | undefined;
  #planned: readonly string[] = [];
  /** Its files must be made anew. */
  #isGone = false;
  #isBusy = false;
  #isClosed = false;

  constructor(options: SeatOptions) {
    this.#options = options;
    const { partition, words, monotonic, members } = options;
    this.#lease = new Lease({ words, partition, monotonic });
    this.#frameMs = members.attentiveMs;
    this.#foreignMs = monotonic();
    this.#copy = options.open(this.#hooks());
  }

  get role(): CopyRole {
    return this.#copy.role;
  }

  get term(): number {
    return this.#copy.place.term;
  }

  /** What others hear of this copy. */
  get said(): CopySaid {
    const { partition, generation, members } = this.#options;
    const { term, position, seq, sum } = this.#copy.place;
    const awaits = this.#awaiting;
    return {
      partition,
      generation,
      role: this.#copy.role,
      term,
      position,
      seq,
      sum,
      ...(this.#leaving && { movesTo: this.#leaving.to }),
      ...(awaits && isAwaited(awaits, members.attentiveMs) && { awaitsTerm: awaits.term }),
    };
  }

  /** Four times a second. `planned`: by the plan, the owner first; empty if there is none. */
  tick(planned: readonly string[]): void {
    this.#planned = planned;
    this.#step();
  }

  #step(): void {
    if (this.#isClosed) return;
    this.#noteSaid();
    switch (this.#copy.role) {
      case 'owner':
        this.#own();
        break;
      case 'standby':
        this.#standBy();
        break;
      case 'gone':
        this.#isGone = true;
        break;
      default:
        this.#awaiting = undefined;
    }
    if (this.#isGone) this.#renew();
  }

  /** All of these members live and have whole copies. */
  areWhole(names: readonly string[]): boolean {
    const found = this.#candidates().filter(({ name }) => names.includes(name));
    const newest = { position: this.#agedPosition(), generation: this.#options.generation };
    return found.length === names.length && found.every((one) => isWhole(one, newest));
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    this.#lease.end();
    await this.#copy.close();
  }

  /** Whoever owned the partition may have published its newest frame just now. */
  #readAnew(): void {
    const { members, monotonic } = this.#options;
    this.#frameMs = members.attentiveMs;
    this.#foreignMs = monotonic();
    this.#handedTo = undefined;
  }

  #hooks(): SeatHooks {
    const { members, self, monotonic } = this.#options;
    return {
      onFrame: ({ kind, writer, content }) => {
        this.#frameMs = members.attentiveMs;
        this.#answeringMs = undefined;
        this.#handedTo = kind === 'handed' ? decodeName(content) : undefined;
        // An owner that hands over has ended its lease before.
        if (kind === 'handed') this.#foreignMs = Number.NEGATIVE_INFINITY;
        else if (writer !== self.instance) this.#foreignMs = monotonic();
        this.#noteSum();
        if (this.#handedTo === self.name) this.#soon();
      },
      onCommitted: (publishedMs) => {
        members.proved();
        this.#lease.committed(publishedMs);
        this.#noteSum();
      },
      onRole: (role, error) => {
        if (role === 'failed') this.#ended(error);
      },
      onLost: () => {
        this.#lease.end();
        if (this.#leaving !== undefined) this.#options.hold(false);
        this.#leaving = undefined;
        this.#frameMs = members.attentiveMs;
      },
      beforeStart: () => this.#othersLeaseOver(),
    };
  }

  /** A move does not wait for the next tick. */
  #soon(): void {
    void this.#options.wait(soonMs).then(() => this.#step());
  }

  #ended(error: unknown): void {
    const { partition, onTrouble } = this.#options;
    this.#lease.end();
    onTrouble({ kind: 'copy_failed', partition, error });
  }

  /** Before the first turn of a term: nobody else answers any more. */
  async #othersLeaseOver(): Promise<void> {
    const { monotonic, wait } = this.#options;
    for (;;) {
      const leftMs = this.#foreignMs + leaseOverMs - monotonic();
      if (!(leftMs > 0) || this.#isClosed) return;
      await wait(leftMs + 1);
    }
  }

  // As a standby.

  #standBy(): void {
    const { members, self, isDraining } = this.#options;
    const first = successors(this.#standing());
    const isReady = first.includes(self.name) && !isDraining() && members.hasJoined;
    this.#await(isReady);
    if (!members.hasJoined || !members.isConnected) return;
    const nowMs = members.attentiveMs;
    const view = this.#ownerView();
    if (!isVacant(view)) {
      this.#vacantMs = undefined;
      if (view.quietMs >= probeMs) this.#probe();
      return;
    }
    this.#vacantMs ??= nowMs;
    const rank = first.indexOf(self.name);
    if (rank >= 0 && nowMs - this.#vacantMs >= rank * graceMs) this.#claim();
  }

  #standing() {
    const { generation } = this.#options;
    const planned = this.#planned;
    const candidates = this.#candidates();
    const position = this.#agedPosition();
    return { candidates, planned, handedTo: this.#handedTo, position, generation };
  }

  #ownerView() {
    const { members } = this.#options;
    const { term, writer } = this.#copy.place;
    const nowMs = members.attentiveMs;
    const isHanded = this.#handedTo !== undefined;
    // Whoever hands it over may still have said before that it owns it.
    const isNow = (said: number) => said > term || (said === term && !isHanded);
    const isClaimedByLive = this.#liveCopies().some(
      ([, { role, term: said }]) => role === 'claiming' || (role === 'owner' && isNow(said)),
    );
    return {
      term,
      process: members.stateOf(writer),
      isClaimedByLive,
      isHanded,
      quietMs: nowMs - this.#frameMs,
      answeredMs: this.#answeringMs === undefined ? 0 : nowMs - this.#answeringMs,
      awakeMs: nowMs,
    };
  }

  /** Whether the log answers while its owner is silent. */
  #probe(): void {
    const { members } = this.#options;
    const nowMs = members.attentiveMs;
    if (nowMs - this.#probedMs < probeMs) return;
    this.#probedMs = nowMs;
    const frameMs = this.#frameMs;
    void this.#copy.reachesLog().then((isReached) => {
      if (!isReached) this.#answeringMs = undefined;
      else if (frameMs === this.#frameMs) this.#answeringMs ??= nowMs;
    });
  }

  #claim(): void {
    const { self, members, monotonic, say } = this.#options;
    if (this.#isBusy) return;
    this.#isBusy = true;
    const copy = this.#copy;
    const terms = [copy.place.term, ...this.#liveCopies().map(([, { term }]) => term)];
    const publishedMs = monotonic();
    void copy.takeOver(Math.max(...terms) + 1, Buffer.from(self.name)).then((isOwner) => {
      this.#isBusy = false;
      this.#vacantMs = members.attentiveMs;
      this.#answeringMs = undefined;
      if (!isOwner || this.#isClosed) return;
      members.proved();
      this.#handedTo = undefined;
      this.#lease.resume();
      this.#lease.committed(publishedMs);
      copy.idle();
      say();
    });
    say();
  }

  /** What the owner asks this standby to be ready for. */
  #await(isReady: boolean): void {
    const { members, self, say } = this.#options;
    const offer = this.#liveCopies().find(
      ([, { role, movesTo }]) => role === 'owner' && movesTo === self.name,
    );
    const before = this.#awaiting;
    this.#awaiting = awaitingStep(before, {
      nowMs: members.attentiveMs,
      offeredTerm: offer?.[1].term,
      isReady,
    });
    if (this.#awaiting !== before && this.#awaiting !== undefined) say();
  }

  /** From a standby that is whole, or else from the owner. */
  #renew(): void {
    const { renew, open, self } = this.#options;
    const standing = this.#standing();
    const sources = standing.candidates.filter(
      (one) => one.name !== self.name && isWhole(one, standing),
    );
    const source = sources.find(({ copy }) => copy.role === 'standby') ?? sources[0];
    if (source === undefined || this.#isBusy) return;
    this.#isBusy = true;
    const gone = this.#copy;
    void gone
      .close()
      .then(() => renew(source.name))
      .then((isRenewed) => {
        this.#isBusy = false;
        if (!isRenewed || this.#isClosed) return;
        this.#isGone = false;
        // The files have frames that this process has not read, as those of a new one.
        this.#readAnew();
        this.#copy = open(this.#hooks());
      });
  }

  // As an owner.

  #own(): void {
    this.#awaiting = undefined;
    this.#vacantMs = undefined;
    if (this.#lease.isIdleDue) this.#copy.idle();
    const nowMs = this.#options.members.attentiveMs;
    const target = this.#target();
    if (this.#leaving === undefined) {
      if (target === undefined || nowMs < this.#moveAgainMs) return;
      this.#leaving = announce(target, nowMs);
      this.#options.say();
      return;
    }
    const { to } = this.#leaving;
    const said = this.#liveCopies().find(([{ beat }]) => beat.member.name === to)?.[1];
    const { leaving, action } = leavingStep(this.#leaving, {
      nowMs,
      isWanted: target === to,
      isAble: said !== undefined,
      isAwaited: said?.awaitsTerm === this.#copy.place.term,
      isQuiet: this.#copy.isQuiet && this.#options.isDrained(),
    });
    if (leaving === undefined) this.#moveAgainMs = nowMs + moveAgainMs;
    this.#leaving = leaving;
    this.#act(action, to);
  }

  #act(action: ReturnType<typeof leavingStep>['action'], to: string): void {
    const { hold, say } = this.#options;
    switch (action) {
      case 'hold':
        hold(true);
        this.#lease.suspend();
        say();
        this.#soon();
        break;
      case 'resume':
        hold(false);
        this.#lease.resume();
        this.#copy.idle();
        say();
        break;
      case 'hand':
        void this.#copy.handOver(Buffer.from(to)).then(() => say());
        break;
      default:
    }
  }

  /** Who shall own the partition instead, and can. */
  #target(): string | undefined {
    const { self, isDraining } = this.#options;
    const able = successors(this.#standing()).filter((name) => this.#isSettled(name));
    if (isDraining()) return able.find((name) => this.#planned.includes(name));
    const [wanted] = this.#planned;
    return wanted !== self.name && able.includes(wanted ?? '') ? wanted : undefined;
  }

  #isSettled(name: string): boolean {
    const member = this.#options.members.of(name);
    return member !== undefined && member.knownMs >= settledMs && !member.beat.isDraining;
  }

  // What others say.

  #liveCopies(): readonly (readonly [Member, CopySaid])[] {
    const { members, partition } = this.#options;
    return members.others().flatMap((member) => {
      const said = member.beat.copies.find((copy) => copy.partition === partition);
      return member.isLive && said !== undefined ? [[member, said] as const] : [];
    });
  }

  #candidates(): readonly Candidate[] {
    const { self, members } = this.#options;
    const { isClockWrong } = members;
    const isDraining = this.#options.isDraining();
    const own = { name: self.name, copy: this.said, isDraining, isClockWrong };
    const others = this.#liveCopies().map(([{ beat }, copy]) => ({
      name: beat.member.name,
      copy,
      isDraining: beat.isDraining,
      isClockWrong: beat.isClockWrong,
    }));
    return [own, ...others];
  }

  /** Keeps how far the log is known to be, and compares what was read where. */
  #noteSaid(): void {
    const { members, partition, generation, onTrouble } = this.#options;
    let newest = this.#copy.place.position;
    for (const { beat } of members.others()) {
      const said = beat.copies.find((copy) => copy.partition === partition);
      if (said === undefined || said.generation !== generation) continue;
      newest = Math.max(newest, said.position);
      if (this.#sums.differs(said))
        onTrouble({ kind: 'diverged', partition, member: beat.member.name });
    }
    const nowMs = members.attentiveMs;
    const known = this.#positions;
    if (newest > (known.at(-1)?.position ?? 0)) known.push({ atMs: nowMs, position: newest });
    while (known[1] !== undefined && known[1].atMs <= nowMs - behindMaxMs) known.shift();
  }

  #agedPosition(): Position {
    const [oldest] = this.#positions;
    const beforeMs = this.#options.members.attentiveMs - behindMaxMs;
    return oldest !== undefined && oldest.atMs <= beforeMs ? oldest.position : 0;
  }

  #noteSum(): void {
    this.#sums.note(this.#copy.place);
  }
}

function decodeName(content: Uint8Array): string {
  return Buffer.from(content).toString();
}
