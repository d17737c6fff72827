// Names of networks that lead to one's own pages. Without pictures, which many programs hide.

import { attributes, type BlockKind, inline, rowsOf } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const social: BlockKind = {
  id: 'social',
  label: words.kinds.social,
  icon: 'people',
  fields: [{ key: 'links', label: fields.links, kind: 'text' }],
  blank: {
    links: 'Instagram | https://instagram.com/you\nLinkedIn | https://linkedin.com/company/you',
  },
  summary: (block) => textValue(block, 'links').split('\n').join(', '),
  mjml: (block) => {
    const links = rowsOf(textValue(block, 'links')).map(
      ([label, href]) => `<a${attributes({ href, style: 'color:#6b7280' })}>${inline(label)}</a>`,
    );
    const own = attributes({ align: 'center', 'font-size': '13px', color: '#6b7280' });
    return `<mj-text${own}>${links.join(' &nbsp; ')}</mj-text>`;
  },
};
