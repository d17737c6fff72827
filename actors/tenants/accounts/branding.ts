// How an org presents itself to its customers' readers. A client workspace inherits each member
// from its parent until it sets its own; what nobody set is the service's.

export interface Branding {
  readonly productName: string;
  readonly logoUrl: string | null;
  /** `#rrggbb`, lower case. */
  readonly accentColor: string | null;
  /** Whether pages and emails leave out the service's own name. */
  readonly hideServiceBranding: boolean;
}

/** The members that an org sets itself. */
export type OwnBranding = { readonly [K in keyof Branding]?: NonNullable<Branding[K]> };

/** `null` goes back to inheriting. */
export type BrandingPatch = { readonly [K in keyof Branding]?: NonNullable<Branding[K]> | null };

export interface OrgBranding {
  readonly own: OwnBranding;
  /** What the parent set, as it last told; empty for an org without a parent. */
  readonly parent: OwnBranding;
}

export const serviceName = 'Engage';

export const serviceBranding: Branding = {
  productName: serviceName,
  logoUrl: null,
  accentColor: null,
  hideServiceBranding: false,
};

export const noBranding: OrgBranding = { own: {}, parent: {} };

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
