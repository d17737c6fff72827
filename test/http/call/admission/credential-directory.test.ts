// The directory says of every credential what a set of them would say, however many came and went,
// and learns those of every partition by pages.

import { createHash } from 'node:crypto';
import fc from 'fast-check';
import t from 'tap';
import { credentialMark } from '../../../../actors/tenants/accounts/credential-mark.ts';
import { CredentialDirectory } from '../../../../http/call/admission/credential-directory.ts';
import { tries } from '../../../support/tries.ts';

const hashOf = (n: number) => createHash('sha256').update(`secret ${n}`).digest();
const markOf = (n: number) => credentialMark(`id-${n}`, hashOf(n));

t.test('it knows what a set of them knows', async (t) => {
  const step = fc.record({ adds: fc.boolean(), from: fc.nat(2_000), count: fc.nat(900) });
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
        const directory = new CredentialDirectory();
        const model = new Set<number>();
        for (const { adds, from, count } of steps)
          for (let n = from; n < from + count; n++) {
            if (adds) directory.add({ marks: [markOf(n)] });
            else directory.remove(`id-${n}`, hashOf(n));
            if (adds) model.add(n);
            else model.delete(n);
          }
        for (let n = 0; n < 3_000; n += 7)
          if (directory.has(`id-${n}`, hashOf(n)) !== model.has(n)) return false;
        return true;
      }),
      { seed: 13, numRuns: tries(20) },
    ),
  );
});

t.test('a secret under another name is another credential', async (t) => {
  const directory = new CredentialDirectory();
  directory.add({ marks: [markOf(1)] });
  t.equal(directory.has('id-1', hashOf(1)), true);
  t.equal(directory.has('id-2', hashOf(1)), false);
  t.equal(directory.has('id-1', hashOf(2)), false);
});

t.test('it reads every page of every partition, and says which did not answer', async (t) => {
  const directory = new CredentialDirectory();
  const pages = [
    [
      { marks: [markOf(1)], next: 5 },
      { marks: [markOf(2)], next: null },
    ],
    undefined,
    [{ marks: [markOf(3)], next: null }],
  ];
  const asked: unknown[] = [];
  const router = {
    ask: async (to: number, message: object) => {
      asked.push([to, (message as { from: number }).from]);
      const page = pages[to]?.shift();
      return page === undefined ? { ok: false } : { ok: true, value: page };
    },
  };
  t.equal(await directory.load(router as never, 3), 1);
  t.same(asked, [
    [0, 0],
    [0, 5],
    [1, 0],
    [2, 0],
  ]);
  for (const n of [1, 2, 3]) t.ok(directory.has(`id-${n}`, hashOf(n)));
});
