// What proves a sender domain: every way in which a DNS panel, or an attacker, can get the record
// of a key nearly right.

import t from 'tap';
import { emailDomain } from '../../../../actors/channels/email/address.ts';
import {
  dkimRecordName,
  dkimRecordValue,
  judgeDkimRecord,
  judgeDmarcRecord,
} from '../../../../actors/tenants/accounts/dkim-record.ts';
import { below, seededRng } from '../../../../engine/base/rng.ts';

const key = 'MIIBIjANBgkqhkiG9w0BAQEFAAOCAQ8AMIIBCgKCAQEAq1/+w==';
const judge = (...texts: string[]) => judgeDkimRecord(key, { answer: 'records', texts });

t.test('a record proves the domain if a receiver would verify with it', async (t) => {
  for (const text of [
    dkimRecordValue(key),
    `v=DKIM1; k=rsa; p=${key};`,
    `v=DKIM1;k=rsa;p=${key}`,
    `  v = DKIM1 ;  p = ${key} ; `,
    `p=${key}`,
    `v=DKIM1; p=${key.slice(0, 9)} ${key.slice(9)}`,
    `v=DKIM1; h=sha1:sha256; s=email; t=s; n=a note; p=${key}`,
    `v=DKIM1; h=*; s=*; p=${key}`,
    `v=DKIM1; x=unknown; p=${key}`,
  ])
    t.match(judge(text), { status: 'found', found: [text] }, text);
});

t.test('any other record does not, and says why', async (t) => {
  const cases: readonly (readonly [string, RegExp])[] = [
    ['', /not a DKIM key/],
    ['v=spf1 -all', /not a DKIM key/],
    [key, /not a DKIM key/],
    ['v=DKIM1; k=rsa; p=', /revokes/],
    [`v=DKIM1; p=${key.slice(0, -8)}`, /another key/],
    [`v=DKIM1; p=${key.toLowerCase()}`, /another key/],
    [`v=DKIM1; p=${key}A`, /another key/],
    [`v=DKIM1; p="${key}"`, /another key/],
    [`"v=DKIM1; p=${key}"`, /not a DKIM key/],
    [`v=DKIM2; p=${key}`, /begin with v=DKIM1/],
    [`p=${key}; v=DKIM1`, /begin with v=DKIM1/],
    [`v=DKIM1; k=ed25519; p=${key}`, /k=rsa/],
    [`v=DKIM1; h=sha1; p=${key}`, /sha256/],
    [`v=DKIM1; s=other; p=${key}`, /email/],
    [`v=DKIM1; t=y:s; p=${key}`, /t=y/],
    [`v=DKIM1; p=${key}; p=x`, /not a DKIM key/],
  ];
  for (const [text, problem] of cases) t.match(judge(text), { status: 'wrong', problem }, text);
  t.match(judge(dkimRecordValue(key), 'v=spf1 -all'), { status: 'wrong', problem: /several/ });
});

t.test('no record is missing; no answer says nothing', async (t) => {
  t.match(judgeDkimRecord(key, { answer: 'none' }), { status: 'missing', found: [] });
  const failed = judgeDkimRecord(key, { answer: 'failed', reason: 'ESERVFAIL' });
  t.match(failed, { status: 'unanswered', problem: /ESERVFAIL/ });
});

t.test('a change of any character of the key is noticed', async (t) => {
  const rng = seededRng(11);
  const value = dkimRecordValue(key);
  const from = value.indexOf('p=') + 2;
  for (let round = 0; round < 500; round++) {
    const at = from + below(rng, value.length - from);
    const letter = 'ABCxyz019+/=;'[below(rng, 13)] as string;
    if (value[at] === letter) continue;
    const text = value.slice(0, at) + letter + value.slice(at + 1);
    const same = text.replace(/;\s*$/, '') === value; // a final semicolon
    t.equal(judge(text).status === 'found', same, text);
  }
});

t.test('what is kept of an answer is bounded', async (t) => {
  const { found } = judge(...Array.from({ length: 100 }, () => 'x'.repeat(60_000)));
  t.ok(found.length <= 4 && found.every((text) => text.length <= 1_025));
});

t.test('a DMARC policy is found among other texts, once', async (t) => {
  const dmarc = (...texts: string[]) => judgeDmarcRecord({ answer: 'records', texts }).status;
  t.equal(dmarc('v=DMARC1; p=reject'), 'found');
  t.equal(dmarc('google-site=1', 'v=DMARC1;p=none'), 'found');
  t.equal(dmarc('v=DMARC1; p=none', 'v=DMARC1; p=reject'), 'wrong');
  t.equal(dmarc('v=DMARC12; p=none'), 'missing');
  t.equal(judgeDmarcRecord({ answer: 'none' }).status, 'missing');
});

t.test('a domain has one spelling', async (t) => {
  for (const [raw, name] of [
    ['Acme.Example', 'acme.example'],
    [' acme.example. ', 'acme.example'],
    ['Bücher.example', 'xn--bcher-kva.example'],
    ['XN--BCHER-KVA.example', 'xn--bcher-kva.example'],
    ['例え。example', 'xn--r8jz45g.example'],
    ['a.b.c.example', 'a.b.c.example'],
  ] as const)
    t.same(emailDomain(raw), { value: name }, raw);
  const wrong = ['', '.', 'example', '.example.com', 'a..example', 'a.example..', '1.2.3.4'];
  const hostile = ['a b.example', 'a_b.example', '-a.example', 'a.example/x', 'x@a.example'];
  const sneaky = [
    'a.example\r\nBcc: x',
    'a.example\u0000',
    `${'a'.repeat(64)}.example`,
    '*.example',
  ];
  for (const raw of [...wrong, ...hostile, ...sneaky])
    t.match(emailDomain(raw), { problem: /domain name/ }, JSON.stringify(raw));
  t.equal(dkimRecordName('s', 'a.example'), 's._domainkey.a.example');
});
