// What a tenant says that texts cost: of a gateway, or of the app's own carrier account.

import { z } from 'zod';

const price = z.number().min(0).max(1_000_000);

export const textPricesSchema = z
  .strictObject({
    currency: z.string().regex(/^[A-Z]{3}$/, 'must be an ISO 4217 currency, such as USD'),
    /** Of one segment, in the currency's unit, to six places. Absent: only these countries. */
    perSegment: price.optional(),
    byCountry: z
      .record(z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 country, such as VN'), price)
      .optional(),
  })
  .refine(
    ({ perSegment, byCountry = {} }) =>
      perSegment !== undefined || Object.keys(byCountry).length > 0,
    'needs perSegment or byCountry',
  );
