// What an org sets of its branding itself.

import type { Branding } from '../../api/generated.ts';

/** `null`: follows the parent or the service. */
export type Own = {
  readonly [K in Branding['inherited'][number]]: Branding[K] | null;
};

export function ownOf(present: Branding): Own {
  const own = <K extends keyof Own>(name: K): Own[K] =>
    present.inherited.includes(name) ? null : present[name];
  return {
    productName: own('productName'),
    logoUrl: own('logoUrl'),
    accentColor: own('accentColor'),
    hideServiceBranding: own('hideServiceBranding'),
  };
}

/**
 * What is shown for a draft. What a cleared field would inherit is known only of inherited ones.
 */
export function valuesOf(own: Own, inherited: Branding): Omit<Branding, 'inherited' | 'etag'> {
  return {
    productName: own.productName ?? inherited.productName,
    logoUrl: own.logoUrl ?? (inherited.inherited.includes('logoUrl') ? inherited.logoUrl : null),
    accentColor:
      own.accentColor ??
      (inherited.inherited.includes('accentColor') ? inherited.accentColor : null),
    hideServiceBranding: own.hideServiceBranding ?? inherited.hideServiceBranding,
  };
}
