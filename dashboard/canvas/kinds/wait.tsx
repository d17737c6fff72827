// A step that lets time pass.

import { Segmented } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { NumberInput } from '../../ui/input.tsx';
import type { FormProps, StepKind } from '../kind.ts';
import type { WaitStep } from '../model.ts';
import { type Unit, words } from '../words.ts';

const text = words.wait;
const units = ['minutes', 'hours', 'days'] as const satisfies readonly Unit[];

export const wait: StepKind<WaitStep> = {
  id: 'wait',
  label: text.label,
  text: text.text,
  icon: 'clock',
  name: text.name,
  owns: (step): step is WaitStep => step.type === 'wait',
  blank: (id) => ({ id, type: 'wait', days: 1 }),
  isComplete: (step) => (step[unitOf(step)] ?? 0) > 0,
  sentence: (step) => {
    const unit = unitOf(step);
    const length = step[unit];
    return length === undefined ? text.unset : text.sentence(words.span(length, unit));
  },
  Form,
};

function unitOf(step: WaitStep): Unit {
  return units.find((unit) => unit in step) ?? 'days';
}

function lasting({ id, type }: WaitStep, unit: Unit, length: number | undefined): WaitStep {
  return { id, type, [unit]: length };
}

function Form({ step, onChange, errorOf }: FormProps<WaitStep>) {
  const unit = unitOf(step);
  return (
    <Field label={text.length} error={errorOf(unit) ?? errorOf('')}>
      <div className="row">
        <NumberInput
          aria-label={text.length}
          min={1}
          value={step[unit]}
          onChange={(length) => onChange(lasting(step, unit, length))}
        />
        <Segmented
          label={words.unit}
          value={unit}
          choices={units.map((value) => ({ value, label: words.units[value] }))}
          onChange={(next) => onChange(lasting(step, next, step[unit]))}
        />
      </div>
    </Field>
  );
}
