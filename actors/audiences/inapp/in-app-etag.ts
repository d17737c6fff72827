// What counts as a change of an in-app message for those who edit it: all that they set, and not
// how often people saw it.

import { etagOf } from '../../etag.ts';
import type { InAppRecord } from './protocol.ts';

export function inAppEtag(message: InAppRecord): string {
  return etagOf(message, ['counts']);
}
