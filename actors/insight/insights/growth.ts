// New people per bucket, and the total. It reads only the column of creation times, no events or
// records. It counts the people who exist now, so an erased person leaves the past as well.

import { zoneOf } from '../../../engine/time/civil-time.ts';
import { lastDays } from './buckets.ts';
import { CreatedPeople } from './created-people.ts';
import type { Facts, Growth, Question } from './protocol.ts';

type Asked = Extract<Question, { kind: 'insight.growth' }>;

/** Answers `insight.growth`. */
export function growth({ interval }: Pick<Asked, 'interval'>, facts: Facts): Growth {
  const buckets = lastDays(interval, facts.span, facts.nowMs, zoneOf(facts.timezone));
  const came: number[] = new Array(buckets.count).fill(0);
  let before = 0;
  const created = new CreatedPeople(facts);
  for (let person = 0; person < created.next; person++) {
    const atMs = created.at(person);
    if (atMs === 0) continue;
    const bucket = buckets.of(atMs);
    if (bucket >= 0) came[bucket] = (came[bucket] as number) + 1;
    else if (atMs < buckets.fromMs) before++;
  }
  let total = before;
  return {
    starts: [...buckets.starts],
    new: came,
    total: came.map((some) => (total += some)),
  };
}
