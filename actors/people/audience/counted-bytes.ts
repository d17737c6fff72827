// What a person's record counts for in what an org stores.

import type { Bytes } from '../../../engine/base/brand.ts';
import type { SubscriberRow, TagValue } from '../../../storage/tables/subscriber.ts';

/** Of a device's record and its index. */
const deviceBytes = 256;

/** Of tags and devices, about. */
export function countedBytes({
  devices,
  tags,
}: { readonly devices: { readonly length: number } } & Pick<SubscriberRow, 'tags'>): Bytes {
  let bytes = devices.length * deviceBytes;
  for (const tag in tags) {
    const value = tags[tag] as TagValue;
    bytes += tag.length + (typeof value === 'string' ? value.length : 8);
    if (typeof value === 'object') for (const text of value) bytes += text.length;
  }
  return bytes;
}
