// Validates a filter, and names the first mistake with its path: `filter.any[1].withinDays:
// expected a whole number of days from 1 to 90`. By hand, because a schema of six kinds can only
// say that none matched. A member that the language lacks is an error, because it would widen the
// audience in silence. Source: specification, "Segment" and "Errors"; contract, section 4.

import { type Fault, FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { nameCharsMax } from '../../events/ingest/names.ts';
import { limits } from '../../limits.ts';
import { meantBy, unknownNameCharsMax } from '../../near-name.ts';
import { tagKeyProblem } from '../../people/audience/tags.ts';
import type { Condition, Filter, TagScalar } from './filter.ts';

export interface FilterBounds {
  /** The app's events retention: no window may be longer. */
  readonly retentionDays: number;
}

type ParsedFilter = { readonly filter: Filter } | { readonly fault: Fault };

/** The filter, or what is wrong with it. `field` is its path in the body. */
export function parseFilter(input: unknown, bounds: FilterBounds, field = 'filter'): ParsedFilter {
  const conditions = { left: limits.filterConditionsMax };
  try {
    return { filter: read(input, field, 1, bounds, conditions) };
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault };
    throw error;
  }
}

type Members = Readonly<Record<string, unknown>>;

/** The kinds of conditions by their first member, and the members that each may have. */
const kinds = [
  { name: 'a tag', head: 'tag', operators: ['eq', 'ne', 'exists', 'in'], extra: [] },
  {
    name: 'an event',
    head: 'event',
    operators: ['withinDays', 'notWithinDays'],
    extra: ['atLeast'],
  },
  { name: 'an activity', head: 'activeWithinDays', operators: [], extra: [] },
  { name: 'an inactivity', head: 'inactiveForDays', operators: [], extra: [] },
  { name: 'a channel', head: 'channel', operators: [], extra: ['exists'] },
] as const;
type Kind = (typeof kinds)[number];

const heads = ['all', 'any', ...kinds.map(({ head }) => head)];
const names: readonly string[] = [
  ...new Set([...heads, ...kinds.flatMap(({ operators, extra }) => [...operators, ...extra])]),
];
/** Words of other query languages. */
const otherNames = { equals: 'eq', notEquals: 'ne', oneOf: 'in', and: 'all', or: 'any' };

function read(
  input: unknown,
  path: string,
  level: number,
  bounds: FilterBounds,
  conditions: { left: number },
): Filter {
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return fail(path, 'expected an object: {all: […]}, {any: […]} or a condition');
  const members = input as Members;
  const groups = ['all', 'any'].filter((name) => has(members, name));
  const found = kinds.filter(({ head }) => has(members, head));
  const [group] = groups;
  if (group !== undefined) {
    if (groups.length > 1) return fail(path, 'has both all and any; nest one inside the other');
    if (found.length > 0)
      return fail(path, `mixes the group ${group} with the condition ${found[0]?.head}`);
    refuseUnknown(members, [group], path, `a group has ${group} alone`);
    return readGroup(group as 'all' | 'any', members[group], path, level, bounds, conditions);
  }
  const [kind] = found;
  if (kind === undefined) {
    const expected = `expected one of ${heads.join(', ')}`;
    refuseUnknown(members, names, path, expected);
    return fail(path, expected);
  }
  if (found.length > 1) {
    const named = found.map(({ head }) => head).join(' and ');
    return fail(path, `mixes kinds (${named}); a condition must be of exactly one kind`);
  }
  if (conditions.left-- === 0)
    return fail(
      path,
      `has more than ${limits.filterConditionsMax} conditions; a filter has at most that many`,
    );
  return readCondition(kind, members, path, bounds);
}

function readGroup(
  name: 'all' | 'any',
  input: unknown,
  path: string,
  level: number,
  bounds: FilterBounds,
  conditions: { left: number },
): Filter {
  if (level > limits.filterLevelsMax)
    return fail(path, `groups nest to at most ${limits.filterLevelsMax} levels`);
  if (!Array.isArray(input)) return fail(`${path}.${name}`, 'expected a list of conditions');
  if (input.length === 0)
    return fail(`${path}.${name}`, 'is empty; expected at least one condition');
  const members = input.map((member, i) =>
    read(member, `${path}.${name}[${i}]`, level + 1, bounds, conditions),
  );
  return name === 'all' ? { all: members } : { any: members };
}

function readCondition(
  kind: Kind,
  members: Members,
  path: string,
  bounds: FilterBounds,
): Condition {
  const own = [kind.head, ...kind.operators, ...kind.extra];
  refuseUnknown(members, names, path, `${kind.name} condition has ${own.join(', ')}`, own);
  refuseForeign(kind, members, path);
  switch (kind.head) {
    case 'tag':
      return readTag(members, path);
    case 'event':
      return readEvent(members, path, bounds);
    case 'channel':
      return readChannel(members, path);
    case 'activeWithinDays':
      return { activeWithinDays: days(members, 'activeWithinDays', path, bounds) };
    case 'inactiveForDays':
      return { inactiveForDays: days(members, 'inactiveForDays', path, bounds) };
  }
}

