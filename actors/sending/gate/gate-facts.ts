// What the rules of the gate ask of an app.

import type { Bitset } from '../../../engine/base/bitset.ts';
import type { ContactFacts } from '../../audiences/segments/contact-facts.ts';
import type { TagColumn } from '../../audiences/segments/tag-column.ts';
import type { TopicRecord } from '../../people/topics/topic.ts';
import type { AppSettings } from '../../tenants/accounts/records.ts';
import type { CapCounts } from './caps.ts';
import type { Resting } from './resting.ts';

/** What the rules read of people: an app's columns, or the record of one person. */
export interface GateFacts {
  readonly record: { readonly timezone: string };
  readonly settings: Pick<AppSettings, 'caps' | 'quietHours'>;
  /** By channel in the catalog's order: who has an enabled device that did not opt out. */
  readonly traits: {
    readonly reach: readonly Pick<Bitset, 'test'>[];
    /** Among them the choices of topics. */
    readonly tags: ReadonlyMap<string, Pick<TagColumn, 'equals' | 'has'>>;
  };
  /** By key. */
  readonly topics: ReadonlyMap<string, Pick<TopicRecord, 'default'>>;
  readonly contact: Pick<
    ContactFacts,
    'hasOptedOut' | 'hasSeveral' | 'preferred' | 'zoneCode' | 'zoneName'
  >;
  readonly resting: Pick<Resting, 'isEmpty' | 'untilOf'>;
  readonly caps: Pick<CapCounts, 'isReached'>;
}
