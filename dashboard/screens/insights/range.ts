// The range of days that reports look back, in the address.

import { useQueryParam } from '../../frame/address.ts';

const daysByDefault = 30;
const daysMax = 90;

export function useDays(): readonly [number, (days: number) => void] {
  const [text, set] = useQueryParam('days');
  const days = Number(text ?? daysByDefault);
  const isValid = Number.isInteger(days) && days >= 1 && days <= daysMax;
  return [
    isValid ? days : daysByDefault,
    (next) => set(next === daysByDefault ? undefined : String(next)),
  ];
}

/** Buckets of hours for a week, of days for more. */
export function intervalFor(days: number): 'hour' | 'day' {
  return days <= 7 ? 'hour' : 'day';
}
