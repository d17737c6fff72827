// Who lives, by what one process hears. Silence is counted by its own monotonic clock, and only
// while it was itself awake: a process that was stopped for a minute has not heard for a minute,
// and knows nothing of the others. No clocks of two machines are compared to tell who lives.

import type { Millis } from '../base/brand.ts';
import { type Beat, beatMs, type CopySaid, type MemberIdentity } from './beat.ts';
import { Skew } from './skew.ts';

/** After this much silence a member is dead. */
export const deadMs: Millis = 3_000;
/** A tick that comes later than this found the process asleep. */
const tickLateMs: Millis = 2 * beatMs;
/** How long a new process listens whether its name is free. */
const joiningMs: Millis = 2_000;
/** Another process of one's name must be heard over this long: beats of a dead one come late. */
const rivalMs: Millis = 1_000;
/** What a process did lately says that it is not cut off. */
const recentMs: Millis = 3_000;
/** Names of processes that ended, the newest. */
const retiredMax = 256;

export interface Member {
  readonly beat: Beat;
  /** For how long it has not been heard. */
  readonly silentMs: Millis;
  readonly isLive: boolean;
  /** For how long this process has known it, in its current life. */
  readonly knownMs: Millis;
}

interface Known {
  beat: Beat;
  /** By attentive time. */
  heardMs: Millis;
  readonly sinceMs: Millis;
}

/** What an operator must know. */
export type MemberTrouble =
  /** Another process of our name runs. If `isOurs`, this process must end. */
  | { readonly kind: 'name_taken'; readonly name: string; readonly isOurs: boolean }
  /** This process's wall clock differs from most of the others' by so much. */
  | { readonly kind: 'clock_skew'; readonly ms: Millis };

interface MembersOptions {
  readonly self: MemberIdentity;
  /** Never runs backwards. */
  readonly monotonic: () => Millis;
  readonly wall: () => Millis;
  readonly onTrouble: (trouble: MemberTrouble) => void;
}

export class Members {
  readonly #options: MembersOptions;
  readonly #skew: Skew;
  readonly #others = new Map<string, Known>();
  /** Processes that another of their name has followed, by when. */
  readonly #retired = new Map<number, Millis>();
  #count = 0;
  #attentiveMs: Millis = 0;
  #tickedMs: Millis;
  #provedMs: Millis = Number.NEGATIVE_INFINITY;
  #rival: { readonly instance: number; readonly firstMs: Millis } | undefined;
  readonly #toldNames = new Set<string>();
  #isSkewed = false;
  #isOver = false;

  constructor(options: MembersOptions) {
    this.#options = options;
    this.#tickedMs = options.monotonic();
    this.#skew = new Skew(options);
  }

  /** How long this process has been awake. */
  get attentiveMs(): Millis {
    const sinceMs = this.#options.monotonic() - this.#tickedMs;
    return this.#attentiveMs + Math.min(sinceMs, tickLateMs);
  }

  /** Its name is free, as far as it has heard: it may do something. */
  get hasJoined(): boolean {
    return !this.#isOver && this.attentiveMs >= joiningMs;
  }

  /** Another process has its name: it must do nothing more. */
  get isNameTaken(): boolean {
    return this.#isOver;
  }

  /** How far its wall clock differs from those of most others; see `Skew`. */
  get skewMs(): Millis {
    return this.#skew.ms;
  }

  get isClockWrong(): boolean {
    return this.#skew.isWrong;
  }

