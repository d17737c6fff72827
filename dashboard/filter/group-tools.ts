// What groups and conditions of a filter share: what is known of them, and how they change.

import type { Fields, Filter } from '../api/generated.ts';
import type { FilterIssue, PartCount } from './count.ts';
import type { Place } from './model.ts';

export interface GroupTools {
  readonly fields: Fields | undefined;
  readonly errors: readonly FilterIssue[];
  readonly counts: ReadonlyMap<string, PartCount> | undefined;
  readonly isFull: boolean;
  change(place: Place, next: Filter): void;
  remove(place: Place): void;
  add(place: Place, member: Filter): void;
}
