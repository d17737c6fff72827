// What counts as a change of a client workspace for its parent, and of branding for an org.

import { etagOf } from '../../etag.ts';
import type { BrandingView, ClientView } from './protocol.ts';

export function clientEtag({ id, name }: Pick<ClientView, 'id' | 'name'>): string {
  return etagOf({ id, name });
}

export function brandingEtag(branding: BrandingView): string {
  return etagOf(branding);
}
