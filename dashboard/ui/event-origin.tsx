// Whose events are shown: the app's own, or those that Engage records. The address says which.

import { words } from '../words/en.ts';
import { useQueryParam } from './address.ts';
import { Segmented } from './choices.tsx';

type EventOrigin = keyof typeof words.eventOrigins;

export function useEventOrigin(): readonly [EventOrigin, (origin: EventOrigin) => void] {
  const [of, set] = useQueryParam('of');
  return [of === 'engage' ? of : 'app', (next) => set(next === 'app' ? undefined : next)];
}

export function EventOriginChoice({
  value,
  onChange,
}: {
  readonly value: EventOrigin;
  readonly onChange: (origin: EventOrigin) => void;
}) {
  return (
    <Segmented
      label={words.whoseEvents}
      value={value}
      choices={(['app', 'engage'] as const).map((one) => ({
        value: one,
        label: words.eventOrigins[one],
      }))}
      onChange={onChange}
    />
  );
}
