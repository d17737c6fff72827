// Names and values, as in a receipt.

import { type BlockKind, inline, rowsOf } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const table: BlockKind = {
  id: 'table',
  label: words.kinds.table,
  icon: 'segments',
  fields: [{ key: 'rows', label: fields.rows, kind: 'text' }],
  blank: { rows: 'Order | {{ order_id }}\nTotal | {{ amount }}' },
  summary: (block) => textValue(block, 'rows').split('\n').join(', '),
  mjml: (block) => {
    const line = 'border-bottom:1px solid #e5e7eb;padding:8px 0';
    const rows = rowsOf(textValue(block, 'rows')).map(
      ([name, value]) =>
        `<tr><td style="${line}">${inline(name)}</td><td align="right" style="${line}">${inline(value)}</td></tr>`,
    );
    return `<mj-table>${rows.join('')}</mj-table>`;
  },
};
