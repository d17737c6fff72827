// What a column of a file may become.

import type { TagType } from '../../../files/typed-value.ts';
import type { Channel } from '../../api/generated.ts';

export type Target =
  | { readonly kind: 'skip' }
  | { readonly kind: 'externalId' }
  | { readonly kind: 'timezone' }
  | { readonly kind: 'preferences' }
  | { readonly kind: 'device'; readonly channel: Channel }
  | {
      readonly kind: 'tag';
      readonly key: string;
      readonly type: TagType;
      /** What parts the items of a list. */
      readonly splitAt?: string;
    }
  /** All tags, or all devices, as JSON: what an export has. */
  | { readonly kind: 'tagsJson' }
  | { readonly kind: 'devicesJson' };

export type Mapping = readonly Target[];
