// A button that leads somewhere.

import { attributes, type BlockKind, inline } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const button: BlockKind = {
  id: 'button',
  label: words.kinds.button,
  icon: 'link',
  fields: [
    { key: 'label', label: fields.label, kind: 'line' },
    { key: 'href', label: fields.href, kind: 'link' },
    { key: 'align', label: fields.align, kind: 'align' },
  ],
  blank: { label: 'Open', href: 'https://example.com', align: 'left' },
  summary: (block) => textValue(block, 'label'),
  mjml: (block) =>
    `<mj-button${attributes({ href: textValue(block, 'href'), align: textValue(block, 'align') })}>${inline(textValue(block, 'label'))}</mj-button>`,
};
