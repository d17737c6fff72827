// Which client tokens of a person are valid. A person's generation ends all of their sessions at
// once; a list in the record ends single ones. A known person's session also ends with the proof it
// was opened with: a day after the identity secret behind it was replaced.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Context } from '../../../engine/actor/message.ts';
import { dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import type { Rng } from '../../../engine/base/rng.ts';
import type { SubscriberRow } from '../../../storage/tables/subscriber.ts';
import { limits } from '../../limits.ts';
import { type IdentitySecret, type Verified, verificationOf } from '../identity-keys.ts';
import type { IdentityEntry, SessionsEnded } from './protocol.ts';

/** What a client token says of itself; each number has 32 bits. */
export interface Session {
  readonly generation: number;
  /** Drawn by chance at the login. */
  readonly number: number;
  /** The number of the identity secret that vouched for the person; 0 for none. */
  readonly proof: number;
}

/** How long old proofs stay valid after a new identity secret. */
export const proofGraceMs: Millis = dayMs;

/** A new session of a person. */
export function openSession(row: SubscriberRow, proof: number, rng: Rng): Session {
  return { generation: row.generation ?? 0, number: rng.uint32(), proof };
}

export function isSessionOpen(
  app: Verified,
  row: SubscriberRow,
  { generation, number, proof }: Session,
  { nowMs, ages }: Pick<Context, 'nowMs' | 'ages'>,
): boolean {
  if (generation !== (row.generation ?? 0)) return false;
  if (row.endedSessions?.includes(number) === true) return false;
  const { secret } = app.identity;
  // An anonymous person has nothing to prove.
  if (row.externalUserId === undefined || secret === null) return true;
  const newest = secret.number ?? 1;
  if (proof === newest) return true;
  if (proof === 0 && verificationOf(app) !== 'required') return true;
  const isGrace = (secret.madeMs ?? 0) > ages.cutMs(nowMs, proofGraceMs);
  return isGrace && (proof === 0 || (proof === newest - 1 && secret.previous !== null));
}

/** The secret after the clock was set right. */
export function rebasedSecret(secret: IdentitySecret, to: Rebase): IdentitySecret {
  const { madeMs, previous } = secret;
  const untilMs = previous === null ? 0 : to.stamp(previous.untilMs - proofGraceMs) + proofGraceMs;
  return {
    ...secret,
    ...(madeMs === undefined ? {} : { madeMs: to.stamp(madeMs) }),
    previous: previous && { ...previous, untilMs },
  };
}

/** The record once all of its sessions have ended. */
export function endSessions({ endedSessions: _, ...row }: SubscriberRow): SubscriberRow {
  return { ...row, generation: ((row.generation ?? 0) + 1) >>> 0 };
}

/** The record without this login session. Above the limit, all of its logins end. */
export function endSession(row: SubscriberRow, { number }: Session): SubscriberRow {
  const ended = row.endedSessions ?? [];
  if (ended.length >= limits.endedSessionsMax) return endSessions(row);
  return { ...row, endedSessions: [...ended, number] };
}

/** Lists what a record says of ended tokens; a restore must not revive them. */
export function sessionsEnded(
  owner: Ordinal,
  { id, generation = 0, endedSessions = [] }: SubscriberRow,
): IdentityEntry {
  const kind = 'sessions.ended';
  return { kind, owner, subscriberId: id, generation, ended: endedSessions };
}

/** Whether `after` ends tokens that `before` does not. */
export function endsSessions(before: SubscriberRow, after: SubscriberRow): boolean {
  return (
    (after.generation ?? 0) !== (before.generation ?? 0) ||
    (after.endedSessions?.length ?? 0) > (before.endedSessions?.length ?? 0)
  );
}

/** A restored record with the tokens ended that ended since; `undefined` if they have. */
export function withEnded(
  row: SubscriberRow,
  { generation, ended }: Pick<SessionsEnded, 'generation' | 'ended'>,
): SubscriberRow | undefined {
  const later = (generation - (row.generation ?? 0)) | 0; // it may have wrapped around
  if (later < 0) return undefined;
  if (later > 0) {
    const { endedSessions: _, ...rest } = row;
    return { ...rest, generation, ...(ended.length === 0 ? {} : { endedSessions: ended }) };
  }
  const known = row.endedSessions ?? [];
  const missing = ended.filter((number) => !known.includes(number));
  return missing.length === 0 ? undefined : { ...row, endedSessions: [...known, ...missing] };
}
