// Words after a command are taken strictly: what is not known is a mistake, never ignored.

import t from 'tap';
import { UsageError } from '../../cli/command.ts';
import { bytesText } from '../../cli/progress.ts';
import { parseWords } from '../../cli/words.ts';

t.test('options take their value as the next word or after an equals sign', async (t) => {
  const both = [
    parseWords(['a', '--into', 'b'], ['into']),
    parseWords(['--into=b', 'a'], ['into']),
  ];
  for (const { positionals, options } of both) {
    t.same(positionals, ['a']);
    t.equal(options.get('into'), 'b');
  }
  t.equal(parseWords(['--into=a=b'], ['into']).options.get('into'), 'a=b');
  t.equal(parseWords(['--json'], [], ['json']).options.get('json'), '');
});

t.test('an unknown, repeated or incomplete option is a usage error', async (t) => {
  for (const words of [
    ['--other'],
    ['-i'],
    ['--into'],
    ['--into='],
    ['--into', 'a', '--into', 'b'],
    ['--json=1'],
  ])
    t.throws(() => parseWords(words, ['into'], ['json']), UsageError, words.join(' '));
});

t.test('sizes read as a person would say them', async (t) => {
  t.same([0, 999, 1000, 1_234_567, 5e9].map(bytesText), [
    '0 bytes',
    '999 bytes',
    '1.0 kB',
    '1.2 MB',
    '5.0 GB',
  ]);
});
