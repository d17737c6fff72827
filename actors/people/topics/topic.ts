// A topic: what people may want messages about. Its key names it in choices and never changes.

import type { Millis } from '../../../engine/base/brand.ts';
import { etagOf } from '../../etag.ts';

export const topicDefaults = ['in', 'out'] as const;
type TopicDefault = (typeof topicDefaults)[number];

export interface TopicRecord {
  readonly key: string;
  readonly name: string;
  readonly description?: string;
  /** For people without a choice. */
  readonly default: TopicDefault;
  /** Whether a choice that a client makes counts only once the person has confirmed it. */
  readonly doubleOptIn: boolean;
  readonly createdMs: Millis;
  readonly updatedMs: Millis;
}

export function topicEtag({ key, name, description, ...rest }: TopicRecord): string {
  return etagOf({ key, name, description, default: rest.default, doubleOptIn: rest.doubleOptIn });
}
