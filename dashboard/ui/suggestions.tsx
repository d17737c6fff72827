// The part of a combobox that is loaded later: the list of suggestions and its keys.

import { Autocomplete } from '@base-ui/react/autocomplete';
import { type RefObject, useLayoutEffect, useRef } from 'react';
import { words } from '../words/en.ts';
import { useFieldProps } from './field.tsx';

export interface Suggestion {
  readonly value: string;
  /** Shown instead of the value. */
  readonly label?: string;
  /** At the end of its row: a count, a type. */
  readonly hint?: string;
  /** The heading it stands below. Those of one heading follow each other. */
  readonly group?: string;
}
export interface ComboboxProps {
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
}
export interface WhileLoading {
  /** Whether the field has the focus. */
  readonly isTyping: RefObject<boolean>;
}

export default function Suggestions({
  label,
  value,
  onChange,
  onChoose,
  suggestions,
  placeholder,
  isFiltered = true,
  isTyping,
}: ComboboxProps & WhileLoading) {
  const input = useRef<HTMLInputElement>(null);
  useLayoutEffect(() => {
    if (isTyping.current) input.current?.focus();
  }, [isTyping]);
  const field = useFieldProps();
  return (
    <Autocomplete.Root
      items={groupsOf(suggestions) as Suggestion[]}
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
        ref={input}
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
              {(one: Suggestion | Group) => ('items' in one ? groupRow(one) : itemRow(one))}
            </Autocomplete.List>
          </Autocomplete.Popup>
        </Autocomplete.Positioner>
      </Autocomplete.Portal>
    </Autocomplete.Root>
  );
}

interface Group {
  readonly heading: string;
  readonly items: Suggestion[];
}

/** Below headings, if there is more than one. The list takes either, by two overloads. */
function groupsOf(suggestions: readonly Suggestion[]): Suggestion[] | Group[] {
  const groups = new Map<string, Group>();
  for (const one of suggestions) {
    const heading = one.group ?? '';
    const group = groups.get(heading) ?? { heading, items: [] };
    groups.set(heading, group);
    group.items.push(one);
  }
  return groups.size > 1 ? [...groups.values()] : [...suggestions];
}

function groupRow({ heading, items }: Group) {
  return (
    <Autocomplete.Group key={heading} items={items}>
      <Autocomplete.GroupLabel className="popup-heading">{heading}</Autocomplete.GroupLabel>
      <Autocomplete.Collection>{itemRow}</Autocomplete.Collection>
    </Autocomplete.Group>
  );
}

function itemRow(item: Suggestion) {
  return (
    <Autocomplete.Item key={item.value} value={item} className="popup-item">
      <span className="ellipsis">{item.label ?? item.value}</span>
      {item.hint !== undefined && <span className="end">{item.hint}</span>}
    </Autocomplete.Item>
  );
}
