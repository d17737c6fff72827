// Lookups over a real socket, at the sandbox's resolver: each kind of answer, and none.

import { createSocket } from 'node:dgram';
import t, { type Test } from 'tap';
import { txtLookup } from '../../../http/email-domains/txt-lookup.ts';
import { startDnsServer } from '../../../sandbox/dns/dns-server.ts';
import { Zone } from '../../../sandbox/dns/zone.ts';

async function rig(t: Test) {
  const zone = new Zone();
  const server = await startDnsServer(zone, '127.0.0.1', 0);
  t.teardown(() => server.close());
  const options = { servers: [`127.0.0.1:${server.port}`], timeoutMs: 100, deadlineMs: 1_000 };
  return { zone, lookUp: txtLookup(options) };
}

t.test('a text of several strings is one text, and several records are several', async (t) => {
  const { zone, lookUp } = await rig(t);
  const long = `v=DKIM1; p=${'x'.repeat(700)}`;
  zone.add('TXT', 'k._domainkey.a.example', long);
  t.same(await lookUp('k._domainkey.a.example'), { answer: 'records', texts: [long] });
  zone.add('TXT', 'K._DomainKey.A.example.', 'second');
  t.same(await lookUp('k._domainkey.a.example'), { answer: 'records', texts: [long, 'second'] });
  t.match(await lookUp('K._domainkey.A.EXAMPLE'), { answer: 'records' }, 'any case');
  t.match(await lookUp('k._domainkey.a.example.'), { answer: 'records' }, 'a final dot');
});

t.test('a chain of CNAMEs is followed to its end', async (t) => {
  const { zone, lookUp } = await rig(t);
  zone.add('CNAME', 'k._domainkey.a.example', 'a.keys.example.');
  zone.add('CNAME', 'a.keys.example', 'B.keys.example');
  t.same(await lookUp('k._domainkey.a.example'), { answer: 'none' }, 'it leads nowhere yet');
  zone.add('TXT', 'b.keys.example', 'here');
  t.same(await lookUp('k._domainkey.a.example'), { answer: 'records', texts: ['here'] });
  zone.add('CNAME', 'loop.example', 'pool.example');
  zone.add('CNAME', 'pool.example', 'loop.example');
  t.match(await lookUp('loop.example'), { answer: 'failed' });
});

t.test('no such name, and no such record, are answers', async (t) => {
  const { zone, lookUp } = await rig(t);
  t.same(await lookUp('k._domainkey.nobody.example'), { answer: 'none' });
  zone.add('TXT', 'below.a.example', 'x');
  t.same(await lookUp('a.example'), { answer: 'none' }, 'a name with something below it');
});

t.test('a failing or silent resolver is no answer, within the deadline', async (t) => {
  const { lookUp } = await rig(t);
  t.same(await lookUp('servfail.example'), { answer: 'failed', reason: 'ESERVFAIL' });
  const startedMs = performance.now();
  t.same(await lookUp('timeout.example'), { answer: 'failed', reason: 'ETIMEOUT' });
  t.ok(performance.now() - startedMs < 3_000);
  const closed = createSocket('udp4');
  await new Promise<void>((resolve) => closed.bind(0, '127.0.0.1', resolve));
  const { port } = closed.address();
  await new Promise<void>((resolve) => closed.close(() => resolve()));
  const nobody = txtLookup({ servers: [`127.0.0.1:${port}`], timeoutMs: 50 });
  t.match(await nobody('a.example'), { answer: 'failed' });
});

t.test('more lookups than the bound are not answered', async (t) => {
  const { lookUp } = await rig(t);
  const answers = await Promise.all(Array.from({ length: 70 }, () => lookUp('a.example')));
  const busy = answers.filter((one) => one.answer === 'failed' && one.reason === 'EBUSY');
  t.equal(busy.length, 6);
  t.same(await lookUp('a.example'), { answer: 'none' }, 'and there is room again');
});
