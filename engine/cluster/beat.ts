// What members of a cluster say of themselves, twice a second, to everyone who listens. A beat that
// is lost, late or repeated costs time and nothing else.

import type { Millis, Seq } from '../base/brand.ts';
import type { CopyRole } from '../log/copy.ts';
import type { Position } from '../log/partition-log.ts';

/** How often a member speaks. It speaks at once when the state of a move changes. */
export const beatMs: Millis = 500;

/** Who a process is. Its name is an operator's, and unique among processes that run. */
export interface MemberIdentity {
  readonly name: string;
  /** Random, unlike that of any other process: also the writer of its frames. */
  readonly instance: number;
  /** Where other members reach it. */
  readonly address: string;
  readonly zone: string;
  readonly version: string;
  /** Kinds of entries up to this one can be folded. */
  readonly level: number;
}

/** A partition's copy, as its member says it is. */
export interface CopySaid {
  readonly partition: number;
  readonly generation: number;
  readonly role: CopyRole;
  readonly term: number;
  readonly position: Position;
  readonly seq: Seq;
  /** Of the newest valid frame: two copies at one position must have the same. */
  readonly sum: number;
  /** An owner that hands the partition to this member. */
  readonly movesTo?: string;
  /** A standby that is ready for the partition to be handed to it, by the owner of this term. */
  readonly awaitsTerm?: number;
}

export interface Beat {
  readonly member: MemberIdentity;
  /** Counts from 1 in each process. */
  readonly count: number;
  /** It listens whether its name is free, and does nothing else yet. */
  readonly isJoining: boolean;
  /** It is to be emptied, and takes nothing. */
  readonly isDraining: boolean;
  /** Its clock differs too much from those of others: it claims nothing. */
  readonly isClockWrong: boolean;
  readonly wallMs: Millis;
  /** Of the plan that it knows. */
  readonly planVersion: number;
  readonly copies: readonly CopySaid[];
}
