// A list with dots.

import { type BlockKind, inline } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const list: BlockKind = {
  id: 'list',
  label: words.kinds.list,
  icon: 'menu',
  fields: [{ key: 'items', label: fields.items, kind: 'text' }],
  blank: { items: 'The first thing\nThe second thing' },
  summary: (block) => textValue(block, 'items').split('\n').join(', '),
  mjml: (block) => {
    const items = textValue(block, 'items')
      .split('\n')
      .filter((line) => line.trim() !== '')
      .map((line) => `<li style="margin:0 0 6px">${inline(line)}</li>`);
    return `<mj-text><ul style="margin:0;padding:0 0 0 20px">${items.join('')}</ul></mj-text>`;
  },
};
