// A text with suggestions: names of tags and events, values, people. Any text may be typed. Until
// the list of suggestions is loaded it is a plain field.

import { type RefObject, useRef } from 'react';
import { useFieldProps } from './field.tsx';
import { late, loadAhead } from './late.tsx';

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

export interface WhileLoading {
  /** Whether the field has the focus. */
  readonly isTyping: RefObject<boolean>;
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
