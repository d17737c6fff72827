// The contact that web push services see.

import t from 'tap';
import { readConfig } from '../../http/config.ts';
import { isLocalSubject } from '../../http/vapid-subject.ts';

t.test('the contact is the operator’s, else the public host', async (t) => {
  const of = (environment: Readonly<Record<string, string>>) =>
    readConfig(environment).vapidSubject;
  const publicUrl = { ENGAGE_PUBLIC_URL: 'http://engage.example.com:8443/base' };
  t.equal(of(publicUrl), 'https://engage.example.com');
  const own = { ENGAGE_VAPID_SUBJECT: 'mailto:ops@example.com' };
  t.equal(of({ ...publicUrl, ...own }), 'mailto:ops@example.com');
  t.equal(of({}), 'https://127.0.0.1');
  for (const wrong of ['ops@example.com', 'mailto:ops', 'mailto:', 'https://', 'http://a.example'])
    t.throws(() => of({ ENGAGE_VAPID_SUBJECT: wrong }), /^ENGAGE_VAPID_SUBJECT is /, wrong);
});

t.test('a contact on this machine is known', async (t) => {
  const cases = {
    'mailto:postmaster@localhost': true,
    'mailto:postmaster@LOCALHOST.': true,
    'mailto:root@localhost.localdomain?subject=a': true,
    'mailto:root@app.localhost': true,
    'mailto:root@[127.0.0.1]': true,
    'https://localhost': true,
    'https://127.0.0.1': true,
    'https://127.8.8.8': true,
    'https://0.0.0.0': true,
    'https://[::1]': true,
    'https://[::]': true,
    'mailto:ops@example.com': false,
    'mailto:localhost@example.com?subject=localhost': false,
    'https://engage.example.com': false,
    'https://notlocalhost': false,
    'https://127.0.0.1.example.com': false,
  };
  for (const [subject, isLocal] of Object.entries(cases))
    t.equal(isLocalSubject(subject), isLocal, subject);
});
