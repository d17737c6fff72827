// The variants of a flag: keys with weights, and the share that each gets.

import type { ApiError } from '../../api/errors.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { Field } from '../../ui/field.tsx';
import { rate } from '../../ui/figure.tsx';
import { NumberInput, TextInput } from '../../ui/input.tsx';
import { words } from './words.ts';

interface Variant {
  readonly key: string;
  readonly weight: number;
}

export function Variants({
  variants,
  error,
  onChange,
}: {
  readonly variants: readonly Variant[];
  readonly error: ApiError | undefined;
  readonly onChange: (variants: readonly Variant[]) => void;
}) {
  const sum = variants.reduce((all, { weight }) => all + weight, 0);
  const change = (at: number, part: Partial<Variant>) =>
    onChange(variants.map((one, nth) => (nth === at ? { ...one, ...part } : one)));
  return (
    <section className="stack-tight">
      <h2>{words.variants}</h2>
      <p className="soft">{words.variantsHint}</p>
      {variants.map(({ key, weight }, at) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a key may be half typed
        <div key={at} className="flag-variant">
          <Field label={words.variantKey} error={error?.of(`variants[${at}].key`)}>
            <TextInput
              value={key}
              spellCheck={false}
              onChange={(next) => change(at, { key: next })}
            />
          </Field>
          <Field label={words.weight} error={error?.of(`variants[${at}].weight`)}>
            <NumberInput
              value={weight}
              min={0}
              onChange={(next) => change(at, { weight: next ?? 0 })}
            />
          </Field>
          <span className="flag-share">{rate(weight, sum)}</span>
          <IconButton
            label={words.removeVariant(key)}
            icon="close"
            onClick={() => onChange(variants.filter((_, nth) => nth !== at))}
          />
        </div>
      ))}
      <div>
        <Button
          size="small"
          icon="plus"
          onClick={() => onChange([...variants, { key: '', weight: 1 }])}
        >
          {words.addVariant}
        </Button>
      </div>
    </section>
  );
}
