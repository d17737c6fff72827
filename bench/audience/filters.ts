// The measured filters: one condition of each kind, and groups. Their PostgreSQL queries come from
// the filter language, not from the compiler, so the two agree only if both are right.

import {
  type Condition,
  eachCondition,
  type Filter,
  type TagScalar,
} from '../../actors/audiences/segments/filter.ts';
import type { ChannelId } from '../../actors/channels/channel-ids.ts';
import { dayMs, type Millis } from '../../engine/base/brand.ts';

/** Seven conditions on three levels. */
export const nestedFilter: Filter = {
  all: [
    { tag: 'plan', in: ['pro', 'business'] },
    {
      any: [
        { tag: 'country', eq: 'C2' },
        {
          all: [
            { tag: 'language', eq: 'en' },
            { event: 'order_placed', withinDays: 60 },
          ],
        },
      ],
    },
    { channel: 'email' },
    { event: 'login', notWithinDays: 7 },
    { activeWithinDays: 30 },
  ],
};

/** Counting occurrences: the most expensive condition on rows. */
export const countingFilter: Filter = { event: 'product_viewed', withinDays: 30, atLeast: 3 };

export const filters: Readonly<Record<string, Filter>> = {
  'tag eq': { tag: 'plan', eq: 'pro' },
  'tag eq, 1 of 2,000': { tag: 'city', eq: 'city-77' },
  'tag eq, number': { tag: 'tier', eq: 3 },
  'tag ne': { tag: 'language', ne: 'en' },
  'tag in, 5 of 30': { tag: 'country', in: ['C1', 'C3', 'C5', 'C7', 'C9'] },
  'tag exists': { tag: 'vip', exists: true },
  channel: { channel: 'fcm' },
  'no channel': { channel: 'email', exists: false },
  'event within 30 d': { event: 'order_placed', withinDays: 30 },
  'rare event within 60 d': { event: 'rated', withinDays: 60 },
  'event not within 14 d': { event: 'login', notWithinDays: 14 },
  'active within 7 d': { activeWithinDays: 7 },
  'inactive for 10 d': { inactiveForDays: 10 },
  'event ≥ 3 within 30 d': countingFilter,
  'nested, 7 leaves': nestedFilter,
};

/** The two in `filters` that have targets. */
export const namedTargets = {
  counting: 'event ≥ 3 within 30 d',
  nested: 'nested, 7 leaves',
} as const;

/** Channels of the population, by their bit in `people.channels`. */
export const channelBits: Readonly<Partial<Record<ChannelId, number>>> = { email: 1, fcm: 2 };

export function leavesOf(filter: Filter): number {
  let leaves = 0;
  eachCondition(filter, () => leaves++);
  return leaves;
}

/** Counts the matches at an instant, over the tables that `postgres-audience.ts` fills. */
export function countStatement(filter: Filter, asOfMs: Millis): string {
  return `select count(*)::int as count from people p where ${sqlOf(filter, asOfMs)}`;
}

function sqlOf(filter: Filter, asOfMs: Millis): string {
  if ('all' in filter) return `(${filter.all.map((one) => sqlOf(one, asOfMs)).join(' and ')})`;
  if ('any' in filter) return `(${filter.any.map((one) => sqlOf(one, asOfMs)).join(' or ')})`;
  return conditionSql(filter, asOfMs);
}

function conditionSql(condition: Condition, asOfMs: Millis): string {
  if ('tag' in condition) {
    const { tag } = condition;
    if ('eq' in condition) return `p.tags @> ${tagDocument(tag, condition.eq)}`;
    if ('ne' in condition) return `not p.tags @> ${tagDocument(tag, condition.ne)}`;
    if ('in' in condition)
      return `p.tags->${quoted(tag)} in (${condition.in.map((value) => `${quoted(JSON.stringify(value))}::jsonb`).join(', ')})`;
    return `${condition.exists ? '' : 'not '}p.tags ? ${quoted(tag)}`;
  }
  if ('event' in condition) {
    const days = 'withinDays' in condition ? condition.withinDays : condition.notWithinDays;
    const done = `e.name = ${quoted(condition.event)} and e.at > ${cut(days, asOfMs)}`;
    if ('notWithinDays' in condition)
      return `not exists (select 1 from events e where e.person = p.id and ${done})`;
    if ((condition.atLeast ?? 1) === 1)
      return `exists (select 1 from events e where e.person = p.id and ${done})`;
    return `p.id in (select e.person from events e where ${done} group by e.person having count(*) >= ${condition.atLeast})`;
  }
  if ('channel' in condition) {
    const reached = `(p.channels & ${channelBits[condition.channel] ?? 0}) <> 0`;
    return condition.exists === false ? `not ${reached}` : reached;
  }
  if ('activeWithinDays' in condition)
    return `p.last_active > ${cut(condition.activeWithinDays, asOfMs)}`;
  const at = cut(condition.inactiveForDays, asOfMs);
  return `(p.created_at <= ${at} and (p.last_active is null or p.last_active <= ${at}))`;
}

function cut(days: number, asOfMs: Millis): string {
  return `${quoted(new Date(asOfMs - days * dayMs).toISOString())}::timestamptz`;
}

function tagDocument(tag: string, value: TagScalar): string {
  return `${quoted(JSON.stringify({ [tag]: value }))}::jsonb`;
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", "''")}'`;
}
