// A send under way: its devices, and how far each is. A target is in exactly one state: due,
// started, waiting or done.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { SendTryRow } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { Origin, Settlement } from './protocol.ts';

type TargetState = 'due' | 'started' | 'waiting' | 'done';

/** One device of an open send. */
export interface Target {
  readonly deviceId: string;
  readonly channel: ChannelId;
  state: TargetState;
  /** Calls made, or under way. */
  attempts: number;
  /** When a waiting target is due again. */
  dueMs: Millis;
  /** Ambiguous attempts so far: a channel without a key is sent again only once. */
  ambiguous: number;
  /** What the provider said to the newest attempt that failed. */
  lastRefusal?: string;
  /**
   * The calls so far that another has to follow, oldest first: never changed in place, as
   * checkpoints share it.
   */
  tries?: readonly SendTryRow[];
  /** Set when an operator redrives a dead letter: its id. */
  deadLetter?: string;
}

/** A send with at least one target that is not done. */
export interface Job {
  readonly sendId: string;
  /** Changes when the person is merged into another; only `reassign` does it. */
  person: PersonOrdinal;
  readonly acceptedMs: Millis;
  /** After this instant it is not sent any more. */
  readonly expiresMs: Millis | null;
  readonly targets: readonly Target[];
  open: number;
  /** Absent for a transactional send, whose words are in its row. */
  readonly origin?: Origin;
  /**
   * Set by a restore that gives up what was pending: nothing of it starts any more, it only waits
   * for its receipts.
   */
  held?: true;
  /** Set while its campaign is paused: nothing of it starts until that is resumed. */
  paused?: true;
}

/** A target that nothing was done for. */
export function freshTarget({ deviceId, channel }: Pick<Target, 'deviceId' | 'channel'>): Target {
  return { deviceId, channel, state: 'due', attempts: 0, dueMs: 0, ambiguous: 0 };
}

/** Why a target has to wait. */
export type TargetWait = Omit<Extract<Settlement, { next: 'waiting' }>, 'next'>;

/**
 * The calls of a target with one more. A provider that says the same again costs no second copy of
 * its words.
 */
export function withTry(
  { tries = [], attempts, lastRefusal }: Pick<Target, 'tries' | 'attempts' | 'lastRefusal'>,
  { counted, ambiguous, refusal }: Pick<TargetWait, 'counted' | 'ambiguous' | 'refusal'>,
  atMs: Millis,
): readonly SendTryRow[] {
  const said = refusal === lastRefusal ? lastRefusal : refusal;
  const answer = ambiguous ? 'none' : counted ? 'not_now' : 'pause';
  const one: SendTryRow = {
    atMs,
    attempt: attempts,
    answer,
    ...(said === undefined ? {} : { said }),
  };
  return [...tries.slice(1 - limits.triesKept), one];
}
