// `engage cluster`: the cluster as the running server of this data directory sees it, and `drain`,
// which moves its partitions away before it is stopped.

import type {
  ClusterFigures,
  CopyFigures,
  MemberFigures,
} from '../actors/runtime/cluster/protocol.ts';
import type { AdminRequest, ClusterState } from '../http/process/admin-socket.ts';
import { readConfig } from '../http/process/config.ts';
import { askServer, needData } from './admin-client.ts';
import { type Command, UsageError } from './command.ts';

export const command: Command = {
  name: 'cluster',
  summary: 'Show the cluster that this server is part of, or move its partitions away.',
  usage: 'engage cluster [drain|undrain] [--json]',
  help: [
    'Shows the members of the cluster, which member owns which partition, and how far the copies',
    'of this server are behind. The exit code is 1 if a server is silent, if a partition has no',
    'owner, or if a copy here has stopped.',
    '',
    'engage cluster drain moves what this server owns to others, and its copies as far as others',
    'have room for them. Do it before an upgrade or a repair; `engage cluster` says when nothing is',
    'left. engage cluster undrain ends it.',
    '',
    '--json  prints what each shard thread of the server knows, as JSON.',
  ].join('\n'),
  run: cluster,
};

const verbs = ['drain', 'undrain'];

async function cluster(words: readonly string[]): Promise<number> {
  const isJson = words.includes('--json');
  const [verb, more] = words.filter((word) => word !== '--json');
  if (more !== undefined || (verb !== undefined && !verbs.includes(verb)))
    throw new UsageError(`usage: ${command.usage}`);
  const { dataDir } = readConfig(process.env);
  needData(dataDir);
  const request: AdminRequest =
    verb === undefined
      ? { command: 'cluster' }
      : { command: 'cluster.drain', isDraining: verb === 'drain' };
  const asked = await askServer(dataDir, request);
  if (asked === undefined) throw new Error('the server is not running; start it and try again.');
  const { members, partitions } = asked as ClusterState;
  const { text, isWell } = clusterReport(members, partitions);
  process.stdout.write(isJson ? `${JSON.stringify(members, undefined, 2)}\n` : text);
  return isWell ? 0 : 1;
}

/** `own`: what each shard thread of one server knows, at least one. */
export function clusterReport(
  own: readonly ClusterFigures[],
  partitions: number,
): { readonly text: string; readonly isWell: boolean } {
  const [first] = own;
  if (first === undefined) return { text: 'There is no member here.\n', isWell: false };
  const troubles = [...own.flatMap(troublesOf), ...ownerless(first, partitions)];
  const lines = [
    `Cluster ${first.cluster}: ${counted(first.members.length + 1, 'member')}, ${counted(partitions, 'partition')}.`,
    '',
    ...table([['member', 'zone', 'version', 'state', 'owns'], ...memberRows(own)]),
    '',
    `Copies of ${own.map(({ member }) => member).join(', ')}:`,
    ...table([
      ['partition', 'role', 'term', 'turns', 'behind', 'planned'],
      ...own.flatMap(({ copies }) => copies.map(copyRow)),
    ]),
    '',
    ...(troubles.length === 0 ? ['All is well.'] : troubles),
  ];
  return { text: `${lines.join('\n')}\n`, isWell: troubles.length === 0 };
}

function memberRows(own: readonly ClusterFigures[]): string[][] {
  const owners = own[0]?.owners ?? [];
  const ownsOf = (name: string) => String(owners.filter(({ member }) => member === name).length);
  const here = own.map(({ member, isDraining, isEmpty }) => {
    const state = isEmpty ? 'here, empty' : isDraining ? 'here, draining' : 'here';
    return [member, '', '', state, ownsOf(member)];
  });
  const names = new Set(own.map(({ member }) => member));
  const others = (own[0]?.members ?? []).filter(({ name }) => !names.has(name));
  return [
    ...here,
    ...others.map((one) => [one.name, one.zone, one.version, stateOf(one), ownsOf(one.name)]),
  ].sort(([a = ''], [b = '']) => (a < b ? -1 : 1));
}

function stateOf({ isLive, silentMs, isDraining, isClockWrong }: MemberFigures): string {
  if (!isLive) return `silent for ${Math.round(silentMs / 1000)} s`;
  if (isClockWrong) return 'its clock is wrong';
  return isDraining ? 'draining' : 'live';
}

function copyRow({ partition, role, term, seq, lag, planned, movesTo }: CopyFigures): string[] {
  const moves = movesTo === undefined ? role : `${role}, moves to ${movesTo}`;
  return [`${partition}`, moves, `${term}`, `${seq}`, `${lag}`, planned.join(', ')];
}

function troublesOf({ member, copies, isConnected, skewMs, members }: ClusterFigures): string[] {
  return [
    ...(isConnected || members.length === 0
      ? []
      : [`${member} hears no other member: it may be cut off from the nats-servers.`]),
    ...(Math.abs(skewMs) < skewAlarmMs
      ? []
      : [`The clock of ${member} differs from the others by ${Math.round(skewMs)} ms.`]),
    ...members
      .filter(({ isLive }) => !isLive)
      .map(({ name, silentMs }) => `${name} is silent for ${Math.round(silentMs / 1000)} s.`),
    ...copies.flatMap(({ partition, error }) =>
      error === undefined ? [] : [`The copy of partition ${partition} has stopped: ${error}`],
    ),
  ];
}

const skewAlarmMs = 500;

function ownerless({ owners }: ClusterFigures, partitions: number): string[] {
  const owned = new Set(owners.map(({ partition }) => partition));
  const none = Array.from({ length: partitions }, (_, index) => index).filter(
    (index) => !owned.has(index),
  );
  return none.length === 0
    ? []
    : [`No owner: ${counted(none.length, 'partition')} ${none.join(', ')}.`];
}

function counted(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function table(rows: readonly (readonly string[])[]): string[] {
  const widths = (rows[0] ?? []).map((_, at) =>
    Math.max(...rows.map((row) => (row[at] ?? '').length)),
  );
  return rows.map((row) =>
    row
      .map((cell, at) => cell.padEnd(widths[at] ?? 0))
      .join('  ')
      .trimEnd(),
  );
}
