// How many sign-in mails go out, so that nobody makes the platform write to strangers: per address
// over all orgs, and for members who never signed in per org, per agency and for the server. Those
// who did sign in share no bound: one org must not keep the people of another out. In the front's
// memory; a restart forgives an hour.

import { mailHash } from '../../../actors/channels/email/return-path.ts';
import { limits } from '../../../actors/limits.ts';
import type { Membership } from '../../../actors/tenants/sessions/protocol.ts';
import { dayMs, type Millis } from '../../../engine/base/brand.ts';
import { AddressCeiling } from '../admission/address-ceiling.ts';

const orgsMax = 20_000;
const addressesMax = 50_000;

export type MailBound = 'address' | 'org' | 'server';

export class SignInBounds {
  readonly #strangers = new AddressCeiling(limits.signInLinksPerHour, addressesMax, 'hour');
  readonly #known = new AddressCeiling(limits.signInLinksPerHour, addressesMax, 'hour');
  readonly #orgs = new AddressCeiling(limits.invitingMailsPerHour, orgsMax, 'hour');
  readonly #agencies: AddressCeiling;
  readonly #days = new DayCounts(limits.invitingMailsPerDay);
  readonly #server: AddressCeiling;

  /** `perHour`: to members who never signed in, over all orgs. */
  constructor(perHour: number, clientsShare: number) {
    const ofAgency = limits.invitingMailsPerHour * Math.max(1, clientsShare);
    this.#agencies = new AddressCeiling(ofAgency, orgsMax, 'hour');
    this.#server = new AddressCeiling(Math.max(1, perHour), 1, 'hour');
  }

  /** Counts a mail, or says which bound it would exceed. `isKnown`: asked from a known place. */
  take(
    { member, orgId, parentOrgId }: Membership,
    isKnown: boolean,
    nowMs: Millis,
  ): MailBound | undefined {
    const own = isKnown ? this.#known : this.#strangers;
    const address = mailHash(member.email);
    if (own.waitSeconds(address, nowMs) > 0) return 'address';
    if (member.isOpen === true) {
      const agency = parentOrgId ?? orgId;
      const isFull =
        this.#orgs.waitSeconds(orgId, nowMs) > 0 ||
        this.#agencies.waitSeconds(agency, nowMs) > 0 ||
        !this.#days.has(orgId, nowMs);
      if (isFull) return 'org';
      if (this.#server.take('all', nowMs) > 0) return 'server';
      this.#orgs.take(orgId, nowMs);
      this.#agencies.take(agency, nowMs);
      this.#days.count(orgId, nowMs);
    }
    own.take(address, nowMs);
    return undefined;
  }
}

/** Counts by org and UTC day; orgs beyond the bound count together. */
class DayCounts {
  readonly #limit: number;
  #counts = new Map<string, number>();
  #day = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  has(orgId: string, nowMs: Millis): boolean {
    const name = this.#name(orgId, nowMs); // a new day has counts of its own
    return (this.#counts.get(name) ?? 0) < this.#limit;
  }

  count(orgId: string, nowMs: Millis): void {
    const name = this.#name(orgId, nowMs);
    this.#counts.set(name, (this.#counts.get(name) ?? 0) + 1);
  }

  #name(orgId: string, nowMs: Millis): string {
    const day = Math.floor(nowMs / dayMs);
    if (day > this.#day) this.#counts = new Map();
    this.#day = Math.max(day, this.#day);
    return this.#counts.size < orgsMax || this.#counts.has(orgId) ? orgId : '';
  }
}
