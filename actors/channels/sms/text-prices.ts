// What texts cost: segments by country, times the prices of an account. Sums are exact: they count
// millionths of a currency's unit, since prices such as 0.0333 have no exact double.

import type { RelayConfig } from '../port/open-relay.ts';

/** Who told the prices: the relay that sends first, or the app's settings. */
export type PricesOf = 'relay' | 'app';

/** Of one segment, in the currency's unit; `perSegment` for countries without their own price. */
export interface TextPrices {
  /** ISO 4217. */
  readonly currency: string;
  readonly perSegment?: number | undefined;
  /** By ISO 3166 country. */
  readonly byCountry?: Readonly<Record<string, number>> | undefined;
}

/** Texts to numbers of one country; `null` for numbers of none. */
export interface CountryTexts {
  readonly country: string | null;
  readonly texts: number;
  readonly segments: number;
}

export interface CountryCost extends CountryTexts {
  /** In the currency's unit, to six places; `null` without a price. */
  readonly cost: number | null;
}

/** Counts texts one by one. */
export class TextTally {
  readonly #countries = new Map<string | null, { texts: number; segments: number }>();

  add(country: string | undefined, segments: number): void {
    const name = country ?? null;
    const known = this.#countries.get(name);
    if (known === undefined) this.#countries.set(name, { texts: 1, segments });
    else {
      known.texts++;
      known.segments += segments;
    }
  }

  /** The most segments first. `factor`: how many people each counted one stands for. */
  shown(factor = 1): readonly CountryTexts[] {
    return [...this.#countries]
      .map(([country, { texts, segments }]) => ({
        country,
        texts: Math.round(texts * factor),
        segments: Math.round(segments * factor),
      }))
      .sort((one, other) => other.segments - one.segments || byName(one, other));
  }
}

/** What each country's texts cost, and all that have a price; `undefined` without prices. */
export function costsOf(
  counted: readonly CountryTexts[],
  prices: TextPrices | undefined,
): { readonly countries: readonly CountryCost[]; readonly total: number | null } {
  let sum = 0n;
  let isPriced = false;
  const countries = counted.map((one) => {
    const price = prices === undefined ? undefined : priceIn(prices, one.country);
    if (price === undefined) return { ...one, cost: null };
    const micros = BigInt(one.segments) * BigInt(Math.round(price * 1e6));
    isPriced = true;
    sum += micros;
    return { ...one, cost: inUnits(micros) };
  });
  const isFree = prices !== undefined && counted.length === 0;
  return { countries, total: isPriced || isFree ? inUnits(sum) : null };
}

function priceIn(
  { perSegment, byCountry = {} }: TextPrices,
  country: string | null,
): number | undefined {
  const own = country !== null && Object.hasOwn(byCountry, country);
  return own ? byCountry[country] : perSegment;
}

/** To the six places that it has, where a double has them. */
function inUnits(micros: bigint): number {
  return Number(`${micros / 1_000_000n}.${String(micros % 1_000_000n).padStart(6, '0')}`);
}

function byName(one: CountryTexts, other: CountryTexts): number {
  return (one.country ?? '') < (other.country ?? '') ? -1 : 1;
}

/** Of a relay's shown configuration; `undefined` if it has none. */
export function pricesIn(config: RelayConfig): TextPrices | undefined {
  return config['price'] as TextPrices | undefined;
}
