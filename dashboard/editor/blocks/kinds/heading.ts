// A heading in three sizes.

import { attributes, type BlockKind, inline } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const heading: BlockKind = {
  id: 'heading',
  label: words.kinds.heading,
  icon: 'edit',
  fields: [
    { key: 'words', label: fields.words, kind: 'line' },
    { key: 'level', label: fields.level, kind: 'level' },
    { key: 'align', label: fields.align, kind: 'align' },
  ],
  blank: { words: 'A heading', level: '1', align: 'left' },
  summary: (block) => textValue(block, 'words'),
  mjml: (block) => {
    const asked = textValue(block, 'level');
    const level = asked === '2' || asked === '3' ? asked : '1';
    const size = { '1': '28px', '2': '22px', '3': '17px' }[level];
    const own = attributes({
      align: textValue(block, 'align'),
      'font-size': size,
      'font-weight': '700',
      'line-height': '1.25',
    });
    const tag = `h${level}`;
    const style = 'margin:0;font:inherit';
    return `<mj-text${own}><${tag} style="${style}">${inline(textValue(block, 'words'))}</${tag}></mj-text>`;
  },
};
