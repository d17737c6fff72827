// Choosing: one of few side by side, one of many from a list, yes or no.

import { Select } from '@base-ui/react/select';
import { Switch } from '@base-ui/react/switch';
import { type ReactNode, useId } from 'react';
import { classNames } from './class-names.ts';
import { useFieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

export interface Choice<Value extends string = string> {
  readonly value: Value;
  readonly label: string;
  readonly hint?: string;
}

/** One of up to five, all in sight. */
export function Segmented<Value extends string>({
  label,
  choices,
  value,
  onChange,
}: {
  readonly label: string;
  readonly choices: readonly Choice<Value>[];
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}) {
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

/** One of many. `label` names it where no field does. */
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
    <Select.Root
      items={choices as Choice<Value>[]}
      value={value ?? null}
      onValueChange={(next) => next !== null && onChange(next as Value)}
    >
      <Select.Trigger
        {...field}
        aria-label={label}
        className={classNames('select-trigger', isAuto && 'auto')}
      >
        <Select.Value>
          {(chosen: Value | null) =>
            choices.find((choice) => choice.value === chosen)?.label ?? (
              <span className="soft">{placeholder}</span>
            )
          }
        </Select.Value>
        <Icon name="down" />
      </Select.Trigger>
      <Select.Portal>
        <Select.Positioner className="popup-layer" sideOffset={4} alignItemWithTrigger={false}>
          <Select.Popup className="popup">
            {choices.map((choice) => (
              <Select.Item key={choice.value} value={choice.value} className="popup-item">
                <span className="mark">
                  <Select.ItemIndicator>
                    <Icon name="check" />
                  </Select.ItemIndicator>
                </span>
                <Select.ItemText>{choice.label}</Select.ItemText>
                {choice.hint !== undefined && <span className="end">{choice.hint}</span>}
              </Select.Item>
            ))}
          </Select.Popup>
        </Select.Positioner>
      </Select.Portal>
    </Select.Root>
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
  isDisabled = false,
}: {
  readonly label: string;
  readonly isOn: boolean;
  readonly onChange: (isOn: boolean) => void;
  readonly isDisabled?: boolean;
}) {
  return (
    <Switch.Root
      className="switch"
      aria-label={label}
      checked={isOn}
      disabled={isDisabled}
      onCheckedChange={onChange}
    >
      <Switch.Thumb className="switch-thumb" />
    </Switch.Root>
  );
}
