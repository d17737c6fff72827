// An open send: its devices and their states. A target is in exactly one state: due, started,
// waiting or done.

import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { DeadLetterRow, SendTryRow } from '../../../storage/tables/send.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { limits } from '../../limits.ts';
import type { Origin, Settlement } from './records.ts';

type TargetState = 'due' | 'started' | 'waiting' | 'done';

export interface Target {
  readonly deviceId: string;
  readonly channel: ChannelId;
  state: TargetState;
  /** Calls made or in flight. */
  attempts: number;
  /** When a waiting target is due again. */
  dueMs: Millis;
  /** Ambiguous attempts: without an idempotency key a channel tries again only once. */
  ambiguous: number;
  /** The provider's answer to the newest failed attempt. */
  lastRefusal?: string;
  /** Attempts that another followed, oldest first. Never change in place: checkpoints share it. */
  tries?: readonly SendTryRow[];
  /** The warm-up of its sender domain has counted it. */
  warmed?: true;
  /** Of an email: the copies that its newest attempt left with; absent for none. */
  copies?: number;
  /** By which relay its newest attempt left, where its channel has relays. */
  relay?: string;
  /** The relay that may have taken the message: no other gets it. */
  onlyBy?: string;
  /** Id of the dead letter that is redriven. */
  deadLetter?: string;
}

/** A send with at least one target that is not done. */
export interface Job {
  readonly sendId: string;
  /** Only `reassign` changes it, when people merge. */
  person: PersonOrdinal;
  acceptedMs: Millis;
  expiresMs: Millis | null;
  readonly targets: readonly Target[];
  open: number;
  /** Absent for a transactional send, whose content is in its row. */
  readonly origin?: Origin;
  /** A restore gave the send up: it does not start and waits for its receipts. */
  held?: true;
  /** Its campaign is paused. */
  paused?: true;
  /** Its journey was switched off; going live again does not revive it. */
  off?: true;
}

export function freshTarget({ deviceId, channel }: Pick<Target, 'deviceId' | 'channel'>): Target {
  return { deviceId, channel, state: 'due', attempts: 0, dueMs: 0, ambiguous: 0 };
}

export type TargetWait = Omit<Extract<Settlement, { next: 'waiting' }>, 'next'>;

/** Appends one try. Reuses the text of an answer that repeats, to store it once. */
export function withTry(
  { tries = [], attempts, lastRefusal }: Pick<Target, 'tries' | 'attempts' | 'lastRefusal'>,
  { counted, ambiguous, refusal }: Pick<TargetWait, 'counted' | 'ambiguous' | 'refusal'>,
  atMs: Millis,
  relayName?: string,
): readonly SendTryRow[] {
  const said = refusal === lastRefusal ? lastRefusal : refusal;
  const answer = ambiguous ? 'none' : counted ? 'not_now' : 'pause';
  const one: SendTryRow = {
    atMs,
    attempt: attempts,
    answer,
    ...(said === undefined ? {} : { said }),
    ...(relayName === undefined ? {} : { relayName }),
  };
  return [...tries.slice(1 - limits.triesKept), one];
}

/** What queued a send. */
export type SendSource = DeadLetterRow['lane'];

export function sourceOf(origin: Pick<Origin, 'journeyId'> | undefined): SendSource {
  if (origin === undefined) return 'transactional';
  return origin.journeyId === undefined ? 'campaign' : 'journey';
}
