// Names an event, with the known ones as suggestions.

import type { Fields } from '../api/generated.ts';
import { Combobox } from '../ui/combobox.tsx';
import { eventSuggestions } from '../ui/event-names.ts';
import { words } from './words.ts';

export function EventBox({
  fields,
  value,
  onChange,
  label,
}: {
  readonly fields: Fields | undefined;
  readonly value: string;
  readonly onChange: (event: string) => void;
  /** Where no field names it. */
  readonly label?: string;
}) {
  return (
    <Combobox
      {...(label === undefined ? {} : { label })}
      placeholder={words.goal.placeholder}
      value={value}
      onChange={onChange}
      suggestions={eventSuggestions(fields)}
    />
  );
}
