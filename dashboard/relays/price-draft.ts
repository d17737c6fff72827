// What texts cost, as it is being edited: of a gateway, or of the app's carrier account.

export interface PriceDraft {
  readonly currency: string;
  readonly perSegment: string;
  /** `VN 0.05`, one a line. */
  readonly byCountry: string;
}

export interface TextPrices {
  readonly currency: string;
  readonly perSegment?: number;
  readonly byCountry?: Readonly<Record<string, number>>;
}

export function priceDraftOf(prices: Partial<TextPrices> | null | undefined): PriceDraft {
  const { currency = '', perSegment, byCountry = {} } = prices ?? {};
  return {
    currency,
    perSegment: String(perSegment ?? ''),
    byCountry: Object.entries(byCountry)
      .map(([country, each]) => `${country} ${each}`)
      .join('\n'),
  };
}

/** `null`: nothing is entered. What is no number is sent as it is, and refused with words. */
export function pricesOf({ currency, perSegment, byCountry }: PriceDraft): TextPrices | null {
  if (currency.trim() === '' && perSegment.trim() === '' && byCountry.trim() === '') return null;
  const lines = byCountry.split('\n').map((line) => line.trim().split(/[\s:=]+/));
  const countries = lines
    .filter(([country = '']) => country !== '')
    .map(([country = '', each = '']) => [country.toUpperCase(), Number(each)]);
  return {
    currency: currency.trim().toUpperCase(),
    ...(perSegment.trim() !== '' && { perSegment: Number(perSegment) }),
    ...(countries.length > 0 && { byCountry: Object.fromEntries(countries) }),
  };
}
