// A member of an org.

import type { Millis } from '../../../engine/base/brand.ts';
import { etagOf } from '../../etag.ts';
import { type Scope, scopes } from '../accounts/records.ts';

/** An owner may do everything, an editor everything but `admin`, a viewer only read. */
export const roles = ['owner', 'editor', 'viewer'] as const;
export type Role = (typeof roles)[number];

export interface MemberRecord {
  readonly id: string;
  /** As it was given; two that differ by case alone are one member. */
  readonly email: string;
  readonly role: Role;
  readonly createdMs: Millis;
  /** Somebody added the address, and its person has not signed in here yet. */
  readonly isOpen?: true;
  /** Where the person signed in from, newest first: hashes of network addresses. */
  readonly places?: readonly string[];
}

/** Of one member. */
export const placesMax = 5;

const scopesOfRole: Readonly<Record<Role, readonly Scope[]>> = {
  owner: scopes,
  editor: ['read', 'write', 'send'],
  viewer: ['read'],
};

export function scopesOf(role: Role): readonly Scope[] {
  return scopesOfRole[role];
}

/** Addresses that differ by case alone are one member. */
export function addressKey(email: string): string {
  return email.toLowerCase();
}

export function memberEtag({ id, email, role }: MemberRecord): string {
  return etagOf({ id, email, role });
}
