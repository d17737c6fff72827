// A banner: a title, a line and a button on the accent color.

import { attributes, type BlockKind, inline, richText } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const hero: BlockKind = {
  id: 'hero',
  label: words.kinds.hero,
  icon: 'star',
  fields: [
    { key: 'title', label: fields.title, kind: 'line' },
    { key: 'words', label: fields.words, kind: 'text' },
    { key: 'label', label: fields.label, kind: 'line' },
    { key: 'href', label: fields.href, kind: 'link' },
  ],
  blank: {
    title: 'Big news',
    words: 'One line about it.',
    label: 'See it',
    href: 'https://example.com',
  },
  summary: (block) => textValue(block, 'title'),
  mjml: (block, { accent }) => {
    const own = attributes({
      'container-background-color': accent,
      color: '#ffffff',
      align: 'center',
    });
    const title = `<h1 style="margin:0;font-size:30px;line-height:1.2">${inline(textValue(block, 'title'))}</h1>`;
    const label = textValue(block, 'label');
    const button = `<mj-button${attributes({
      href: textValue(block, 'href'),
      'container-background-color': accent,
      'background-color': '#ffffff',
      color: accent,
      align: 'center',
      padding: '0 25px 32px',
    })}>${inline(label)}</mj-button>`;
    const words = `<mj-text${own}>${richText(textValue(block, 'words'))}</mj-text>`;
    return `<mj-text${own} padding="32px 25px 8px">${title}</mj-text>${words}${label === '' ? '' : button}`;
  },
};
