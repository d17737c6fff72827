// The kinds of conditions. A new one is a file in `kinds/` and a line here.

import type { Filter } from '../api/generated.ts';
import type { ConditionKind } from './kind.ts';
import { active, inactive } from './kinds/activity.tsx';
import { channel } from './kinds/channel.tsx';
import { event } from './kinds/event.tsx';
import { tag } from './kinds/tag.tsx';
import { type Condition, isGroup, joinOf, membersOf } from './model.ts';
import { words } from './words.ts';

export const kinds: readonly ConditionKind[] = [
  tag,
  event,
  active,
  inactive,
  channel,
] as unknown as readonly ConditionKind[];

/** `undefined` for a condition that only JSON can show. */
export function conditionKindOf(condition: Condition): ConditionKind | undefined {
  return kinds.find((kind) => kind.owns(condition));
}

export function isConditionComplete(condition: Condition): boolean {
  return conditionKindOf(condition)?.isComplete(condition) ?? true;
}

/** A condition that a person begins with. */
export function blankCondition(): Condition {
  return (kinds[0] as ConditionKind).blank();
}

export function conditionSentence(condition: Condition): string {
  return conditionKindOf(condition)?.sentence(condition) ?? JSON.stringify(condition);
}

/** A filter in words: "plan is pro and (did order in the last 30 days or active …)". */
export function filterSentence(filter: Filter): string {
  if (!isGroup(filter)) return conditionSentence(filter);
  const join = joinOf(filter) === 'all' ? words.sentence.and : words.sentence.or;
  return membersOf(filter)
    .map((member) => {
      const text = filterSentence(member);
      return isGroup(member) && membersOf(member).length > 1 ? `(${text})` : text;
    })
    .join(join);
}
