// HTML as it is.

import type { BlockKind } from '../kind.ts';
import { textValue } from '../model.ts';
import { words } from '../words.ts';

const { fields } = words;

export const html: BlockKind = {
  id: 'html',
  label: words.kinds.html,
  icon: 'code',
  fields: [{ key: 'code', label: fields.code, kind: 'html', hint: fields.codeHint }],
  blank: { code: '<p>Your own HTML</p>' },
  summary: (block) => textValue(block, 'code'),
  mjml: (block) => `<mj-text padding="0 25px">${textValue(block, 'code')}</mj-text>`,
};
