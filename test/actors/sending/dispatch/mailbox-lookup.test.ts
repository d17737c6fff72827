// Whose mailbox an address has: by domain at once, by mail exchangers as soon as they are known.

import t from 'tap';
import { MailboxLookup } from '../../../../actors/sending/dispatch/mailbox-lookup.ts';
import { dayMs, hourMs } from '../../../../engine/base/brand.ts';
import { hash32 } from '../../../../engine/base/hash.ts';

/** A resolver whose answers the test gives. */
function resolving() {
  const asked: { domain: string; answer(...names: string[]): void; fail(): void }[] = [];
  const clock = { nowMs: 1_000 };
  const lookup = new MailboxLookup(
    (domain) =>
      new Promise((resolve, reject) => {
        asked.push({
          domain,
          answer: (...names) => resolve(names),
          fail: () => reject(new Error('ENOTFOUND')),
        });
      }),
    () => clock.nowMs,
  );
  return { asked, clock, lookup };
}

const settled = () => new Promise<void>((resolve) => setImmediate(resolve));

t.test(
  "a provider's own domain, and names that nobody can have, are never looked up",
  async (t) => {
    const { asked, lookup } = resolving();
    t.same(lookup.of('gmail.com'), { group: 'gmail' });
    for (const domain of ['yahoo.co.jp', 'shop.test', 'example.com', 'a.example.org', 'localhost'])
      t.same(lookup.of(domain), { group: 'others' }, domain);
    t.same(asked, []);
  },
);

t.test(
  'no mail waits: a hosted domain is one of the others until its answer is there',
  async (t) => {
    const { asked, clock, lookup } = resolving();
    t.same(lookup.of('acme.io'), { group: 'others' });
    t.same(lookup.of('acme.io'), { group: 'others' });
    t.equal(asked.length, 1, 'asked once');
    asked[0]?.answer('ALT1.ASPMX.L.GOOGLE.COM.', 'aspmx.l.google.com');
    await settled();
    const found = { group: 'gmail', hosted: hash32('acme.io') };
    t.same(lookup.of('acme.io'), found);
    clock.nowMs += dayMs;
    t.same(lookup.of('acme.io'), found, 'the older answer counts while it is asked again');
    t.equal(asked.length, 2);
    asked[1]?.answer('acme-io.mail.protection.outlook.com');
    await settled();
    t.match(lookup.of('acme.io'), { group: 'microsoft' });
  },
);

t.test('a look-up without an answer is repeated an hour later', async (t) => {
  const { asked, clock, lookup } = resolving();
  lookup.of('gone.io');
  asked[0]?.fail();
  await settled();
  t.same(lookup.of('gone.io'), { group: 'others' });
  clock.nowMs += hourMs - 1;
  lookup.of('gone.io');
  t.equal(asked.length, 1);
  clock.nowMs += 1;
  lookup.of('gone.io');
  t.equal(asked.length, 2);
});

t.test(
  'a resolver that never answers gets sixteen questions at once, and memory is bounded',
  async (t) => {
    const { asked, lookup } = resolving();
    for (let i = 0; i < 30_000; i++) lookup.of(`d${i}.io`);
    t.equal(asked.length, 16);
    asked[0]?.answer('mx1.mail.icloud.com');
    await settled();
    t.equal(asked.length, 17);
    t.match(lookup.of('d0.io'), { group: 'apple' });
  },
);
