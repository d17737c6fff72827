// The range of days that reports look back, and the buckets they count in, in the address.

import { useQueryParam } from '../../ui/address.ts';

const daysByDefault = 30;
const daysMax = 90;

const intervals = ['hour', 'day', 'week'] as const;
export type Interval = (typeof intervals)[number];

export function useDays(): readonly [number, (days: number) => void] {
  const [text, set] = useQueryParam('days');
  const days = Number(text ?? daysByDefault);
  const isValid = Number.isInteger(days) && days >= 1 && days <= daysMax;
  return [
    isValid ? days : daysByDefault,
    (next) => set(next === daysByDefault ? undefined : String(next)),
  ];
}

/** Without a choice: hours for a week, days for more. */
export function useInterval(days: number): readonly [Interval, (interval: Interval) => void] {
  const [text, set] = useQueryParam('interval');
  const fitting = days <= 7 ? 'hour' : 'day';
  return [
    intervals.find((one) => one === text) ?? fitting,
    (next) => set(next === fitting ? undefined : next),
  ];
}
