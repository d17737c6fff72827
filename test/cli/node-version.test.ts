import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { nodeWarning } from '../../cli/node-version.ts';
import { root } from '../support/places.ts';

const in2026 = Date.UTC(2026, 10, 29);

t.test('the versions to run are nothing to speak of', async (t) => {
  for (const version of ['22.0.0', '22.23.5', '24.22.3'])
    t.equal(nodeWarning(version, in2026), undefined, version);
});

t.test('a version without fixes is named, with those to run instead', async (t) => {
  t.equal(
    nodeWarning('20.20.2', in2026),
    'Node 20 is out of support: it has had no security fixes since April 2026. Run Node 22 or 24.',
  );
  t.equal(nodeWarning('20.18.1', Date.UTC(2026, 3, 29)), undefined, 'before its last day');
  t.equal(
    nodeWarning('22.23.5', Date.UTC(2027, 4, 1)),
    'Node 22 is out of support: it has had no security fixes since April 2027. Run Node 24.',
  );
  t.match(nodeWarning('24.22.3', Date.UTC(2028, 4, 1)), /April 2028\. Run a long-term version/);
});

t.test('so is one that is too old, odd, or newer than the tests', async (t) => {
  const odd = (major: number) =>
    `Node ${major} is not a long-term version, and Engage is not tested on it. Run Node 22 or 24.`;
  const old = (version: string) =>
    `Engage needs Node 20.18.1 or newer, and this is ${version}. Run Node 22 or 24.`;
  const sentences = {
    '18.20.8': old('18.20.8'),
    '20.9.0': old('20.9.0'),
    '20.18.0': old('20.18.0'),
    '21.7.3': odd(21),
    '23.11.1': odd(23),
    '25.2.0': odd(25),
    '26.12.1': 'Engage is not tested on Node 26. Run Node 22 or 24.',
    '28.0.0-nightly': 'Engage is not tested on Node 28. Run Node 22 or 24.',
  };
  for (const [version, sentence] of Object.entries(sentences))
    t.equal(nodeWarning(version, in2026), sentence, version);
});

t.test('the oldest is the one that package.json names', async (t) => {
  const described = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  const [, oldest = ''] = /^>=(.*)$/.exec(described.engines.node) ?? [];
  t.notMatch(nodeWarning(oldest, in2026), /needs Node/);
  t.match(nodeWarning('20.0.0', in2026), oldest);
});
