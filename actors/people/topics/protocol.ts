// Messages and entries of topics.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { TagValue } from '../../../storage/tables/subscriber.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { AboutSend } from '../about-send.ts';
import type { TopicRecord } from './topic.ts';

/** What a call sets; `null` removes the description. */
export interface TopicInput {
  readonly name?: string;
  readonly description?: string | null;
  readonly default?: TopicRecord['default'];
  readonly doubleOptIn?: boolean;
}

export interface TopicView extends TopicRecord {
  /** How many people have chosen what; the others have the default. */
  readonly people: { readonly in: number; readonly out: number; readonly pending: number };
}

export interface TopicsProtocol {
  /** Refused with `conflict` if the key is in use. */
  'topic.create': {
    body: Caller & { key: string; input: TopicInput & { name: string } };
    reply: TopicView;
  };
  'topic.read': { body: Caller & { topic: string }; reply: TopicView };
  'topic.update': {
    body: Caller & { topic: string; key?: string; input: TopicInput };
    reply: TopicView;
  };
  /** Refused while a campaign or journey names it. People keep their choices. */
  'topic.delete': { body: Caller & { topic: string }; reply: null };
  /** In the order of creation. */
  'topic.list': { body: Caller; reply: readonly TopicView[] };
}

export type TopicsEntry =
  | (Entry & { readonly kind: 'topic.saved'; readonly topic: TopicRecord })
  | (Entry & { readonly kind: 'topic.deleted'; readonly key: string })
  /** Somebody said what people want: an event `preferences_changed` for each. */
  | (Entry & {
      readonly kind: 'preferences.changed';
      readonly people: readonly PersonOrdinal[];
      /** What changed and from where, as JSON, by person. */
      readonly props: readonly string[];
      /** The runtime assigns it; 0 until then. */
      firstEvent: number;
      readonly atMs: Millis;
      /** The message whose unsubscribe link left a topic. */
      readonly about?: AboutSend;
      /** By a client without proof of who it is. */
      readonly unproven?: true;
    })
  /** The columns follow from the record; this is for the lists of what a restore must not undo. */
  | (Entry & {
      readonly kind: 'choices.changed';
      readonly person: PersonOrdinal;
      readonly subscriberId: string;
      /** All of the person's, by tag. */
      readonly choices: Readonly<Record<string, TagValue>>;
      readonly atMs: Millis;
    });
