// What counts as a change of a segment for those who edit it: its name and its filter.

import { etagOf } from '../../etag.ts';
import type { SegmentRecord } from './protocol.ts';

/** Lists may add members. */
export function segmentEtag({ id, name, filter }: SegmentRecord): string {
  return etagOf({ id, name, filter });
}
