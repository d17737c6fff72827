// What somebody said, set apart by a bar.

import { attributes, type BlockKind, inline, richText } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const quote: BlockKind = {
  id: 'quote',
  label: words.kinds.quote,
  icon: 'messages',
  fields: [
    { key: 'words', label: fields.words, kind: 'text' },
    { key: 'who', label: fields.who, kind: 'line' },
  ],
  blank: { words: 'It just works.', who: '' },
  summary: (block) => textValue(block, 'words'),
  mjml: (block, { accent }) => {
    const who = textValue(block, 'who');
    const by = who === '' ? '' : `<p style="margin:0;opacity:.75">${inline(who)}</p>`;
    const style = `margin:0;padding:0 0 0 16px;border-left:3px solid ${accent}`;
    return `<mj-text><blockquote${attributes({ style })}>${richText(textValue(block, 'words'))}${by}</blockquote></mj-text>`;
  },
};
