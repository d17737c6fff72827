// How the branding of an org follows from what it and its parent set.

import {
  type Branding,
  type BrandingPatch,
  type OrgBranding,
  type OwnBranding,
  serviceBranding,
} from './records.ts';

const members = ['productName', 'logoUrl', 'accentColor', 'hideServiceBranding'] as const;

export function resolvedBranding({ own, parent }: OrgBranding): Branding {
  return { ...serviceBranding, ...parent, ...own };
}

/** The members that the org does not set itself. */
export function inheritedMembers({ own }: OrgBranding): readonly (keyof Branding)[] {
  return members.filter((member) => own[member] === undefined);
}

export function patchedBranding(own: OwnBranding, patch: BrandingPatch): OwnBranding {
  const next: Record<string, unknown> = { ...own };
  for (const member of members) {
    const value = patch[member];
    if (value === null) delete next[member];
    else if (value !== undefined) next[member] = value;
  }
  return next;
}

export function isSameBranding(one: OwnBranding, other: OwnBranding): boolean {
  return members.every((member) => one[member] === other[member]);
}
