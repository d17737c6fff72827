// Two or three columns of blocks, one below the other on a phone. What stands in them is made by
// the compiler, which knows all kinds.

import type { BlockKind } from '../kind.ts';
import { words } from '../words.ts';

export const columns: BlockKind = {
  id: 'columns',
  label: words.kinds.columns,
  icon: 'split',
  fields: [],
  blank: {},
  summary: ({ columns: own = [] }) => own.map((one) => one.length).join(' · '),
  mjml: () => '',
};
