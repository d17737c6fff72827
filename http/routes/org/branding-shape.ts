// The wire shape of branding, and what a logo's address may be.

import { z } from 'zod';
import { judgeUrl, type RefusedReason } from '../../../actors/channels/outbound/network-guard.ts';
import { limits } from '../../../actors/limits.ts';
import {
  type Branding,
  type BrandingPatch,
  serviceBranding,
} from '../../../actors/tenants/accounts/records.ts';
import { brandingEtag } from '../../../actors/tenants/clients/client-etag.ts';
import type { BrandingView } from '../../../actors/tenants/clients/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { exampleEtag } from '../../call/schemas/example-ids.ts';
import { etagSchema, isOneLine } from '../../call/schemas/schemas.ts';

export const brandingSchema = z.object({
  productName: z.string(),
  logoUrl: z.string().nullable().describe('Readers load it; this server never does.'),
  accentColor: z.string().nullable().describe('`#rrggbb`.'),
  hideServiceBranding: z
    .boolean()
    .describe(`Whether pages and emails hide "Sent with ${serviceBranding.productName}".`),
});

const memberSchema = z.enum(['productName', 'logoUrl', 'accentColor', 'hideServiceBranding']);

export const orgBrandingSchema = brandingSchema
  .extend({
    etag: etagSchema,
    inherited: z
      .array(memberSchema)
      .describe(
        "Fields that the org does not set itself: they follow its parent, or the service's default.",
      ),
  })
  .meta({
    id: 'Branding',
    examples: [
      {
        productName: 'Northwind Messaging',
        logoUrl: 'https://cdn.example.com/northwind.png',
        accentColor: '#0b6e4f',
        hideServiceBranding: false,
        etag: exampleEtag,
        inherited: ['hideServiceBranding'],
      },
    ],
  });

const colorSchema = z
  .string()
  .regex(/^#[0-9a-f]{6}$/i, 'expected a color as #rrggbb, such as #0b6e4f')
  .overwrite((color) => color.toLowerCase());

export const brandingBody = z
  .object({
    productName: z
      .string()
      .trim()
      .min(1)
      .max(limits.productNameCharsMax)
      .refine(isOneLine, 'must not contain control characters')
      .nullish(),
    logoUrl: z.string().nullish().describe('An https URL of a public host.'),
    accentColor: colorSchema.nullish(),
    hideServiceBranding: z.boolean().nullish(),
  })
  .meta({
    examples: [
      { productName: 'Northwind Messaging', accentColor: '#0b6e4f', logoUrl: null },
      { hideServiceBranding: true },
    ],
  });

/** Throws for a logo that a tenant may not name. Hosts are checked as those of webhooks. */
export function brandingPatch(
  { productName, logoUrl, accentColor, hideServiceBranding }: z.output<typeof brandingBody>,
  allowPrivateNetworks: boolean,
): BrandingPatch {
  if (logoUrl != null) {
    const verdict = judgeUrl(logoUrl, allowPrivateNetworks);
    const refused = 'refused' in verdict ? verdict.refused : notHttps(verdict.url);
    if (refused !== undefined) throw new FaultError(fieldFault('logoUrl', logoWords[refused]));
  }
  return {
    ...(productName === undefined ? {} : { productName }),
    ...(logoUrl === undefined ? {} : { logoUrl: logoUrl && new URL(logoUrl).href }),
    ...(accentColor === undefined ? {} : { accentColor }),
    ...(hideServiceBranding === undefined ? {} : { hideServiceBranding }),
  };
}

/** Also where private networks are allowed: mail programs and browsers load the logo. */
function notHttps({ protocol }: URL): RefusedReason | undefined {
  return protocol === 'https:' ? undefined : 'scheme_not_allowed';
}

const logoWords: Readonly<Record<RefusedReason, string>> = {
  invalid_url: 'expected an absolute URL of at most 2,048 characters',
  scheme_not_allowed: 'expected an https URL',
  port_not_allowed: 'expected port 443 or 8443',
  userinfo_not_allowed: 'expected a URL without username or password',
  private_address: 'expected a public address',
};

export function brandingView({
  productName,
  logoUrl,
  accentColor,
  hideServiceBranding,
}: Branding): z.output<typeof brandingSchema> {
  return { productName, logoUrl, accentColor, hideServiceBranding };
}

export function orgBrandingView(shown: BrandingView) {
  const etag = brandingEtag(shown);
  return { ...brandingView(shown.branding), etag, inherited: shown.inherited };
}
