// Paragraphs with bold, italic and links.

import { attributes, type BlockKind, richText } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const text: BlockKind = {
  id: 'text',
  label: words.kinds.text,
  icon: 'audit',
  fields: [
    { key: 'words', label: fields.words, kind: 'text', hint: fields.wordsHint },
    { key: 'align', label: fields.align, kind: 'align' },
  ],
  blank: { words: 'Write something worth reading.', align: 'left' },
  summary: (block) => textValue(block, 'words'),
  mjml: (block) =>
    `<mj-text${attributes({ align: textValue(block, 'align') })}>${richText(textValue(block, 'words'))}</mj-text>`,
};
