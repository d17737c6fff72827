// Texts that are no Unicode: where the first of them stands.

import * as fc from 'fast-check';
import t from 'tap';
import { pathText } from '../../../../http/call/answer/errors.ts';
import { brokenText } from '../../../../http/call/body/well-formed.ts';
import { tries } from '../../../support/tries.ts';

const bytesOf = (json: string) => Buffer.from(json);

t.test('half a surrogate pair is found wherever it stands, and named', async (t) => {
  const cases: readonly (readonly [string, string | undefined])[] = [
    ['{"a":"\\ud83d\\ude00"}', undefined],
    ['{"a":"\\\\ud800"}', undefined],
    ['{"a":"😀"}', undefined],
    ['{"a":"\\ud800"}', 'a'],
    ['{"a":"\\uDC00"}', 'a'],
    ['{"a":"\\ude00\\ud83d"}', 'a'],
    ['{"a":[{"b":"x"},{"b":"x\\uDBFFx"}]}', 'a[1].b'],
    ['{"a":{"\\ud800":1}}', 'a'],
    ['{"\\ud800":1}', ''],
    ['"\\ud800"', ''],
    ['null', undefined],
  ];
  for (const [json, path] of cases) {
    const found = brokenText(JSON.parse(json), bytesOf(json));
    t.equal(found && pathText(found.path), path, json);
  }
});

t.test('any value is well-formed exactly if no text in it has a lone surrogate', async (t) => {
  const text = fc.string({ unit: fc.constantFrom('a', '\\', '"', '😀', '\ud83d', '\ude00') });
  const value = fc.letrec((tie) => ({
    any: fc.oneof({ maxDepth: 3 }, text, fc.integer(), tie('list'), tie('object')),
    list: fc.array(tie('any'), { maxLength: 4 }),
    object: fc.dictionary(text, tie('any'), { maxKeys: 4 }),
  })).any;
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(value, (any) => {
        // which escapes a lone surrogate, and nothing else of the range
        const json = JSON.stringify(any);
        const lone =
          /\p{Surrogate}/u.test(JSON.stringify(any).replace(/\\\\/g, '')) ||
          /\\u[dD][89a-fA-F]/.test(json.replace(/\\\\/g, ''));
        return (brokenText(JSON.parse(json), bytesOf(json)) !== undefined) === lone;
      }),
      { seed: 12, numRuns: tries(500) },
    ),
  );
});
