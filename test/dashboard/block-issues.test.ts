import t from 'tap';
import { blockIssuesOf, headId } from '../../dashboard/editor/blocks/block-issues.ts';
import { type Design, usualLook } from '../../dashboard/editor/blocks/model.ts';

const design: Design = {
  version: 1,
  look: usualLook,
  preheader: 'For {{ nmae }}',
  blocks: [
    { id: 'a', kind: 'text', values: { words: 'Hello,\nyour {{ plann }} plan' } },
    {
      id: 'b',
      kind: 'columns',
      values: {},
      columns: [[{ id: 'c', kind: 'button', values: { label: 'Go', href: '{{ plann }}' } }]],
    },
  ],
};
const warning = (column: number, error: string) =>
  ({ level: 'warning', line: 1, column, error }) as const;

t.test('a problem of the made mail is told at the fields that have its words', async (t) => {
  const body = '<p>Hello,<br />your {{ plann }} plan</p><a href="{{ plann }}">Go</a>';
  const at = body.indexOf('plann') + 1;
  const { byBlock, rest } = blockIssuesOf(design, body, [
    warning(at, 'undefined variable: plann'),
    warning(body.lastIndexOf('plann') + 1, 'undefined variable: plann'),
  ]);
  t.strictSame(rest, []);
  t.strictSame(byBlock.get('a')?.get('words'), [
    { level: 'warning', line: 2, column: 6, error: 'undefined variable: plann' },
  ]);
  t.match(byBlock.get('c')?.get('href'), [{ line: 1, column: 1 }]);
});

t.test('the preview text has its problems too, and an open tag is found', async (t) => {
  const body = '<div>For {{ nmae }}</div><p>{{ open</p>';
  const open = { id: 'd', kind: 'text', values: { words: 'x {{ open' } };
  const { byBlock } = blockIssuesOf({ ...design, blocks: [open] }, body, [
    warning(body.indexOf('nmae') + 1, 'undefined variable: nmae'),
    { level: 'error', line: 1, column: body.indexOf('{{ open') + 1, error: 'not closed' },
  ]);
  t.ok(byBlock.get(headId)?.has('preheader'));
  t.match(byBlock.get('d')?.get('words'), [{ level: 'error', column: 3 }]);
});

t.test('what no block can be blamed for is told of the whole', async (t) => {
  const { rest } = blockIssuesOf(design, '<p>{{ other }}</p>', [warning(7, 'undefined: other')]);
  t.strictSame(rest, [{ level: 'warning', error: 'undefined: other' }]);
});
