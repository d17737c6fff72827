// A planned move of a partition, as the owner and the member that is to own it see it. The owner
// may turn back until it publishes its `handed` frame; from then on the log decides.
//
//   owner:   announced ─ready─▶ draining ─quiet─▶ handing ─▶ (a standby)
//                └──────────────── back to owning ◀┘
//   other:   idle ─offer─▶ awaiting ─handed─▶ claims, as the first of all standbys
//
// If either dies, or nobody claims what was handed over, it is a takeover like any other.

import type { Millis } from '../base/brand.ts';

/** The owner waits for the other's answer. */
const announcedMaxMs: Millis = 2_000;
/** Fronts hold requests no longer than two seconds, of which the rest is for the claim. */
const drainingMaxMs: Millis = 1_000;
/** The other waits for the owner's last frame. */
const awaitingMaxMs: Millis = 5_000;

export interface PlannedMove {
  readonly state: 'announced' | 'draining' | 'handing';
  readonly to: string;
  readonly sinceMs: Millis;
}

interface LeavingView {
  readonly nowMs: Millis;
  /** The plan, or that this member is to be emptied, still asks for it. */
  readonly isWanted: boolean;
  /** The other lives, and its copy is whole. */
  readonly isAble: boolean;
  /** The other says that it awaits this term. */
  readonly isAwaited: boolean;
  /** Everything that was taken is committed. */
  readonly isQuiet: boolean;
}

/** What the owner does now. `hold`: it takes nothing more. `resume`: it is as if nothing was. */
type LeavingAction = 'none' | 'hold' | 'hand' | 'resume';

export function announce(to: string, nowMs: Millis): PlannedMove {
  return { state: 'announced', to, sinceMs: nowMs };
}

/** `undefined`: there is no move any more. */
export function leavingStep(
  leaving: PlannedMove,
  view: LeavingView,
): { readonly leaving: PlannedMove | undefined; readonly action: LeavingAction } {
  const { nowMs } = view;
  const { state, to, sinceMs } = leaving;
  if (state === 'handing') return { leaving, action: 'none' };
  const isOff = !view.isWanted || !view.isAble;
  if (state === 'announced') {
    if (isOff || nowMs - sinceMs > announcedMaxMs) return { leaving: undefined, action: 'none' };
    if (!view.isAwaited) return { leaving, action: 'none' };
    return { leaving: { state: 'draining', to, sinceMs: nowMs }, action: 'hold' };
  }
  if (isOff || !view.isAwaited || nowMs - sinceMs > drainingMaxMs)
    return { leaving: undefined, action: 'resume' };
  if (!view.isQuiet) return { leaving, action: 'none' };
  return { leaving: { state: 'handing', to, sinceMs: nowMs }, action: 'hand' };
}

export interface Awaiting {
  readonly term: number;
  readonly sinceMs: Millis;
}

interface AwaitingView {
  readonly nowMs: Millis;
  /** The term of a live owner that says that it moves the partition here. */
  readonly offeredTerm: number | undefined;
  /** It is a standby that is whole, with a clock that is right, and not to be emptied. */
  readonly isReady: boolean;
}

/** What a standby awaits now. One that waited too long waits for another term. */
export function awaitingStep(
  awaiting: Awaiting | undefined,
  { nowMs, offeredTerm, isReady }: AwaitingView,
): Awaiting | undefined {
  if (offeredTerm === undefined || !isReady) return undefined;
  if (awaiting?.term !== offeredTerm) return { term: offeredTerm, sinceMs: nowMs };
  return awaiting;
}

/** Whether it still says so. */
export function isAwaited({ sinceMs }: Awaiting, nowMs: Millis): boolean {
  return nowMs - sinceMs <= awaitingMaxMs;
}