  /** Call it each 500 ms or more often. */
  tick(): void {
    this.#attentiveMs = this.attentiveMs;
    this.#tickedMs = this.#options.monotonic();
    const { isAlarming, ms } = this.#skew;
    if (isAlarming && !this.#isSkewed) this.#options.onTrouble({ kind: 'clock_skew', ms });
    this.#isSkewed = isAlarming;
  }

  /** The log or the directory took something from this process, so it is not cut off. */
  proved(): void {
    this.#provedMs = this.attentiveMs;
  }

  /** What to say now. */
  say(about: {
    readonly isDraining: boolean;
    readonly planVersion: number;
    readonly copies: readonly CopySaid[];
  }): Beat {
    return {
      member: this.#options.self,
      count: ++this.#count,
      isJoining: !this.hasJoined,
      isClockWrong: this.isClockWrong,
      wallMs: this.#options.wall(),
      ...about,
    };
  }

  hear(beat: Beat): void {
    const { self } = this.#options;
    const { name, instance } = beat.member;
    if (instance === self.instance) return;
    if (name === self.name) {
      this.#hearRival(beat);
      return;
    }
    const nowMs = this.attentiveMs;
    const retiredMs = this.#retired.get(instance);
    if (retiredMs !== undefined) {
      // Beats of a process that died come late, but not this late.
      if (nowMs - retiredMs > deadMs) this.#tellTaken(name, false);
      return;
    }
    if (beat.isJoining) return;
    const known = this.#others.get(name);
    if (known?.beat.member.instance === instance) {
      if (beat.count <= known.beat.count) return;
      known.beat = beat;
      known.heardMs = nowMs;
    } else {
      if (known !== undefined) this.#retire(known.beat.member.instance, nowMs);
      this.#others.set(name, { beat, heardMs: nowMs, sinceMs: nowMs });
      this.#skew.forget(name);
    }
    this.#skew.hear(name, beat.wallMs);
  }

  /** Everyone but itself, the dead included. */
  others(): readonly Member[] {
    return [...this.#others.values()].map((known) => this.#memberOf(known));
  }

  of(name: string): Member | undefined {
    const known = this.#others.get(name);
    return known && this.#memberOf(known);
  }

  /**
   * What is known of a process: it lives, it is dead, or it was never heard. One that another of
   * its name has followed is dead at once.
   */
  stateOf(instance: number): 'live' | 'dead' | 'unheard' {
    if (instance === this.#options.self.instance) return 'live';
    if (this.#retired.has(instance)) return 'dead';
    for (const known of this.#others.values())
      if (known.beat.member.instance === instance)
        return this.#memberOf(known).isLive ? 'live' : 'dead';
    return 'unheard';
  }

  /** A process that hears nobody and had nothing committed may be the one that is cut off. */
  get isConnected(): boolean {
    const nowMs = this.attentiveMs;
    if (nowMs - this.#provedMs <= recentMs) return true;
    for (const { heardMs } of this.#others.values()) if (nowMs - heardMs < deadMs) return true;
    return false;
  }

  /** An operator says that it will not come back. */
  forget(name: string): void {
    const known = this.#others.get(name);
    if (known === undefined) return;
    this.#retire(known.beat.member.instance, this.attentiveMs);
    this.#others.delete(name);
    this.#skew.forget(name);
  }

  #memberOf({ beat, heardMs, sinceMs }: Known): Member {
    const nowMs = this.attentiveMs;
    const silentMs = nowMs - heardMs;
    const isLive = silentMs < deadMs || !this.isConnected;
    return { beat, silentMs, isLive, knownMs: nowMs - sinceMs };
  }

  #retire(instance: number, atMs: Millis): void {
    this.#retired.set(instance, atMs);
    for (const oldest of this.#retired.keys()) {
      if (this.#retired.size <= retiredMax) return;
      this.#retired.delete(oldest);
    }
  }

  /** Of two that run, the one with the lower instance stays; one that joins always goes. */
  #hearRival({ member, isJoining }: Beat): void {
    const nowMs = this.attentiveMs;
    const { instance } = member;
    if (this.#rival?.instance !== instance) this.#rival = { instance, firstMs: nowMs };
    if (nowMs - this.#rival.firstMs < rivalMs) return;
    const hasOneJoined = this.hasJoined === isJoining;
    const isOurs = hasOneJoined ? !isJoining : instance < this.#options.self.instance;
    if (isOurs) this.#isOver = true;
    this.#tellTaken(member.name, isOurs);
  }

  #tellTaken(name: string, isOurs: boolean): void {
    if (this.#toldNames.has(name)) return;
    this.#toldNames.add(name);
    this.#options.onTrouble({ kind: 'name_taken', name, isOurs });
  }
}
