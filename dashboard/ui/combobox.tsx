// A text with suggestions: names of tags and events, values, people. Any text may be typed.

import { Autocomplete } from '@base-ui/react/autocomplete';
import { words } from '../words/en.ts';
import { useFieldProps } from './field.tsx';

export interface Suggestion {
  readonly value: string;
  /** Shown instead of the value. */
  readonly label?: string;
  /** At the end of its row: a count, a type. */
  readonly hint?: string;
}

export function Combobox({
  label,
  value,
  onChange,
  onChoose,
  suggestions,
  placeholder,
  isFiltered = true,
}: {
  /** Where no field names it. */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
  /** A suggestion was taken, not only typed. */
  readonly onChoose?: (value: string) => void;
  readonly suggestions: readonly Suggestion[];
  readonly placeholder?: string;
  /** `false` if the server has filtered them. */
  readonly isFiltered?: boolean;
}) {
  const field = useFieldProps();
  return (
    <Autocomplete.Root
      items={suggestions as Suggestion[]}
      value={value}
      openOnInputClick
      mode={isFiltered ? 'list' : 'none'}
      itemToStringValue={(item: Suggestion) => item.value}
      onValueChange={(next, { reason }) => {
        onChange(next);
        if (reason === 'item-press') onChoose?.(next);
      }}
    >
      <Autocomplete.Input
        {...field}
        aria-label={label}
        className="input"
        placeholder={placeholder}
        spellCheck={false}
      />
      <Autocomplete.Portal>
        <Autocomplete.Positioner className="popup-layer" sideOffset={4}>
          <Autocomplete.Popup className="popup">
            <Autocomplete.Empty className="popup-empty">{words.combobox.free}</Autocomplete.Empty>
            <Autocomplete.List>
              {(item: Suggestion) => (
                <Autocomplete.Item key={item.value} value={item} className="popup-item">
                  <span className="ellipsis">{item.label ?? item.value}</span>
                  {item.hint !== undefined && <span className="end">{item.hint}</span>}
                </Autocomplete.Item>
              )}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}
