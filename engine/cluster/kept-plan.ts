// The plan as the directory keeps it: the assignment, and the members that it was made for, so that
// one that is down for a while still counts. And who replaces it: the live member whose name comes
// first, from what it hears.

import { isDeepStrictEqual } from 'node:util';
import { type Millis, minuteMs } from '../base/brand.ts';
import type { Member } from './members.ts';
import { type Assignment, type PlanMember, planPartitions } from './plan.ts';

/** A member that is silent for so long gets no part of the plan any more. */
const goneMs: Millis = 10 * minuteMs;

export interface KeptPlan {
  /** Grows with each plan. 0: there was none. */
  readonly version: number;
  readonly members: readonly PlanMember[];
  readonly partitions: Assignment;
}

export const noPlan: KeptPlan = { version: 0, members: [], partitions: [] };

export function encodePlan(plan: KeptPlan): Uint8Array {
  return Buffer.from(JSON.stringify(plan));
}

/** `undefined` for what is no plan. */
export function decodePlan(value: Uint8Array): KeptPlan | undefined {
  try {
    const plan = JSON.parse(Buffer.from(value).toString()) as Partial<KeptPlan> | null;
    if (!Number.isSafeInteger(plan?.version)) return undefined;
    return Array.isArray(plan?.members) && Array.isArray(plan.partitions)
      ? (plan as KeptPlan)
      : undefined;
  } catch {
    return undefined;
  }
}

interface PlanView {
  readonly self: PlanMember;
  readonly others: readonly Member[];
  /** For how long this member has listened. */
  readonly awakeMs: Millis;
  /** A member is taken into the plan once it is known for so long. */
  readonly settledMs: Millis;
  readonly partitions: number;
  readonly copies: number;
  readonly old: KeptPlan;
}

export type Planner = typeof planPartitions;

/** Only the live member with the lowest name replaces the plan. */
export function isPlanner({ self, others }: Pick<PlanView, 'self' | 'others'>): boolean {
  return others.every(({ isLive, beat }) => !isLive || beat.member.name > self.name);
}

/** The plan that should be, or `undefined` if it is the one that is. */
export function nextPlan(view: PlanView, planner: Planner = planPartitions): KeptPlan | undefined {
  const { partitions, copies, old } = view;
  const members = plannedMembers(view);
  const assignment = planner({ members, partitions, copies, old: old.partitions });
  if (isDeepStrictEqual(assignment, old.partitions) && isDeepStrictEqual(members, old.members))
    return undefined;
  return { version: old.version + 1, members, partitions: assignment };
}

/**
 * The members of before, without those that are gone, and new ones. A member that hears half of
 * them or less may be the one that is cut off, and drops none.
 */
function plannedMembers({ self, others, awakeMs, settledMs, old }: PlanView): PlanMember[] {
  const heard = new Map(others.map((other) => [other.beat.member.name, other]));
  const live = others.filter(({ isLive }) => isLive);
  const known = old.members.filter(
    ({ name }) => name === self.name || live.some(({ beat }) => beat.member.name === name),
  );
  const mayDrop = 2 * known.length > old.members.length;
  const members = new Map<string, PlanMember>();
  for (const before of old.members) {
    const silentMs = heard.get(before.name)?.silentMs ?? awakeMs;
    if (silentMs < goneMs || !mayDrop) members.set(before.name, before);
  }
  for (const { beat, knownMs } of live) {
    const { name, zone } = beat.member;
    if (knownMs >= settledMs || members.has(name))
      members.set(name, { name, zone, isDraining: beat.isDraining });
  }
  members.set(self.name, self);
  return [...members.values()].sort((one, other) => (one.name < other.name ? -1 : 1));
}
