// Empty room.

import type { BlockKind } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const spacer: BlockKind = {
  id: 'spacer',
  label: words.kinds.spacer,
  icon: 'down',
  fields: [{ key: 'height', label: fields.height, kind: 'number' }],
  blank: { height: 24 },
  summary: (block) => `${textValue(block, 'height')} px`,
  mjml: (block) => {
    const height = Number(textValue(block, 'height'));
    return `<mj-spacer height="${Number.isFinite(height) && height > 0 ? height : 24}px" />`;
  },
};
