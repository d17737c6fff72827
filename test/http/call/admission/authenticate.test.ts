// A key's lookup and its deletion may overlap: what was deleted meanwhile is neither kept nor used.

import t from 'tap';
import type { Answer } from '../../../../engine/actor/message.ts';
import { Authenticator, makeKey } from '../../../../http/call/admission/authenticate.ts';
import { CredentialDirectory } from '../../../../http/call/admission/credential-directory.ts';
import { testClock } from '../../../support/partition.ts';

/** Lookups wait until the test answers them. */
function aScene() {
  const { text, keyId, secretHash } = makeKey(7);
  const asked: ((answer: Answer) => void)[] = [];
  const authenticator = new Authenticator({
    router: () => ({ ask: () => new Promise((resolve) => asked.push(resolve)) }) as never,
    clock: testClock(),
    directory: new CredentialDirectory(),
    bootstrapToken: 'token',
  });
  const found = (scopes: readonly string[]): Answer => ({
    ok: true,
    value: { secretHash, scopes },
  });
  const none: Answer = { ok: true, value: null };
  return { text, keyId, authenticator, asked, found, none };
}

const settled = () => new Promise((resolve) => setImmediate(resolve));

t.test('a key that was found in the turn of its deletion does not work', async (t) => {
  const { text, keyId, authenticator, asked, found, none } = aScene();
  const looked = authenticator.look(text);
  authenticator.drop([keyId]); // the turn's notice is there before its answers
  asked.shift()?.(found(['admin']));
  await settled();
  t.equal(asked.length, 1, 'it is looked up again');
  asked.shift()?.(none);
  t.equal(await looked, null);
  t.equal(authenticator.known(text), null);
});

t.test('a change during a lookup is in the grant that is kept', async (t) => {
  const { text, keyId, authenticator, asked, found } = aScene();
  const looks = [authenticator.look(text), authenticator.look(text)];
  authenticator.drop(['another', keyId]);
  for (const answer of asked.splice(0)) answer(found(['old']));
  await settled();
  t.equal(asked.length, 2);
  authenticator.drop(['another']);
  for (const answer of asked.splice(0)) answer(found(['new']));
  for (const grant of await Promise.all(looks)) t.match(grant, { scopes: ['new'] });
  t.match(authenticator.known(text), { scopes: ['new'] });
});

t.test('a lookup that fails leaves nothing behind', async (t) => {
  const { text, authenticator, asked, found } = aScene();
  const looked = authenticator.look(text);
  asked.shift()?.({ ok: false, fault: { code: 'overloaded', message: 'busy' } });
  await t.rejects(looked, { message: 'busy' });
  const again = authenticator.look(text);
  asked.shift()?.(found(['read']));
  t.match(await again, { scopes: ['read'] });
});

t.test('what ended since its last look-up is known to have', async (t) => {
  const { text, keyId, authenticator, asked, found } = aScene();
  t.notOk(authenticator.isDropped(keyId), 'nobody looked');
  const looked = authenticator.look(text);
  asked.shift()?.(found(['read']));
  await looked;
  t.notOk(authenticator.isDropped(keyId));
  authenticator.drop([keyId]);
  t.ok(authenticator.isDropped(keyId));
  const again = authenticator.look(text);
  asked.shift()?.(found(['read']));
  await again;
  t.notOk(authenticator.isDropped(keyId), 'it was looked up again');
});
