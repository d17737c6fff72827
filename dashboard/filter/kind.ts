// What a kind of condition is: one file in `kinds/`, registered by one line in `kinds.ts`.

import type { ComponentType } from 'react';
import type { Fields } from '../api/generated.ts';
import type { Condition } from './model.ts';

export interface EditProps<One extends Condition = Condition> {
  readonly condition: One;
  readonly onChange: (condition: Condition) => void;
  /** What the app knows, for completion; `undefined` while it loads. */
  readonly fields: Fields | undefined;
  /** Of a member of the condition: `eq`, `withinDays`. */
  readonly errorOf: (member: string) => string | undefined;
}

export interface ConditionKind<One extends Condition = Condition> {
  readonly id: string;
  readonly label: string;
  /** Whether a condition is of this kind. */
  owns(condition: Condition): condition is One;
  /** A new one, to be filled in. */
  blank(): One;
  /** Whether it says enough to be counted. */
  isComplete(condition: One): boolean;
  /** In words: "plan is pro". */
  sentence(condition: One): string;
  readonly Edit: ComponentType<EditProps<One>>;
}
