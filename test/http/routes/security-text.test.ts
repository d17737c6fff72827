// `/.well-known/security.txt` (RFC 9116).

import t from 'tap';
import { fakeFront } from './fake-front.ts';

t.test('the contact is there if the operator names one', async (t) => {
  const contact = 'mailto:security@acme.example';
  const front = fakeFront(() => undefined, {
    ENGAGE_SECURITY_CONTACT: contact,
    ENGAGE_PUBLIC_URL: 'https://push.acme.example',
  });
  const got = await front.call('GET /.well-known/security.txt');
  t.equal(got.status, 200);
  t.match(got.headers, { 'content-type': 'text/plain; charset=utf-8' });
  const [first, expires = '', canonical] = got.text.split('\n');
  t.equal(first, `Contact: ${contact}`);
  t.match(expires, /^Expires: \d{4}-\d\d-\d\dT00:00:00\.000Z$/);
  t.equal(canonical, 'Canonical: https://push.acme.example/.well-known/security.txt');
});

t.test('without one there is no such file', async (t) => {
  const front = fakeFront(() => undefined);
  t.match(await front.call('GET /.well-known/security.txt'), {
    status: 404,
    json: { code: 'not_found' },
  });
});
