import t from 'tap';
import { flaggedAddress } from '../../../../actors/channels/email/address-flags.ts';
import { misspelledDomain } from '../../../../actors/channels/email/misspelled-domain.ts';

t.test('a slip of the finger in a large domain is found', async (t) => {
  const rows: Readonly<Record<string, string>> = {
    'gmail.com':
      'gmial.com gamil.com gmai.com gmaill.com gnail.com gmail.con gmail.co mgail.com gmali.com gmal.com gmil.com gmail.cmo gmail.comm',
    'hotmail.com': 'hotnail.com hotmial.com hotmil.com hotmai.com hotmaill.com homtail.com',
    'yahoo.com': 'yaho.com yhoo.com yahooo.com yaoo.com yahoo.cmo yahoo.con',
    'outlook.com': 'outlok.com otlook.com outloook.com outlook.cm',
    'icloud.com': 'iclod.com icoud.com icluod.com',
    'yahoo.co.uk': 'yahoo.co.ul yaho.co.uk',
    'orange.fr': 'ornage.fr orang.fr',
  };
  for (const [meant, written] of Object.entries(rows))
    for (const domain of written.split(' ')) t.equal(misspelledDomain(domain), meant, domain);
});

t.test('a domain that is somebody’s own is none', async (t) => {
  const real =
    'gmail.com ymail.com mail.com email.com fmail.com gmx.com gmx.de aol.com aol.de live.com live.co.uk me.com ' +
    'mac.com msn.com pm.me proton.me protonmail.com protonmail.ch hey.com yahoo.com.au yahoo.co.in yahoo.ca ' +
    'yahoo.com.vn yahoo.cn hotmail.be hotmail.co.il hotmail.com.br outlook.cz outlook.com.br icloud.com ' +
    'cloud.com gail.com.br gail.org hotels.com yandex.kz yandex.com.tr mail.ru qq.com 163.com 126.com ' +
    'hanmail2.net naver.com never.com daum.net web.de free.fr sfr.fr uol.com.br acme.example localhost';
  for (const domain of real.split(' ')) t.equal(misspelledDomain(domain), undefined, domain);
});

t.test('an address may have several flags, and most have none', async (t) => {
  t.equal(flaggedAddress('ada@example.com'), undefined);
  t.equal(flaggedAddress('information@example.com'), undefined);
  t.same(flaggedAddress('INFO+shop@example.com'), { flags: ['role'], domain: 'example.com' });
  t.same(flaggedAddress('no-reply@gmial.com'), {
    flags: ['typo', 'role'],
    domain: 'gmial.com',
    meant: 'gmail.com',
  });
  for (const domain of ['mailinator.com', 'inbox.mailinator.com', 'yopmail.com'])
    t.same(flaggedAddress(`a@${domain}`), { flags: ['disposable'], domain });
  for (const domain of ['duck.com', 'mozmail.com', 'privaterelay.appleid.com', 'simplelogin.com'])
    t.equal(
      flaggedAddress(`a@${domain}`),
      undefined,
      `${domain} forwards to a mailbox that is kept`,
    );
});
