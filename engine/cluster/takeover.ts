// When a standby claims a partition. Who is first is agreed on by nobody: every standby decides for
// itself, by what it hears, and the log gives a term once. So a wrong decision moves a partition
// that need not have moved, and does nothing worse.

import type { Millis } from '../base/brand.ts';
import type { Position } from '../log/partition-log.ts';
import type { CopySaid } from './beat.ts';
import { deadMs } from './members.ts';

/** The second standby acts if the first one has not for so long, the third after twice that. */
export const graceMs: Millis = 1_000;
/**
 * An owner that lives, but has nothing committed while the log answers others, for so long: it is
 * cut off from the log. Longer than an owner needs to try again after the log was away.
 */
const stuckMs: Millis = 3_000;

/** What a standby knows of a partition's owner. All times are its own, while it was awake. */
export interface OwnerView {
  /** The newest term in the log; 0 if nobody has ever claimed. */
  readonly term: number;
  /** The process that has it. */
  readonly process: 'live' | 'dead' | 'unheard';
  /** Of any live member's: it says that it owns this or a newer term, or that it claims one. */
  readonly isClaimedByLive: boolean;
  /** The newest frame hands the partition over. */
  readonly isHanded: boolean;
  /** Since the newest valid frame was read. */
  readonly quietMs: Millis;
  /** For how long the log has answered this process since then, without a gap. */
  readonly answeredMs: Millis;
  /** For how long this process has listened. */
  readonly awakeMs: Millis;
}

/** Whether a partition has no owner that could do anything. */
export function isVacant(view: OwnerView): boolean {
  if (view.term === 0 || view.isHanded) return !view.isClaimedByLive || isStuck(view);
  if (view.isClaimedByLive) return isStuck(view);
  if (view.quietMs < deadMs) return false;
  // A live process that says nothing of the partition has lost it, or was started anew.
  return view.process !== 'unheard' || view.awakeMs >= deadMs;
}

function isStuck({ quietMs, answeredMs }: OwnerView): boolean {
  return quietMs >= deadMs && answeredMs >= stuckMs;
}

/** A live member with a copy. */
export interface Candidate {
  readonly name: string;
  readonly copy: Pick<CopySaid, 'role' | 'generation' | 'position'>;
  readonly isDraining: boolean;
  readonly isClockWrong: boolean;
}

interface Standing {
  readonly candidates: readonly Candidate[];
  /** By the plan; may be of another time. */
  readonly planned: readonly string[];
  /** The owner's last frame named it. */
  readonly handedTo: string | undefined;
  /** Known to be in the log for a while: who has not read it is behind. */
  readonly position: Position;
  readonly generation: number;
}

/** Names of those that may claim, the first of them first. */
export function successors(standing: Standing): readonly string[] {
  const { planned, handedTo } = standing;
  const rank = ({ name, isDraining }: Candidate) => {
    if (name === handedTo) return -1;
    const place = planned.indexOf(name);
    return (place < 0 ? planned.length : place) + (isDraining ? planned.length + 1 : 0);
  };
  return standing.candidates
    .filter((one) => isWhole(one, standing) && !one.isClockWrong)
    .sort((one, other) => rank(one) - rank(other) || (one.name < other.name ? -1 : 1))
    .map(({ name }) => name);
}

/** Its copy has all that the log had a while ago. */
export function isWhole(
  { copy }: Pick<Candidate, 'copy'>,
  { position, generation }: Pick<Standing, 'position' | 'generation'>,
): boolean {
  if (copy.generation !== generation || copy.position < position) return false;
  return copy.role === 'standby' || copy.role === 'claiming' || copy.role === 'owner';
}
