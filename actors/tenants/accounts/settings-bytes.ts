// What an app's settings take of its org's storage; kept for each version of them.

import type { Bytes } from '../../../engine/base/brand.ts';
import { bytesOfRecord } from '../../weight.ts';
import type { AppSettings } from './records.ts';

const weights = new WeakMap<AppSettings, Bytes>();

export function settingsBytes(settings: AppSettings): Bytes {
  let bytes = weights.get(settings);
  if (bytes === undefined) weights.set(settings, (bytes = bytesOfRecord(settings)));
  return bytes;
}
