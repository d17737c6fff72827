// The slot of an org follows from its id, and holds all that it owns.

import { hash32 } from '../../../engine/base/hash.ts';

const slotMask = 4095;

export function slotOfOrg(orgId: string): number {
  return hash32(orgId) & slotMask;
}
