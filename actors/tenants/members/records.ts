// A member of an org, and what each role allows.

import type { Millis } from '../../../engine/base/brand.ts';
import type { Scope } from '../accounts/records.ts';

export const roles = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

/** The scopes of somebody who is signed in. Source: contract, section 2. */
export const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: ['read', 'write', 'send', 'admin'],
  editor: ['read', 'write', 'send'],
  viewer: ['read'],
};

export interface MemberRecord {
  readonly id: string;
  /** As it was given; two that differ by case alone are one member. */
  readonly email: string;
  readonly role: Role;
  readonly createdMs: Millis;
}
