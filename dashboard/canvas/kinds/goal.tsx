// A step that waits for what the journey is for: an event within a time.

import { useState } from 'react';
import { Segmented } from '../../ui/choices.tsx';
import { EventBox } from '../../ui/event-box.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import type { FormProps, StepKind } from '../kind.ts';
import type { GoalStep } from '../model.ts';
import { words } from '../words.ts';

const text = words.goal;
const dayHours = 24;

export const goal: StepKind<GoalStep> = {
  id: 'goal',
  label: text.label,
  text: text.text,
  icon: 'star',
  name: text.name,
  owns: (step): step is GoalStep => step.type === 'goal',
  blank: (id) => ({ id, type: 'goal', event: '', timeoutHours: 48 }),
  isComplete: ({ event, timeoutHours }) => event !== '' && (timeoutHours ?? 0) > 0,
  sentence: ({ event, timeoutHours }) =>
    event === '' || timeoutHours === undefined
      ? text.unset
      : text.sentence(event, timeInWords(timeoutHours)),
  Form,
};

/** "2 days" rather than "48 hours". */
function timeInWords(hours: number): string {
  return hours % dayHours === 0 ? words.span(hours / dayHours, 'days') : words.span(hours, 'hours');
}

function Form({ step, onChange, errorOf }: FormProps<GoalStep>) {
  const hours = step.timeoutHours;
  const [unit, setUnit] = useState<'hours' | 'days'>(
    hours !== undefined && hours % dayHours === 0 ? 'days' : 'hours',
  );
  const size = unit === 'days' ? dayHours : 1;
  const timed = (length: number | undefined, of = size): GoalStep => {
    const { timeoutHours: _before, ...rest } = step;
    return length === undefined ? rest : { ...rest, timeoutHours: length * of };
  };
  return (
    <>
      <Field label={text.event} hint={text.eventHint} error={errorOf('event') ?? errorOf('')}>
        <EventBox
          placeholder={text.placeholder}
          value={step.event}
          onChange={(event) => onChange({ ...step, event })}
        />
      </Field>
      <Field label={text.hours} hint={text.hoursHint} error={errorOf('timeoutHours')}>
        <div className="row">
          <NumberInput
            aria-label={text.hours}
            min={1}
            value={hours === undefined ? undefined : hours / size}
            onChange={(length) => onChange(timed(length))}
          />
          <Segmented
            label={words.unit}
            value={unit}
            choices={(['hours', 'days'] as const).map((value) => ({
              value,
              label: words.units[value],
            }))}
            onChange={(next) => {
              setUnit(next);
              if (hours !== undefined)
                onChange(timed(hours / size, next === 'days' ? dayHours : 1));
            }}
          />
        </div>
      </Field>
    </>
  );
}
