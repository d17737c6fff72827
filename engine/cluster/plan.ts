// Which members shall have which partition: the first is to own it, the others stand by. A pure
// function of the members and the plan before, so that it is the same wherever it is computed.
// What it wants, the most important first:
//
//   1. as many copies as there are members for, on members that are not to be emptied
//   2. copies, and owners, that differ by one between members
//   3. the copies of a partition in different zones
//   4. few new copies, then few new owners

import { MinCostFlow } from './min-cost-flow.ts';

/** By partition: names of members. The first shall own it. */
export type Assignment = readonly (readonly string[])[];

export interface PlanMember {
  readonly name: string;
  readonly zone: string;
  /** It shall have nothing. */
  readonly isDraining: boolean;
}

interface PlanInput {
  readonly members: readonly PlanMember[];
  readonly partitions: number;
  /** Wanted of each partition, its owner's included. */
  readonly copies: number;
  readonly old: Assignment;
}

/** With no member that may have anything, the plan stays what it was. */
export function planPartitions({ members, partitions, copies, old }: PlanInput): Assignment {
  const able = members
    .filter(({ isDraining }) => !isDraining)
    .sort((one, other) => (one.name < other.name ? -1 : 1));
  if (able.length === 0) return old;
  const before = Array.from({ length: partitions }, (_, partition) => old[partition] ?? []);
  const holders = assignCopies(able, Math.min(copies, able.length), before);
  const owners = assignOwners(able, holders, before);
  return holders.map((names, partition) => {
    const owner = owners[partition] as string;
    const kept = (before[partition] as readonly string[]).filter((name) => names.includes(name));
    const added = names.filter((name) => !kept.includes(name));
    return [owner, ...[...kept, ...added].filter((name) => name !== owner)];
  });
}

/** Each member has the lower or the higher of two numbers that differ by one. */
function addShares(flow: MinCostFlow, total: number, nodes: readonly number[], sink: number): void {
  const least = Math.floor(total / nodes.length);
  // Everything else is cheaper than a member below its share.
  const unfair = 1e12;
  for (const node of nodes) {
    flow.add(node, sink, least, -unfair);
    if (total % nodes.length > 0) flow.add(node, sink, 1, 0);
  }
}

/** By partition: who has a copy. */
function assignCopies(
  able: readonly PlanMember[],
  copies: number,
  before: Assignment,
): readonly string[][] {
  const zones = [...new Set(able.map(({ zone }) => zone))].sort();
  const total = before.length * copies;
  const sameZone = total + 1;
  // Source, partitions, partitions by zone, members, sink.
  const partitionAt = (partition: number) => 1 + partition;
  const zoneAt = (partition: number, zone: number) =>
    1 + before.length + partition * zones.length + zone;
  const firstMember = 1 + before.length * (1 + zones.length);
  const sink = firstMember + able.length;
  const flow = new MinCostFlow(sink + 1);
  const choices = before.map((names, partition) => {
    flow.add(0, partitionAt(partition), copies, 0);
    for (const zone of zones.keys()) {
      flow.add(partitionAt(partition), zoneAt(partition, zone), 1, 0);
      flow.add(partitionAt(partition), zoneAt(partition, zone), copies - 1, sameZone);
    }
    return rotated(able, partition).map(({ name, zone }) => {
      const member = able.findIndex((one) => one.name === name);
      const from = zoneAt(partition, zones.indexOf(zone));
      return { name, edge: flow.add(from, firstMember + member, 1, names.includes(name) ? 0 : 1) };
    });
  });
  addShares(
    flow,
    total,
    [...able.keys()].map((member) => firstMember + member),
    sink,
  );
  flow.run();
  return choices.map((edges) =>
    edges.filter(({ edge }) => flow.flow(edge) > 0).map(({ name }) => name),
  );
}

/** By partition: who of its holders owns it. */
function assignOwners(
  able: readonly PlanMember[],
  holders: Assignment,
  before: Assignment,
): readonly string[] {
  const firstMember = 1 + holders.length;
  const sink = firstMember + able.length;
  const flow = new MinCostFlow(sink + 1);
  const choices = holders.map((names, partition) => {
    flow.add(0, 1 + partition, 1, 0);
    const old = before[partition] as readonly string[];
    return names.map((name) => {
      const member = able.findIndex((one) => one.name === name);
      // A new owner whose copy is new as well has to wait for it.
      const moved = old[0] === name ? 0 : holders.length + 1 + (old.includes(name) ? 0 : 1);
      return { name, edge: flow.add(1 + partition, firstMember + member, 1, moved) };
    });
  });
  addShares(
    flow,
    holders.length,
    [...able.keys()].map((member) => firstMember + member),
    sink,
  );
  flow.run();
  return choices.map(
    (edges) => (edges.find(({ edge }) => flow.flow(edge) > 0) as { readonly name: string }).name,
  );
}

/** Where nothing else decides, another member comes first for each partition. */
function rotated<T>(list: readonly T[], by: number): readonly T[] {
  const from = by % list.length;
  return [...list.slice(from), ...list.slice(0, from)];
}
