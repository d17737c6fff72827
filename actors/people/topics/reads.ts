// What other areas read of topics.

import type { Topics } from './choices.ts';

export interface TopicsReads {
  readonly topics: Topics;
}
