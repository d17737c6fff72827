// What a tag may be, and what is said of one that may not.

import t from 'tap';
import { checkTags, mergeTags } from '../../../../actors/people/audience/tags.ts';

const problem = (tags: Record<string, unknown>) => checkTags(tags)?.message;

t.test('tags are strings, numbers, booleans and lists of strings; null removes one', async (t) => {
  const tags = { a: 'x', b: 1.5, c: false, d: ['x', 'y'], e: null, 'ป้าย 😀': 'ค่า 😀', f: '' };
  t.equal(problem(tags), undefined);
  for (const value of [{}, [1], Number.NaN, undefined]) {
    t.match(problem({ a: value }), /^tags\.a: (expected|a list)/);
  }
  t.same(mergeTags({ a: 'x', b: 1 }, { a: null, c: ['y'] }), { b: 1, c: ['y'] });
});

t.test('a key has 1 to 64 characters, and not the form of a reserved one', async (t) => {
  t.match(problem({ '': 1 }), /^tags\.: a tag key must have 1 to/);
  t.match(problem({ ['x'.repeat(300)]: 1 }), /: a tag key must have 1 to \d+ characters$/);
  t.equal(problem({ $a: 1 }), 'tags.$a: keys that start with $ are reserved');
  t.equal(problem({ constructor: 1 }), 'tags.constructor: this key is not allowed');
});

t.test('a key holds no control characters, not even to be removed', async (t) => {
  for (const control of ['\0', '\t', '\n', '\u001b', '\u007f', '\u0085', '\u009f']) {
    const key = `a${control}`;
    t.equal(problem({ [key]: 1 }), `tags.${key}: must not contain control characters`);
    t.equal(problem({ [key]: null }), `tags.${key}: must not contain control characters`);
  }
});

t.test('a value may have tabs and line breaks, and no other control character', async (t) => {
  t.equal(problem({ a: 'x\ty\r\nz\u0085\u007f' }), undefined);
  for (const control of ['\0', '\b', '\v', '\f', '\u001b', '\u001f']) {
    t.equal(problem({ a: `x${control}` }), 'tags.a: must not contain control characters');
    t.equal(problem({ a: ['x', `${control}y`] }), 'tags.a: must not contain control characters');
  }
});

t.test('half a character is refused in keys and values', async (t) => {
  t.equal(problem({ 'a\ud83d': 1 }), 'tags.a\ufffd: expected valid Unicode');
  t.equal(problem({ a: 'x\ude00' }), 'tags.a: expected valid Unicode');
  t.equal(problem({ a: ['x', '\ud800y'] }), 'tags.a: expected valid Unicode');
});
