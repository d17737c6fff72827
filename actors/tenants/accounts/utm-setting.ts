// The campaign parameters that an app's links get: each member is Liquid (`content/render/utm.ts`).

import type { UtmSetting } from './records.ts';

export const utmMembers = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmMember = keyof UtmSetting;
