// The part of a combobox that is loaded later: the list of suggestions and its keys.

import { Autocomplete } from '@base-ui/react/autocomplete';
import { useLayoutEffect, useRef } from 'react';
import { words } from '../words/en.ts';
import type { ComboboxProps, Suggestion, WhileLoading } from './combobox.tsx';
import { useFieldProps } from './field.tsx';

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
