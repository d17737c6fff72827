// A line between parts.

import { attributes, type BlockKind } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const divider: BlockKind = {
  id: 'divider',
  label: words.kinds.divider,
  icon: 'minus',
  fields: [{ key: 'colour', label: fields.color, kind: 'color' }],
  blank: { colour: '#dfe1e6' },
  summary: () => '',
  mjml: (block) =>
    `<mj-divider border-width="1px"${attributes({ 'border-color': textValue(block, 'colour') })} />`,
};
