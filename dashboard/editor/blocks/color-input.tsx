// A field for a color, black until one is chosen.

import { TextInput } from '../../ui/input.tsx';

export function ColorInput({
  value,
  onChange,
}: {
  readonly value: string;
  readonly onChange: (value: string) => void;
}) {
  return (
    <TextInput
      type="color"
      isNarrow
      value={/^#[\da-f]{6}$/i.test(value) ? value : '#000000'}
      onChange={onChange}
    />
  );
}
