// Sign-ups that wait for their confirmation, and those that were confirmed, until their link ends.
// Nothing of what was asked for is in the person's record before the confirmation.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';
import type { TagValue } from './subscriber.ts';

/** What a confirmation does beside enabling the address. */
export interface OptInWish {
  /** Keys of topics. */
  readonly topics: readonly string[];
  readonly tags: Readonly<Record<string, TagValue>>;
  /** Keys of the forms, and the sentences that were agreed to, oldest first. */
  readonly forms: readonly string[];
  readonly sentences: readonly string[];
  readonly language?: string;
}

export interface OptInRow {
  /** Who asked: the person of a client token, else the one with the address. */
  readonly person: PersonOrdinal;
  /** In normal form, as it is written to. */
  readonly address: string;
  readonly state: 'asked' | 'confirmed';
  /** Drawn anew for each mail: the links of earlier mails are not valid. */
  readonly number: number;
  readonly wish: OptInWish;
  /** Values of the wanted tags when they were first asked for: what changed since wins. */
  readonly before: Readonly<Record<string, TagValue | null>>;
  readonly askedMs: Millis;
  /** When its newest mail was queued; absent while the mail is owed. */
  readonly mailedMs?: Millis;
  readonly confirmedMs?: Millis;
  /** The mail that is still to be sent, and in which life of the data it was asked for. */
  readonly owed?: { readonly dueMs: Millis; readonly life: number };
  /** Only the tenant has asked for it, by an import or by the traits of a platform. */
  readonly byTenant?: true;
}

/** Key: [identity key, person ordinal]. */
export const optIns = defineTable<OptInRow>()({
  id: 42,
  name: 'opt-ins',
  version: 1,
  fields: [
    'person',
    'address',
    'state',
    'number',
    'wish',
    'before',
    'askedMs',
    'mailedMs',
    'confirmedMs',
    'owed',
    'byTenant',
  ],
});

interface OptInOfPersonRow {
  readonly identity: string;
}

/** Key: [person ordinal, identity key]. */
export const optInsOfPeople = defineTable<OptInOfPersonRow>()({
  id: 43,
  name: 'opt-ins of people',
  version: 1,
  fields: ['identity'],
});

interface OwedOptInRow {
  /** As in the sign-up's row. */
  readonly life: number;
}

/** Mails that are still to be sent. Key: [due instant, identity key, person ordinal]. */
export const owedOptIns = defineTable<OwedOptInRow>()({
  id: 46,
  name: 'owed opt-in mails',
  version: 1,
  fields: ['life'],
});

/** When mails went to an address, however many people asked, and whoever is erased or merged. */
interface OptInMailsRow {
  /** The newest, oldest first. */
  readonly sentMs: readonly Millis[];
}

/** Key: [16 bytes of SHA-256 of the identity key]. */
export const optInMails = defineTable<OptInMailsRow>()({
  id: 44,
  name: 'opt-in mails',
  version: 1,
  fields: ['sentMs'],
});
