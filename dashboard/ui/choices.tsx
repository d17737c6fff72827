// Choosing: one of few side by side, one of many from a list, yes or no.

import { type ReactNode, useId } from 'react';
import { Tip } from './button.tsx';
import { classNames } from './class-names.ts';
import { useFieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
}

/** One of up to five, all in sight. */
export function Segmented<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: ChoiceProps<Value> & { readonly value: Value }) {
  const name = useId();
  return (
    <fieldset className="segmented">
      <legend className="sr-only">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value}>
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          {choice.label}
        </label>
      ))}
    </fieldset>
  );
}

/** One of few, each with a sentence that says what it means. */
export function RadioCards<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: ChoiceProps<Value>) {
  const name = useId();
  return (
    <fieldset className="radio-cards">
      <legend className="field-label">{label}</legend>
      {choices.map((choice) => (
        <label key={choice.value} className="radio-card">
          <input
            type="radio"
            name={name}
            value={choice.value}
            checked={choice.value === value}
            onChange={() => onChange(choice.value)}
          />
          <span>
            <span className="radio-card-label">{choice.label}</span>
            {choice.hint !== undefined && <span className="field-hint">{choice.hint}</span>}
          </span>
        </label>
      ))}
    </fieldset>
  );
}

/**
 * One of many: the browser's own list, which every phone knows. `label` names it without a field.
 */
export function SelectBox<Value extends string>({
  label,
  choices,
  value,
  onChange,
  placeholder,
  isAuto = false,
}: {
  readonly label?: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value | undefined;
  readonly onChange: (value: Value) => void;
  readonly placeholder?: string;
  /** As wide as its words, not as its field. */
  readonly isAuto?: boolean;
}) {
  const field = useFieldProps();
  return (
    <span className={classNames('select', isAuto && 'auto')}>
      <select
        {...field}
        aria-label={label}
        className="input"
        value={value ?? ''}
        onChange={(event) => onChange(event.target.value as Value)}
      >
        {choices.every((choice) => choice.value !== (value ?? '')) && (
          <option value={value ?? ''} disabled>
            {value ?? placeholder ?? ''}
          </option>
        )}
        {choices.map((choice) => (
          <option key={choice.value} value={choice.value}>
            {choice.hint === undefined ? choice.label : `${choice.label} · ${choice.hint}`}
          </option>
        ))}
      </select>
      <Icon name="down" />
    </span>
  );
}

export function Check({
  children,
  isChecked,
  onChange,
  isDisabled = false,
}: {
  readonly children: ReactNode;
  readonly isChecked: boolean;
  readonly onChange: (isChecked: boolean) => void;
  readonly isDisabled?: boolean;
}) {
  return (
    <label className="check">
      <input
        type="checkbox"
        checked={isChecked}
        disabled={isDisabled}
        onChange={(event) => onChange(event.target.checked)}
      />
      <span>{children}</span>
    </label>
  );
}

/** Takes effect at once, without a save. */
export function Toggle({
  label,
  isOn,
  onChange,
  refused,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  /** A reason, shown on focus, hover and tap. */
  readonly refused?: string | undefined;
}) {
  return (
    <>
      <Tip text={refused}>
        <input
          type="checkbox"
          // biome-ignore lint/a11y/useAriaPropsForRole: a checkbox has its own state
          role="switch"
          className="switch"
          aria-label={label}
          aria-disabled={refused !== undefined || undefined}
          checked={isOn}
          onChange={(event) => refused === undefined && onChange(event.target.checked)}
        />
      </Tip>
      {refused !== undefined && <span className="touch-reason">{refused}</span>}
    </>
  );
}
