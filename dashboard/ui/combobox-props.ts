// What a combobox is given, and what its list takes over from the plain field.

import type { RefObject } from 'react';

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
