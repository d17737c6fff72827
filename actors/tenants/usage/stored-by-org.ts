// What an org stores, about: events and people's records in all its apps.

import { type Bytes, dayMs, type Millis, type Ordinal } from '../../../engine/base/brand.ts';
import { limits } from '../../limits.ts';
import type { UsageMemory } from './view.ts';

export function storedByOrg(
  { orgs, apps }: Pick<UsageMemory, 'apps' | 'orgs'>,
  org: Ordinal,
  nowMs: Millis,
): Bytes {
  let bytes = 0;
  for (const ordinal of orgs.get(org)?.apps ?? []) {
    const app = apps.get(ordinal);
    if (app === undefined) continue;
    const days = app.settings.eventsRetentionDays ?? limits.eventsRetentionDays;
    const { goneBeforeMs = 0 } = app.settings;
    const keptDays = Math.min(days, Math.ceil((nowMs - goneBeforeMs) / dayMs));
    bytes += app.stored.total(app.people.count, nowMs, keptDays);
  }
  return bytes;
}
