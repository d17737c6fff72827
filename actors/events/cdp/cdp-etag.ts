// The version of an integration with a customer-data platform: its settings, and which key is the
// newest.

import { etagOf } from '../../etag.ts';
import type { IntegrationView } from './protocol.ts';

type Versioned = Pick<IntegrationView, 'createdMs' | 'updatedMs'> &
  Partial<Pick<IntegrationView, 'devicesFromTraits' | 'consent'>>;

export function cdpEtag({
  createdMs,
  updatedMs,
  devicesFromTraits = true,
  consent = 'confirmed',
}: Versioned) {
  return etagOf({ created: createdMs, keyMade: updatedMs, devicesFromTraits, consent });
}
