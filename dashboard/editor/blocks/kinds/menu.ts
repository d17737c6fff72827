// Links side by side.

import { attributes, type BlockKind, inline, rowsOf } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const menu: BlockKind = {
  id: 'menu',
  label: words.kinds.menu,
  icon: 'more',
  fields: [
    { key: 'links', label: fields.links, kind: 'text' },
    { key: 'align', label: fields.align, kind: 'align' },
  ],
  blank: {
    links: 'Shop | https://example.com/shop\nHelp | https://example.com/help',
    align: 'center',
  },
  summary: (block) => textValue(block, 'links').split('\n').join(', '),
  mjml: (block, { accent }) => {
    const links = rowsOf(textValue(block, 'links')).map(
      ([label, href]) =>
        `<a${attributes({ href, style: `color:${accent};text-decoration:none` })}>${inline(label)}</a>`,
    );
    return `<mj-text${attributes({ align: textValue(block, 'align') })}>${links.join(' &nbsp;·&nbsp; ')}</mj-text>`;
  },
};
