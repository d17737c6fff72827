// A text with suggestions: names of tags and events, values, people. Any text may be typed. Until
// the list of suggestions is loaded it is a plain field.

import { useRef } from 'react';
import { useFieldProps } from './field.tsx';
import { late, loadAhead } from './late.tsx';
import type { ComboboxProps, WhileLoading } from './suggestions.tsx';

const load = () => import('./suggestions.tsx').then((file) => file.default);
const Suggestions = late(load, PlainField);

/** Loads the list ahead, while the browser has nothing else to do. */
export function loadSuggestions(): void {
  void loadAhead(load);
}

export function Combobox(props: ComboboxProps) {
  // Who types already goes on typing when the list comes.
  const isTyping = useRef(false);
  return <Suggestions {...props} isTyping={isTyping} />;
}

function PlainField({
  label,
  value,
  onChange,
  placeholder,
  isTyping,
}: ComboboxProps & WhileLoading) {
  return (
    <input
      {...useFieldProps()}
      aria-label={label}
      className="input"
      placeholder={placeholder}
      spellCheck={false}
      value={value}
      onFocus={() => {
        isTyping.current = true;
      }}
      onBlur={({ target }) => {
        // Leaving the page is no blur of the person's.
        if (target.isConnected) isTyping.current = false;
      }}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}
