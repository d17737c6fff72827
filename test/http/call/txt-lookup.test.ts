// Lookups over a real socket, at the sandbox's resolver: each kind of answer, and none.

import { createSocket } from 'node:dgram';
import t, { type Test } from 'tap';
import { dnsLookups } from '../../../http/call/txt-lookup.ts';
import { startDnsServer } from '../../../sandbox/dns/dns-server.ts';
import { Zone } from '../../../sandbox/dns/zone.ts';

async function rig(t: Test) {
  const zone = new Zone();
  const server = await startDnsServer(zone, '127.0.0.1', 0);
  t.teardown(() => server.close());
  const options = {
    servers: [`127.0.0.1:${server.port}`],
    timeoutMs: 100,
    deadlineMs: 1_000,
    waitMs: 300,
  };
  const { lookUpTxt: lookUpFor } = dnsLookups(options);
  const lookUp = (name: string, org = 1) => lookUpFor({ org }, name);
  return { zone, lookUp };
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
  const { lookUpTxt: nobody } = dnsLookups({ servers: [`127.0.0.1:${port}`], timeoutMs: 50 });
  t.match(await nobody({ org: 1 }, 'a.example'), { answer: 'failed' });
});

t.test('an org whose name servers are silent does not keep others waiting', async (t) => {
  const { zone, lookUp } = await rig(t);
  zone.add('TXT', 'k._domainkey.b.example', 'here');
  let silent = 0;
  const slow = Array.from({ length: 100 }, () =>
    lookUp('timeout.example').then(
      () => void silent++,
      (error) => void t.equal(error.fault.code, 'overloaded'),
    ),
  );
  t.same(await lookUp('k._domainkey.b.example', 2), { answer: 'records', texts: ['here'] });
  t.equal(silent, 0, 'none of the first org has ended');
  await Promise.all(slow);
});

t.test('an org with too many lookups gets a 503, never a wrong answer', async (t) => {
  const { lookUp } = await rig(t);
  const answers = await Promise.all(
    Array.from({ length: 140 }, () =>
      lookUp('nobody.example').then(
        ({ answer }) => answer,
        (error) => error.fault.code,
      ),
    ),
  );
  t.same(new Set(answers), new Set(['none', 'overloaded']));
  t.equal(answers.filter((one) => one === 'overloaded').length, 140 - 4 - 128);
});
