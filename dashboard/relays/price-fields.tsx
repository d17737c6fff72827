// The fields of what texts cost: of a gateway, or of the app's carrier account.

import { Field } from '../ui/field.tsx';
import { TextArea, TextInput } from '../ui/input.tsx';
import type { PriceDraft, TextPrices } from './price-draft.ts';

const text = {
  currency: 'Currency',
  currencyHint: 'Such as USD.',
  perSegment: 'Price per segment',
  perSegmentHint: 'For countries without a price of their own. Empty if there is none.',
  byCountry: 'Prices by country',
  byCountryHint: 'One per line: VN 0.05.',
} as const;

export function PriceFields({
  draft: { currency, perSegment, byCountry },
  set,
  errorOf,
}: {
  readonly draft: PriceDraft;
  readonly set: (part: Partial<PriceDraft>) => void;
  /** Without a member: of the prices as a whole. */
  readonly errorOf: (member?: keyof TextPrices) => string | undefined;
}) {
  return (
    <div className="columns">
      <Field
        label={text.currency}
        hint={text.currencyHint}
        isOptional
        error={errorOf('currency') ?? errorOf()}
      >
        <TextInput value={currency} maxLength={3} onChange={(typed) => set({ currency: typed })} />
      </Field>
      <Field
        label={text.perSegment}
        hint={text.perSegmentHint}
        isOptional
        error={errorOf('perSegment')}
      >
        <TextInput
          inputMode="decimal"
          value={perSegment}
          onChange={(typed) => set({ perSegment: typed })}
        />
      </Field>
      <Field
        label={text.byCountry}
        hint={text.byCountryHint}
        isOptional
        error={errorOf('byCountry')}
      >
        <TextArea
          rows={3}
          spellCheck={false}
          value={byCountry}
          onChange={(typed) => set({ byCountry: typed })}
        />
      </Field>
    </div>
  );
}
