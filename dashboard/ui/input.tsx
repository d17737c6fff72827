// Controls for text, numbers and instants.

import { type ComponentProps, useRef } from 'react';
import { classNames } from './class-names.ts';
import { useFieldProps } from './field.tsx';
import { Icon } from './icon.tsx';

interface TextProps
  extends Omit<ComponentProps<'input'>, 'value' | 'onChange' | 'className' | 'style'> {
  readonly value: string;
  readonly onChange: (value: string) => void;
  readonly isNarrow?: boolean;
}

export function TextInput({ value, onChange, isNarrow = false, ...rest }: TextProps) {
  return (
    <input
      type="text"
      autoComplete="off"
      {...useFieldProps()}
      {...rest}
      className={classNames('input', isNarrow && 'narrow')}
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

export function TextArea({
  value,
  onChange,
  ...rest
}: Omit<ComponentProps<'textarea'>, 'value' | 'onChange' | 'className' | 'style'> & {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <textarea
      {...useFieldProps()}
      {...rest}
      className="input"
      value={value}
      onChange={(event) => onChange(event.target.value)}
    />
  );
}

/** `undefined` while the text is no number. */
export function NumberInput({
  value,
  onChange,
  ...rest
}: Omit<TextProps, 'value' | 'onChange' | 'type'> & {
  readonly value: number | undefined;
  readonly onChange: (value: number | undefined) => void;
}) {
  return (
    <TextInput
      inputMode="decimal"
      isNarrow
      {...rest}
      type="number"
      value={value === undefined ? '' : String(value)}
      onChange={(text) => onChange(text.trim() === '' ? undefined : Number(text))}
    />
  );
}

/** Searches while one types; `/` comes here. */
export function SearchBox({
  label,
  value,
  onChange,
}: {
  readonly label: string;
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  const input = useRef<HTMLInputElement>(null);
  return (
    <div className="search-box">
      <Icon name="search" />
      <input
        ref={input}
        className="input"
        type="search"
        autoComplete="off"
        spellCheck={false}
        aria-label={label}
        placeholder={label}
        data-search=""
        value={value}
        onChange={(event) => onChange(event.target.value)}
        onKeyDown={(event) => {
          if (event.key === 'Escape' && value === '') input.current?.blur();
        }}
      />
    </div>
  );
}
