// Whether a person did something within a window of days, and how often.

import { SelectBox } from '../../ui/choices.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { NumberInput } from '../../ui/input.tsx';
import { DaysInput, isWhole } from '../days-input.tsx';
import type { ConditionKind, EditProps } from '../kind.ts';
import type { Condition } from '../model.ts';
import { words } from '../words.ts';

type Happened = Extract<Condition, { readonly event: unknown }>;
const text = words.event;

export const event: ConditionKind<Happened> = {
  id: 'event',
  label: text.label,
  owns: (one): one is Happened => 'event' in one,
  blank: () => ({ event: '', withinDays: 30 }),
  isComplete: (one) =>
    one.event !== '' && isWhole(daysOf(one)) && (!('atLeast' in one) || isWhole(one.atLeast ?? 0)),
  sentence: (one) => {
    const name = one.event || text.nameless;
    return 'withinDays' in one
      ? text.sentence(name, one.atLeast ?? 1, one.withinDays)
      : text.notSentence(name, one.notWithinDays);
  },
  Edit,
};

function daysOf(one: Happened): number {
  return 'withinDays' in one ? one.withinDays : one.notWithinDays;
}

function Edit({ condition, onChange, fields, errorOf }: EditProps<Happened>) {
  const known = fields?.events ?? [];
  const isKnown = fields === undefined || known.some(({ name }) => name === condition.event);
  const did = 'withinDays' in condition;
  const days = daysOf(condition);
  return (
    <>
      <span className="filter-name">
        <EventBox
          label={text.name}
          placeholder={text.placeholder}
          value={condition.event}
          hintOf={text.people}
          onChange={(name) => onChange({ ...condition, event: name })}
        />
      </span>
      <SelectBox
        isAuto
        label={text.operator}
        value={did ? 'did' : 'didNot'}
        choices={[
          { value: 'did', label: text.did },
          { value: 'didNot', label: text.didNot },
        ]}
        onChange={(next) =>
          onChange(
            next === 'did'
              ? { event: condition.event, withinDays: days }
              : { event: condition.event, notWithinDays: days },
          )
        }
      />
      {did && (
        <span className="filter-number">
          <span>{text.atLeast}</span>
          <NumberInput
            aria-label={text.timesLabel}
            aria-invalid={errorOf('atLeast') !== undefined || undefined}
            min={1}
            value={condition.atLeast === 0 ? undefined : (condition.atLeast ?? 1)}
            onChange={(times) =>
              onChange(
                times === 1
                  ? { event: condition.event, withinDays: days }
                  : { event: condition.event, withinDays: days, atLeast: times ?? 0 },
              )
            }
          />
          <span>{text.times}</span>
        </span>
      )}
      <span>{text.within}</span>
      <DaysInput
        label={text.daysLabel}
        unit={text.days}
        value={days}
        isInvalid={errorOf(did ? 'withinDays' : 'notWithinDays') !== undefined}
        onChange={(next) =>
          onChange(
            did
              ? { ...condition, withinDays: next }
              : { event: condition.event, notWithinDays: next },
          )
        }
      />
      {!did && <span className="filter-hint">{text.never}</span>}
      {condition.event !== '' && !isKnown && <span className="filter-hint">{text.unknown}</span>}
    </>
  );
}
