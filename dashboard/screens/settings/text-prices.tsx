// What text messages of the app's own carrier account cost, for the review of campaigns.

import type { TextPrices } from '../../relays/price-draft.ts';
import { PriceFields } from '../../relays/price-fields.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.prices;

export function TextPricesPart({
  draft,
  change,
  priceErrorOf,
}: PartProps & {
  readonly priceErrorOf: (member?: keyof TextPrices) => string | undefined;
}) {
  const prices = draft.textPrices;
  return (
    <Section id="text-prices" title={text.title} intro={text.intro}>
      <PriceFields
        draft={prices}
        set={(part) => change({ textPrices: { ...prices, ...part } })}
        errorOf={priceErrorOf}
      />
    </Section>
  );
}
