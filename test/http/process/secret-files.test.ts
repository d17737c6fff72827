// Secrets whose values stand in files.

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { ConfigError, readConfig, variables } from '../../../http/process/config.ts';
import { fileNameOf } from '../../../http/process/secret-files.ts';

const secretNames = Object.entries(variables).flatMap(([name, one]) =>
  'secret' in one ? name : [],
);
const token = 'a-token-of-more-than-16-letters';

function problemsOf(environment: Record<string, string>): string {
  try {
    readConfig(environment);
    return '';
  } catch (error) {
    if (error instanceof ConfigError) return error.message;
    throw error;
  }
}

t.test('the value of each secret may stand in a file', async (t) => {
  const place = t.testdir({
    token: `${token}\n`,
    windows: `${token}\r\n`,
    notepad: `\ufeff${token}\r\n`,
    url: 'smtp://a:b@c.example',
  });
  for (const file of ['token', 'windows', 'notepad']) {
    const config = readConfig({ ENGAGE_BOOTSTRAP_TOKEN_FILE: join(place, file) });
    t.equal(config.bootstrapToken, token);
  }
  const smtp = { ENGAGE_SMTP_URL_FILE: join(place, 'url') };
  t.equal(readConfig(smtp).smtpUrl, 'smtp://a:b@c.example');
  t.ok(secretNames.length >= 5);
  for (const name of secretNames)
    t.match(
      problemsOf({ [fileNameOf(name)]: join(place, 'none') }),
      /_FILE is .*no such file/,
      name,
    );
  t.equal(problemsOf({ ENGAGE_MASTER_KEY_FILE: '' }), '', 'an empty setting is none');
});

t.test('a file that cannot be used stops the start with a sentence', async (t) => {
  const place = t.testdir({ empty: '\n', lines: 'one\ntwo\n' });
  mkdirSync(join(place, 'folder'));
  writeFileSync(join(place, 'large'), 'x'.repeat(70_000));
  writeFileSync(join(place, 'latin'), Buffer.from('a-token-of-more-than-16-l\xe9tters', 'latin1'));
  writeFileSync(join(place, 'powershell'), Buffer.from(`\ufeff${token}`, 'utf16le'));
  const cases: [string, RegExp][] = [
    ['latin', /expected text in UTF-8/],
    ['powershell', /expected text in UTF-8/],
    ['empty', /is empty/],
    ['lines', /one line/],
    ['folder', /is a directory/],
    ['large', /at most 65536 bytes/],
  ];
  for (const [file, words] of cases)
    t.match(problemsOf({ ENGAGE_BOOTSTRAP_TOKEN_FILE: join(place, file) }), words, file);
  const both = { ENGAGE_BOOTSTRAP_TOKEN: token, ENGAGE_BOOTSTRAP_TOKEN_FILE: join(place, 'lines') };
  t.match(problemsOf(both), /ENGAGE_BOOTSTRAP_TOKEN and ENGAGE_BOOTSTRAP_TOKEN_FILE are both set/);
  t.match(problemsOf({ ENGAGE_PORT_FILE: 'x' }), /is not an Engage setting/);
  t.notMatch(problemsOf({ ENGAGE_BOOTSTRAP_TOKEN_FILE: join(place, 'lines') }), /one\ntwo/);
});

t.test('a value of a file is judged like one of the environment', async (t) => {
  const place = t.testdir({ short: 'short' });
  const problems = problemsOf({ ENGAGE_BOOTSTRAP_TOKEN_FILE: join(place, 'short') });
  t.match(problems, /ENGAGE_BOOTSTRAP_TOKEN is set to a value: expected at least 16 characters/);
});
