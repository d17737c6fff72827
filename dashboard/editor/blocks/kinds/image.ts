// A picture, with a link if it has one.

import { attributes, type BlockKind } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const image: BlockKind = {
  id: 'image',
  label: words.kinds.image,
  icon: 'image',
  fields: [
    { key: 'source', label: fields.source, kind: 'image' },
    { key: 'alt', label: fields.alt, kind: 'line' },
    { key: 'href', label: fields.href, kind: 'link' },
    { key: 'width', label: fields.width, kind: 'number' },
    { key: 'align', label: fields.align, kind: 'align' },
  ],
  blank: { source: '', alt: '', href: '', align: 'center' },
  summary: (block) => textValue(block, 'alt') || textValue(block, 'source'),
  mjml: (block) => {
    const source = textValue(block, 'source');
    if (source === '') return '';
    const width = textValue(block, 'width');
    const own = attributes({
      src: source,
      // An empty text says that the picture only decorates.
      href: textValue(block, 'href'),
      width: width === '' ? '' : `${width}px`,
      align: textValue(block, 'align'),
    });
    return `<mj-image${own}${attributes({ alt: textValue(block, 'alt') || ' ' })} />`;
  },
};
