// Conditions on when a person was last active: within days, or not for days.

import { DaysInput, isWhole } from '../days-input.tsx';
import type { ConditionKind, EditProps } from '../kind.ts';
import type { Condition } from '../model.ts';
import { words } from '../words.ts';

type Active = Extract<Condition, { readonly activeWithinDays: unknown }>;
type Inactive = Extract<Condition, { readonly inactiveForDays: unknown }>;

export const active: ConditionKind<Active> = {
  id: 'active',
  label: words.active.label,
  owns: (one): one is Active => 'activeWithinDays' in one,
  blank: () => ({ activeWithinDays: 30 }),
  isComplete: ({ activeWithinDays }) => isWhole(activeWithinDays),
  sentence: ({ activeWithinDays }) => words.active.sentence(activeWithinDays),
  Edit: EditActive,
};

function EditActive({ condition, onChange, errorOf }: EditProps<Active>) {
  return (
    <>
      <span>{words.active.text}</span>
      <DaysInput
        label={words.active.daysLabel}
        unit={words.active.days}
        value={condition.activeWithinDays}
        isInvalid={errorOf('activeWithinDays') !== undefined}
        onChange={(activeWithinDays) => onChange({ ...condition, activeWithinDays })}
      />
    </>
  );
}

export const inactive: ConditionKind<Inactive> = {
  id: 'inactive',
  label: words.inactive.label,
  owns: (one): one is Inactive => 'inactiveForDays' in one,
  blank: () => ({ inactiveForDays: 30 }),
  isComplete: ({ inactiveForDays }) => isWhole(inactiveForDays),
  sentence: ({ inactiveForDays }) => words.inactive.sentence(inactiveForDays),
  Edit: EditInactive,
};

function EditInactive({ condition, onChange, errorOf }: EditProps<Inactive>) {
  return (
    <>
      <span>{words.inactive.text}</span>
      <DaysInput
        label={words.inactive.daysLabel}
        unit={words.inactive.days}
        value={condition.inactiveForDays}
        isInvalid={errorOf('inactiveForDays') !== undefined}
        onChange={(inactiveForDays) => onChange({ ...condition, inactiveForDays })}
      />
      <span className="filter-hint">{words.inactive.hint}</span>
    </>
  );
}
