// Domains of addresses: those that need no conversion are taken as they are, and equal to what the
// conversion gives.

import { domainToASCII } from 'node:url';
import fc from 'fast-check';
import t from 'tap';
import { emailAddress } from '../../../../actors/channels/email/address.ts';
import { tries } from '../../../support/tries.ts';

const part = fc.stringMatching(/^[a-zA-Z0-9\-xnüßé]{1,12}$/);
const domain = fc.array(part, { minLength: 1, maxLength: 4 }).map((parts) => parts.join('.'));

t.test('an address has the domain that the URL standard writes', async (t) => {
  fc.assert(
    fc.property(domain, (name) => {
      const checked = emailAddress(`ana@${name}`);
      return 'problem' in checked || checked.value === `ana@${domainToASCII(name)}`;
    }),
    { numRuns: tries(5_000) },
  );
  t.same(emailAddress('Ana@EXAMPLE.com'), { value: 'Ana@example.com' });
  t.same(emailAddress('ana@münchen.de'), { value: 'ana@xn--mnchen-3ya.de' });
  for (const wrong of ['ana@xn--zzzzzzzz--.de', 'ana@example', 'ana@example.123', 'ana@-a.com'])
    t.match(emailAddress(wrong), { problem: /email address/ }, wrong);
  t.match(emailAddress(`ana@${'a'.repeat(64)}.com`), { problem: /email address/ }, 'a long label');
  t.match(emailAddress(`ana@${'a.'.repeat(126)}com`), { problem: /email address/ }, 'a long name');
});

t.test('an address is read however a page, a file or a keyboard wrote it', async (t) => {
  for (const raw of [
    '\u200bana@example.com',
    'ana\u200b@exam\u00adple.com\u2060',
    '\u202aana@example.com\u202c',
    '\u2066\ufeffana@example.com\u2069',
    'ａｎａ＠ｅｘａｍｐｌｅ．ｃｏｍ',
    'ana＠example.com',
    '\u3000ana@example.com\u00a0',
    'mailto:ana@example.com',
    'MAILTO:ana@example.com',
  ])
    t.same(emailAddress(raw), { value: 'ana@example.com' }, JSON.stringify(raw));
  const others = [
    '<ana@example.com>',
    '<>',
    'mailto:',
    'mailto:a@b.com?bcc=c@d.com',
    'a@b.com, c@d.com',
  ];
  for (const raw of [
    ...others,
    'mailto:mailto:ana@example.com',
    'a\u200b\nb@example.com',
    'ánà@example.com',
  ])
    t.match(emailAddress(raw), { problem: /email address/ }, raw);
});
