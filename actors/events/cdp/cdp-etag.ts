// The version of an integration with a customer-data platform: which key is the newest.

import { etagOf } from '../../etag.ts';
import type { IntegrationView } from './protocol.ts';

export function cdpEtag({
  createdMs,
  updatedMs,
}: Pick<IntegrationView, 'createdMs' | 'updatedMs'>) {
  return etagOf({ created: createdMs, keyMade: updatedMs });
}
