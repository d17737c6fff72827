// Members named twice are found wherever they are, and nothing else is.

import fc from 'fast-check';
import t from 'tap';
import { repeatedMember } from '../../../../http/call/body/repeated-member.ts';

t.test('a member that is named twice is found, by its path', async (t) => {
  for (const [text, path] of [
    ['{"filter":{"all":[],"all":[]}}', 'filter.all'],
    ['{"filter":{"all":[{"tag":"a","eq":1,"eq":2}]}}', 'filter.all[0].eq'],
    ['{"filter":{},"name":"x","filter":{}}', 'filter'],
    ['{"a":[1,[2,{"b":"}","b":1}]]}', 'a[1][1].b'],
    ['{"a":1,"\\u0061":2}', 'a'],
    ['[{"a":1},{"a":{"a":1},"a":2}]', '[1].a'],
    [' { "a" : "\\"" , "a" : null } ', 'a'],
  ] as const)
    t.equal(repeatedMember(text), path, text);
});

t.test('what any value is written as names nothing twice', async (t) => {
  fc.assert(
    fc.property(fc.jsonValue(), fc.constantFrom(undefined, 2), (value, indent) => {
      const text = JSON.stringify(value, undefined, indent);
      t.equal(repeatedMember(text), undefined);
      const twice = `{"x":${text},"y":[${text},{"z":1,"q":${text},"z":2}]}`;
      t.equal(repeatedMember(twice), 'y[1].z');
    }),
  );
});