/** Also for a value of `null`: only what the language has can be absent. */
function refuseUnknown(
  members: Members,
  known: readonly string[],
  path: string,
  expected: string,
  meant: readonly string[] = known,
): void {
  for (const name of Object.keys(members)) {
    if (known.includes(name) || (names.includes(name) && !has(members, name))) continue;
    if (members[name] === undefined) continue;
    const near = meantBy(name, meant, otherNames);
    const isNear = near !== undefined && meant.includes(near);
    const guess = isNear ? `did you mean ${near}? ` : '';
    const shown = name.slice(0, unknownNameCharsMax);
    fail(`${path}.${shown}`, `unknown; ${guess}${isNear ? capital(expected) : expected}`);
  }
}

function capital(sentence: string): string {
  return `${sentence.slice(0, 1).toUpperCase()}${sentence.slice(1)}`;
}

/** A member of another kind. */
function refuseForeign(kind: Kind, members: Members, path: string): void {
  const own: readonly string[] = [kind.head, ...kind.operators, ...kind.extra];
  for (const other of kinds) {
    for (const name of [...other.operators, ...other.extra]) {
      if (own.includes(name) || !has(members, name)) continue;
      fail(`${path}.${name}`, `cannot be used in ${kind.name} condition`);
    }
  }
  const [first, second] = kind.operators.filter((name) => has(members, name));
  if (second !== undefined)
    fail(path, `has both ${first} and ${second}; a condition has exactly one operator`);
  // `null` removes a tag in an update, so callers try it here to mean "no tag".
  const none = kind.operators.find((name) => members[name] === null);
  if (first === undefined && none !== undefined) fail(`${path}.${none}`, nullProblem(none));
  if (kind.operators.length > 0 && first === undefined)
    fail(path, `expected ${kind.head} with one of ${kind.operators.join(', ')}`);
}

function nullProblem(operator: string): string {
  const people =
    operator === 'eq' || operator === 'ne'
      ? '; to match people without the tag, use exists: false'
      : '';
  return `null is not a value${people}`;
}

function readTag(members: Members, path: string): Condition {
  const tag = text(members, 'tag', path, limits.tagKeyCharsMax);
  const problem = tagKeyProblem(tag);
  if (problem !== undefined) return fail(`${path}.tag`, `${problem}, so nobody has this tag`);
  if (has(members, 'eq')) return { tag, eq: scalar(members['eq'], `${path}.eq`) };
  if (has(members, 'ne')) return { tag, ne: scalar(members['ne'], `${path}.ne`) };
  if (has(members, 'exists')) return { tag, exists: flag(members, 'exists', path) };
  const list = members['in'];
  if (!Array.isArray(list) || list.length === 0 || list.length > limits.filterValuesMax)
    return fail(`${path}.in`, `expected a list of 1 to ${limits.filterValuesMax} values`);
  return { tag, in: list.map((value, i) => scalar(value, `${path}.in[${i}]`)) };
}

function readEvent(members: Members, path: string, bounds: FilterBounds): Condition {
  const event = text(members, 'event', path, nameCharsMax);
  if (has(members, 'notWithinDays')) {
    if (has(members, 'atLeast')) fail(`${path}.atLeast`, 'can only be used with withinDays');
    return { event, notWithinDays: days(members, 'notWithinDays', path, bounds) };
  }
  const withinDays = days(members, 'withinDays', path, bounds);
  if (!has(members, 'atLeast')) return { event, withinDays };
  const atLeast = whole(members['atLeast'], `${path}.atLeast`, 'number', limits.filterAtLeastMax);
  return atLeast === 1 ? { event, withinDays } : { event, withinDays, atLeast };
}

function readChannel(members: Members, path: string): Condition {
  const channel = members['channel'];
  if (typeof channel !== 'string' || !(channelIds as readonly string[]).includes(channel))
    return fail(`${path}.channel`, `expected one of ${channelIds.join(', ')}`);
  if (!has(members, 'exists')) return { channel: channel as ChannelId };
  return { channel: channel as ChannelId, exists: flag(members, 'exists', path) };
}

function days(
  members: Members,
  name: string,
  path: string,
  { retentionDays }: FilterBounds,
): number {
  const field = `${path}.${name}`;
  const value = whole(members[name], field, 'number of days', limits.windowDaysMax);
  if (value > retentionDays)
    return fail(
      field,
      `${value} days is longer than this app keeps events (${retentionDays} days)`,
    );
  return value;
}

function whole(value: unknown, field: string, what: string, most: number): number {
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    return fail(field, `expected a whole ${what} from 1 to ${most}`);
  return value;
}

function text(members: Members, name: string, path: string, most: number): string {
  const value = members[name];
  // What people send is stored in NFC.
  const normal = typeof value === 'string' ? value.normalize() : '';
  if (normal.length === 0 || normal.length > most)
    return fail(`${path}.${name}`, `expected a string of 1 to ${most} characters`);
  return normal;
}

function scalar(value: unknown, field: string): TagScalar {
  if (typeof value === 'string') return value.normalize();
  if (typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  return fail(field, 'expected a string, a number or a boolean');
}

function flag(members: Members, name: string, path: string): boolean {
  const value = members[name];
  return typeof value === 'boolean' ? value : fail(`${path}.${name}`, 'expected true or false');
}

/** `null` and `undefined` count as absent, as in all bodies. */
function has(members: Members, name: string): boolean {
  return Object.hasOwn(members, name) && members[name] !== undefined && members[name] !== null;
}

function fail(field: string, problem: string): never {
  throw new FaultError(fieldFault(field, problem));
}
