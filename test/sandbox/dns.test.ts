// The sandbox's DNS by its control routes and over its own socket, and the verifier of signatures
// that reads its keys.

import { generateKeyPairSync } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { Resolver } from 'node:dns/promises';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { buffer } from 'node:stream/consumers';
import DKIM from 'nodemailer/lib/dkim';
import t from 'tap';
import { below, seededRng } from '../../engine/base/rng.ts';
import { readQuestion } from '../../sandbox/dns/dns-message.ts';
import { Zone } from '../../sandbox/dns/zone.ts';
import { zoneIn } from '../../sandbox/dns/zone-file.ts';
import { verifyDkim } from '../../sandbox/email/dkim-verify.ts';
import { withSandbox } from './with-sandbox.ts';

t.test('records are added one by one, or as the API returns them', async (t) => {
  const { call, dnsServers } = await withSandbox(t);
  const one = { name: 'A.Example.', value: 'hello' };
  t.match((await call('POST', '/control/dns', one)).json, {
    records: [{ id: 1, type: 'TXT', name: 'a.example', value: 'hello' }],
  });
  const records = [
    { purpose: 'dkim', type: 'TXT', name: 's._domainkey.b.example', value: 'x'.repeat(600) },
    { type: 'CNAME', name: 'c.example', value: 'A.example.' },
  ];
  t.equal((await call('POST', '/control/dns', { domain: 'b.example', records })).status, 201);
  const again = await call('POST', '/control/dns', one);
  t.equal(again.json.records.length, 3, 'a record that is there is not added again');
  const resolver = new Resolver({ timeout: 1_000, tries: 2 });
  resolver.setServers(dnsServers);
  t.same(await resolver.resolveTxt('c.example'), [['hello']]);
  t.same(await resolver.resolveCname('c.example'), ['a.example']);
  t.same(
    (await resolver.resolveTxt('s._domainkey.b.example'))[0]?.map(({ length }) => length),
    [255, 255, 90],
  );
  await t.rejects(resolver.resolve4('a.example'), { code: 'ENODATA' });
  t.equal((await call('DELETE', '/control/dns/1')).json.records.length, 2);
  t.equal((await call('DELETE', '/control/dns/1')).status, 404);
  await t.rejects(resolver.resolveTxt('a.example'), { code: 'ENOTFOUND' });
  t.same((await call('POST', '/control/reset')).json, { reset: true });
  t.same((await call('GET', '/control/dns')).json.records, []);
});

t.test('a bad record is refused by name', async (t) => {
  const { call } = await withSandbox(t);
  const cases: readonly (readonly [object, RegExp])[] = [
    [{}, /^name/],
    [{ name: 'x', value: 'y' }, /name/],
    [{ name: 'a b.example', value: 'y' }, /name/],
    [{ name: 'bücher.example', value: 'y' }, /punycode/],
    [{ name: 'a.example', value: '' }, /value/],
    [{ name: 'a.example', value: 'x'.repeat(1_001) }, /value/],
    [{ type: 'MX', name: 'a.example', value: 'y' }, /type/],
    [{ type: 'CNAME', name: 'a.example', value: 'not a name' }, /value/],
    [{ records: [] }, /records/],
    [{ records: [{ name: 'a.example' }] }, /value/],
  ];
  for (const [body, error] of cases) {
    const reply = await call('POST', '/control/dns', body);
    t.match(reply, { status: 400, json: { error } }, JSON.stringify(body).slice(0, 60));
  }
  t.same((await call('GET', '/control/dns')).json.records, []);
});

t.test('any bytes are read or ignored, and the resolver answers on', async (t) => {
  const { call, dnsServers } = await withSandbox(t);
  await call('POST', '/control/dns', { name: 'a.example', value: 'hello' });
  const port = Number(dnsServers[0]?.split(':')[1]);
  const socket = createSocket('udp4');
  t.teardown(() => socket.close());
  const rng = seededRng(5);
  for (let i = 0; i < 500; i++) {
    const bytes = Buffer.from(Array.from({ length: below(rng, 60) }, () => below(rng, 256)));
    t.doesNotThrow(() => readQuestion(bytes));
    socket.send(bytes, port, '127.0.0.1');
  }
  const resolver = new Resolver({ timeout: 1_000, tries: 3 });
  resolver.setServers(dnsServers);
  t.same(await resolver.resolveTxt('a.example'), [['hello']]);
});

t.test('records are there again at the next start, unless the file is damaged', async (t) => {
  const directory = mkdtempSync(join(tmpdir(), 'engage-dns-'));
  t.teardown(() => rmSync(directory, { recursive: true, force: true }));
  const lines: string[] = [];
  const open = () => zoneIn(join(directory, 'sandbox'), (line) => lines.push(line));
  const zone = open();
  zone.add('TXT', 'a.example', 'one');
  zone.add('CNAME', 'b.example', 'a.example');
  const gone = zone.add('TXT', 'c.example', 'three');
  zone.remove(gone?.id ?? 0);
  t.match(open().records, [
    { id: 1, type: 'TXT', name: 'a.example', value: 'one' },
    { id: 2, type: 'CNAME', name: 'b.example', value: 'a.example' },
  ]);
  open().clear();
  t.same(open().records, []);
  t.same(lines, []);
  writeFileSync(join(directory, 'sandbox', 'dns.json'), '[{"type"');
  t.same(open().records, []);
  t.match(lines, [/cannot be read/]);
});

t.test('there is a bound on records', async (t) => {
  const zone = new Zone();
  for (let i = 0; i < 500; i++) zone.add('TXT', `n${i}.example`, 'x');
  t.equal(zone.add('TXT', 'more.example', 'x'), undefined);
  t.match(zone.add('TXT', 'n0.example', 'x'), { id: 1 });
});

t.test('the verifier agrees with another signer, and notices every change', async (t) => {
  const { privateKey, publicKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  const p = publicKey.export({ type: 'spki', format: 'der' }).toString('base64');
  const keys: Record<string, string> = { 's._domainkey.acme.example': `v=DKIM1; k=rsa; p=${p}` };
  const judge = (mail: string) =>
    verifyDkim(mail, (name) => (keys[name] === undefined ? [] : [keys[name]]));
  const signer = new DKIM({
    domainName: 'acme.example',
    keySelector: 's',
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  });
  const plain =
    'From: Ada <ada@acme.example>\r\nTo: b@c.example\r\nSubject:  a   b\r\n c\r\n\r\nHello \t you \r\n\r\n\r\n';
  const mail = (await buffer(signer.sign(Readable.from([plain])))).toString('latin1');
  t.match(judge(mail), [{ domain: 'acme.example', result: 'pass', aligned: true }]);
  for (const [from, to] of [
    ['Hello', 'Hallo'],
    ['ada@acme', 'eve@acme'],
    ['Subject:  a', 'Subject:  x'],
    ['d=acme.example', 'd=evil.example'],
  ] as const)
    t.notMatch(judge(mail.replace(from, to)), [{ result: 'pass' }], `${from} → ${to}`);
  const foreign = mail.replace('<ada@acme.example>', '<ada@xacme.example>');
  t.match(judge(foreign), [{ result: 'fail', aligned: false }]);
  t.same(judge(plain), []);
  keys['s._domainkey.acme.example'] = 'v=DKIM1; p=';
  t.match(judge(mail), [{ result: 'fail' }]);
  delete keys['s._domainkey.acme.example'];
  t.match(judge(mail), [{ result: 'no_key' }]);
});
