// The settings: all that is wrong in one go, each named, and no secret in a sentence.

import t from 'tap';
import { ConfigError, readConfig } from '../../http/config.ts';

function problems(environment: Readonly<Record<string, string>>): string[] {
  try {
    readConfig(environment);
    return [];
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    return error.message.split('\n');
  }
}

t.test('every wrong setting is named, in one go', async (t) => {
  t.same(
    problems({
      ENGAGE_MODE: 'test',
      ENGAGE_PORT: 'x',
      ENGAGE_TLS_KEY: '/k',
      ENGAGE_PROT: '1',
      ENGAGE_FCM_URL: 'nowhere',
    }),
    [
      'ENGAGE_MODE is "test": expected one of sandbox, live.',
      'ENGAGE_PORT is "x": expected a number.',
      'ENGAGE_PROT is not a setting of Engage; `engage config` lists all of them.',
      'ENGAGE_TLS_CERT, ENGAGE_TLS_KEY go together; ENGAGE_TLS_CERT is not set.',
      'ENGAGE_FCM_URL is "nowhere": expected an http or https address.',
    ],
  );
});

t.test('a secret is never shown', async (t) => {
  const [sentence = ''] = problems({ ENGAGE_BOOTSTRAP_TOKEN: 'hunter2' });
  t.match(sentence, /^ENGAGE_BOOTSTRAP_TOKEN is set to something: /);
  t.notMatch(sentence, /hunter2/);
});

t.test('an empty setting is one that is not set, also of those that go together', async (t) => {
  t.same(problems({ ENGAGE_PORT: '', ENGAGE_TLS_CERT: '', ENGAGE_TLS_KEY: '' }), []);
  t.equal(readConfig({ ENGAGE_PORT: '' }).port, 8400);
});

t.test('what belongs to a caller’s shell is no setting and no mistake', async (t) => {
  t.same(problems({ ENGAGE_APP: 'app_1', ENGAGE_KEY: 'ek_1', HOME: '/' }), []);
});
