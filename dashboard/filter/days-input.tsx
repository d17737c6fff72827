// Whole days of a window, with the word after them.

import { NumberInput } from '../ui/input.tsx';

/** Days are 0 while nothing is typed. */
export function DaysInput({
  label,
  unit,
  value,
  onChange,
  isInvalid,
  most,
}: {
  readonly label: string;
  readonly unit: string;
  readonly value: number;
  readonly onChange: (value: number) => void;
  readonly isInvalid: boolean;
  readonly most?: number;
}) {
  return (
    <span className="filter-number">
      <NumberInput
        aria-label={label}
        aria-invalid={isInvalid || undefined}
        min={1}
        max={most}
        value={value === 0 ? undefined : value}
        onChange={(next) => onChange(next ?? 0)}
      />
      <span>{unit}</span>
    </span>
  );
}

/** Whether a number was typed; its upper bound is the server's word. */
export function isWhole(value: number): boolean {
  return Number.isInteger(value) && value >= 1;
}
