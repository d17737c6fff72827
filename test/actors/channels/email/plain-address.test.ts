import fc from 'fast-check';
import t from 'tap';
import { emailAddress } from '../../../../actors/channels/email/address.ts';
import { isPlainAddress } from '../../../../actors/channels/email/plain-address.ts';
import { tries } from '../../../support/tries.ts';

function isPlain(text: string): boolean {
  const bytes = Buffer.from(`"${text}"`);
  return isPlainAddress(bytes, 1, bytes.length - 1);
}

const label = fc.oneof(
  { weight: 5, arbitrary: fc.constantFrom('mail', 'example', 'com', 'x', '4you', 'a-b') },
  {
    weight: 2,
    arbitrary: fc.constantFrom('', '-a', 'a-', 'a--b', 'xn--a', 'Com', '12', 'ü', '_a', 'a b'),
  },
  { weight: 1, arbitrary: fc.constantFrom('y'.repeat(63), 'z'.repeat(64)) },
);
const local = fc.oneof(
  { weight: 4, arbitrary: fc.constantFrom('ada', 'Ada.L', 'a+b', 'a_b-c', '1', 'w'.repeat(64)) },
  {
    weight: 1,
    arbitrary: fc.constantFrom('', '.a', 'a.', 'a..b', "o'b", 'é', 'v'.repeat(65), '@'),
  },
);
const address = fc
  .tuple(local, fc.array(label, { minLength: 1, maxLength: 5 }))
  .map(([local, labels]) => `${local}@${labels.join('.')}`);

t.test('what is plain is the normal form of itself', async (t) => {
  let plain = 0;
  fc.assert(
    fc.property(fc.oneof(address, fc.string({ maxLength: 12 })), (text) => {
      if (!isPlain(text)) return true;
      plain++;
      const normal = emailAddress(text);
      return 'value' in normal && normal.value === text;
    }),
    { numRuns: tries(20_000) },
  );
  t.ok(plain > tries(1_000), `${plain} were plain`);
});

t.test('most addresses are plain', async (t) => {
  for (const text of ['ada@example.com', 'Ada.Lovelace+x@mail.example.co.uk', 'a_1@x-y.io'])
    t.ok(isPlain(text), text);
  for (const text of ['', '@', 'a@', 'a@b', '@b.co', 'a@b.co.', 'a@@b.co', 'a@B.co', 'a@b.1'])
    t.notOk(isPlain(text), text);
  const longest = `${'w'.repeat(64)}@${'y'.repeat(63)}.${'y'.repeat(63)}.${'y'.repeat(57)}.com`;
  t.equal(longest.length, 254);
  t.ok(isPlain(longest));
  t.notOk(isPlain(longest.replace('.com', '.comm')));
});
