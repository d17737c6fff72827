// The API has no filter that says "everybody"; this one holds for all.

import type { Filter } from '../api/generated.ts';

export const everybody: Filter = {
  any: [
    { tag: 'id', exists: true },
    { tag: 'id', exists: false },
  ],
};
