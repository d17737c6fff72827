// The contact that web push services see.

import t from 'tap';
import { readConfig } from '../../../http/process/config.ts';

t.test('the contact is the operator’s, else the public host', async (t) => {
  const of = (environment: Readonly<Record<string, string>>) =>
    readConfig(environment).vapidSubject;
  const publicUrl = { ENGAGE_PUBLIC_URL: 'http://engage.example.com:8443/base' };
  t.equal(of(publicUrl), 'https://engage.example.com');
  const own = { ENGAGE_VAPID_SUBJECT: 'mailto:ops@example.com' };
  t.equal(of({ ...publicUrl, ...own }), 'mailto:ops@example.com');
  t.equal(of({}), 'https://127.0.0.1');
  for (const wrong of [
    'ops@example.com',
    'mailto:ops',
    'mailto:',
    'mailto:<ops@example.com>',
    'mailto:Ops <ops@example.com>',
    'mailto:a@example.com,b@example.com',
    'https://',
    'http://a.example',
  ])
    t.throws(() => of({ ENGAGE_VAPID_SUBJECT: wrong }), /^ENGAGE_VAPID_SUBJECT is /, wrong);
});
