// The campaign parameters that an app's links get: each member is Liquid (`content/render/utm.ts`).

export const utmMembers = ['source', 'medium', 'campaign', 'term', 'content'] as const;
export type UtmMember = (typeof utmMembers)[number];

/** Absent members add nothing. */
export type UtmSetting = { readonly [Member in UtmMember]?: string };
