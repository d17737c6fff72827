// Messages and entries of sign-ups. The edge has checked the forms of what comes in; links are
// opened at the edge, so a message names who asked, the mail's number and the address.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { OptInWish } from '../../../storage/tables/opt-in.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import type { MessageNamed } from '../../people/about-send.ts';
import type { KeylessCreated, KeylessQuota } from '../../people/keyless.ts';
import type { NameQuota, NamesBrought } from '../../people/name-limit.ts';
import type { TopicChoice } from '../../people/topics/choices.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** What somebody signs up for. */
export type SignUpWish = Pick<OptInWish, 'topics' | 'tags' | 'language'>;

export interface SignUp {
  /** An email address, as it was typed. */
  readonly endpoint: string;
  readonly clientToken?: string;
  /** Id of the form that it came by, whose topics and sentence count. */
  readonly form?: string;
  readonly wish: SignUpWish;
}

/** A mail that is owed: its key in the table. */
export interface OwedMail {
  readonly dueMs: Millis;
  readonly identity: string;
  readonly person: PersonOrdinal;
}

/** What a link names. */
export interface LinkNamed {
  readonly person: PersonOrdinal;
  readonly number: number;
  readonly identity: string;
}

/** What the page behind a link shows. */
export type ConfirmPage =
  | {
      readonly state: 'asked';
      readonly address: string;
      /** Names of topics. */
      readonly topics: readonly string[];
      readonly sentences: readonly string[];
      /** Of all that is asked for: a confirmation is about what was seen. */
      readonly seen: string;
    }
  | { readonly state: 'confirmed' | 'already'; readonly address: string }
  /** The link is too old, or something newer has taken its place. */
  | { readonly state: 'over' };

/** Whose preferences a link opens, and the email address that got the link. */
export interface PreferencesNamed {
  readonly person: PersonOrdinal;
  readonly address?: string;
}

export type PreferencesPage =
  | {
      readonly state: 'open';
      /** Those that the person has. */
      readonly channels: readonly {
        readonly channel: ChannelId;
        readonly isOn: boolean;
        /** Masked. */
        readonly addresses: readonly string[];
      }[];
      readonly topics: readonly {
        readonly key: string;
        readonly name: string;
        readonly description?: string;
        readonly choice: TopicChoice;
      }[];
      readonly language: string | null;
      /** The person has opted out of everything. */
      readonly isOut: boolean;
    }
  /** The person was erased or has expired. */
  | { readonly state: 'gone' };

/** What the page's form says. */
export interface PageChange {
  readonly isNothing: boolean;
  /** Keys of the topics that the page showed, and those that are checked. */
  readonly shown: readonly string[];
  readonly on: readonly string[];
  readonly channels: readonly string[];
  readonly language?: string;
}

/** Sign-ups of an app, addresses from imports and platforms included. */
export interface OptInCounts {
  /** Their mail is still to be sent. */
  readonly queued: number;
  /** Their mail was sent; nobody has confirmed it, and its link is kept. */
  readonly waiting: number;
  /** Since they are counted. */
  readonly confirmed: number;
}

export interface OptInProtocol {
  /** Says nothing about the address: strangers ask. */
  'opt_in.sign_up': {
    body: Caller & { signUp: SignUp; room?: KeylessQuota; names?: NameQuota };
    /** `asks`: by the rules of the app alone, whoever has the address. */
    reply: KeylessCreated & NamesBrought & { asks: boolean };
  };
  /** A client made choices of this person wait: their newest address is asked. */
  'opt_in.ask': { body: Caller & { person: PersonOrdinal }; reply: null };
  'opt_in.preferences': { body: Caller & PreferencesNamed; reply: PreferencesPage };
  'opt_in.set_preferences': {
    body: Caller & PreferencesNamed & { change: PageChange; source: 'page' };
    reply: PreferencesPage;
  };
  /** The person at an email address; for the link from the page that unsubscribes it. */
  'opt_in.person_at': { body: Caller & { address: string }; reply: PersonOrdinal | null };
  /**
   * The person at an email address leaves a topic, by the link of a message about it. `null`:
   * nobody has the address, or the app has no such topic.
   */
  'opt_in.leave_topic': {
    body: Caller & {
      address: string;
      topic: string;
      about?: MessageNamed;
      source: 'unsubscribe';
    };
    reply: { readonly topic: string } | null;
  };
  'opt_in.read': { body: Caller & LinkNamed; reply: ConfirmPage };
  /** `seen`: of the page that the person saw. */
  'opt_in.confirm': {
    body: Caller & LinkNamed & { seen?: string; source: 'page' };
    reply: ConfirmPage;
  };
  /** The tenant has addresses of these people that wait: each is asked once, at a pace. */
  'opt_in.owe': { body: Caller & { people: readonly PersonOrdinal[] }; reply: null };
  /** The next mails that are owed; `run`: of the timer. */
  'opt_in.mail': { body: Caller & { run: number }; reply: null };
  /** One of them. */
  'opt_in.mail_owed': { body: Caller & OwedMail; reply: null };
  'opt_in.count': {
    body: Caller;
    /** `nextMs`: of the next mail that is owed; `hasSender`: mails can be sent. */
    reply: OptInCounts & { readonly nextMs: Millis | null; readonly hasSender: boolean };
  };
  /**
   * Removes what is too old. `after` and `mailsAfter`: where the previous turn stopped; `kept`:
   * whether turns before left something.
   */
  'opt_in.sweep': {
    body: Caller & {
      after?: readonly [string, number];
      mailsAfter?: Uint8Array;
      kept?: boolean;
    };
    reply: null;
  };
}

export type OptInEntry =
  | (Entry & {
      readonly kind: 'opt_in.asked';
      readonly person: PersonOrdinal;
      readonly identity: string;
      readonly atMs: Millis;
      /** A mail asks for the confirmation; its send is an entry of its own. */
      readonly isMailed: boolean;
    })
  | (Entry & {
      readonly kind: 'opt_in.confirmed';
      readonly person: PersonOrdinal;
      readonly identity: string;
      readonly atMs: Millis;
    })
  /** Mails to these people's addresses are to be sent. */
  | (Entry & {
      readonly kind: 'opt_in.owed';
      readonly people: readonly PersonOrdinal[];
      readonly atMs: Millis;
    })
  /** The newest timer for owed mails; `null`: there are none. */
  | (Entry & {
      readonly kind: 'opt_in.mailing';
      readonly mailing: { readonly run: number; readonly dueMs: Millis } | null;
    })
  | (Entry & { readonly kind: 'opt_in.counted'; readonly by: OptInCounts })
  | (Entry & { readonly kind: 'opt_in.swept'; readonly isDone: boolean });
