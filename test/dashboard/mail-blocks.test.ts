import fc from 'fast-check';
import t from 'tap';
import { blockKinds, newBlock, starterDesign } from '../../dashboard/editor/blocks/kinds.ts';
import { mjmlOf } from '../../dashboard/editor/blocks/mjml.ts';
import { type Design, designOf, movedTo, usualLook } from '../../dashboard/editor/blocks/model.ts';

const designWith = (kind: string, values: Record<string, string>): Design => ({
  version: 1,
  look: usualLook,
  blocks: [{ id: 'a', kind, values }],
});

t.test('there are fourteen kinds, and each begins with something', async (t) => {
  t.equal(blockKinds.length, 14);
  for (const kind of blockKinds) {
    const design = { ...starterDesign(), blocks: [newBlock(kind, 'a')] };
    t.match(mjmlOf(design).source, /^<mjml>/, kind.id);
    t.strictSame(designOf(JSON.parse(JSON.stringify(design))), design, kind.id);
  }
});

t.test('Liquid is out of sight while the mail is made, and back in it after', async (t) => {
  const words = 'Hello {{ first_name | default: "you & me" }} <b>';
  const { source, restore } = mjmlOf(designWith('text', { words }));
  t.notMatch(source, /first_name|<b>/);
  t.match(restore(source), /Hello \{\{ first_name \| default: "you & me" \}\} &lt;b&gt;/);
});

t.test('what is typed adds no markup, except in a block of HTML', async () => {
  const kinds = blockKinds.filter(({ id }) => id !== 'html');
  fc.assert(
    fc.property(fc.constantFrom(...kinds), fc.string(), (kind, text) => {
      const typed = `${text}<script x="1">`;
      const values = Object.fromEntries(kind.fields.map(({ key }) => [key, typed]));
      return !mjmlOf(designWith(kind.id, values)).source.includes('<script');
    }),
  );
});

t.test('moving keeps every block, and stays within the list', async (t) => {
  const list = ['a', 'b', 'c'].map((id) => ({ id, kind: 'text', values: {} }));
  const ids = (from: number, to: number) => movedTo(list, from, to).map(({ id }) => id);
  t.strictSame(ids(0, 2), ['b', 'c', 'a']);
  t.strictSame(ids(2, 0), ['c', 'a', 'b']);
  t.strictSame(ids(0, -1), ['a', 'b', 'c']);
});
