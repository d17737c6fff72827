// What `npm test` shows of a run: files as they are done, failures with their diagnosis, a sum.

import { join } from 'node:path';
import { PassThrough, Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { pathToFileURL } from 'node:url';
import t from 'tap';
import { root } from './support/places.ts';

interface Report {
  tellReport(input: Readable, output: PassThrough): Promise<void>;
}

const { tellReport } = (await import(pathToFileURL(join(root, 'test/report.mjs')).href)) as Report;

async function told(tap: string): Promise<string> {
  const output = new PassThrough();
  const all = text(output);
  await tellReport(Readable.from([tap]), output);
  output.end();
  return all;
}

t.test('a run that passes is a line a file, and its assertions are counted once', async (t) => {
  const report = await told(`TAP version 14
# 2 files
# Subtest: dist/test/e2e/backup.test.js
    # Subtest: it keeps all
        ok 1 - one
        ok 2 - two
        1..2
    ok 1 - it keeps all # time=3ms
    ok 2 - no tool # SKIP gcc is missing
    1..2
ok 1 - dist/test/e2e/backup.test.js # time=18505.2ms

# Subtest: dist/test/together/actors-1.js
    ok 1 - flat
    1..1
ok 2 - dist/test/together/actors-1.js # time=310ms
`);
  t.match(report, /^ {4}1 of 2 {3}18\.5 s {2}test\/e2e\/backup\.test\.ts$/m);
  t.match(report, /^ {4}2 of 2 {4}0\.3 s {2}actors-1$/m);
  t.match(report, 'skipped: gcc is missing');
  t.match(report, '\n3 passed, 0 failed; 0 of 2 files failed, in 0.0 minutes\n');
});

t.test('a failure has its diagnosis and the names around it', async (t) => {
  const report = await told(`# 1 files
    # Subtest: outer
        ok 1 - fine
        not ok 2 - is 3
          ---
          diff: |
            -2
            +3
          ...
        ok 3 - fine again
        1..3
    not ok 1 - outer # time=4ms
      ---
      at: somewhere
      ...
    # Subtest: threw
        1..0
    not ok 2 - threw # time=1ms
      ---
      stack: somewhere
      ...
    1..2
not ok 1 - dist/test/words.test.js # time=12ms
  ---
  exitCode: 1
  ...
`);
  t.equal(
    report.slice(0, report.indexOf('✗')),
    `        not ok 2 - is 3
          ---
          diff: |
            -2
            +3
          ...
    not ok 1 - outer # time=4ms
    not ok 2 - threw # time=1ms
      ---
      stack: somewhere
      ...
`,
  );
  t.match(report, /^✗ {3}1 of 1 {4}0\.0 s {2}test\/words\.test\.ts$/m);
  t.match(report, '\n2 passed, 1 failed; 1 of 1 files failed, in');
});
