import fc from 'fast-check';
import t from 'tap';
import {
  EndpointIndex,
  type EndpointKey,
  hashEndpoint,
  kindCode,
} from '../../../../actors/people/audience/endpoint-index.ts';
import { tries } from '../../../support/tries.ts';

const key = { low: 0x12345678, high: 0x9abcdef0 };
const kinds = ['email', 'sms', 'as whatsapp', 'whatsapp'];

/** Few addresses, so that they change owners. */
const address = fc
  .record({ kind: fc.constantFrom(...kinds), name: fc.nat(40) })
  .map(({ kind, name }): EndpointKey => [kind, new Uint8Array(16).fill(name)]);
const change = fc.record({ address, person: fc.option(fc.nat(2 ** 32 - 2), { nil: undefined }) });

function changesOf(changes: readonly { address: EndpointKey; person: number | undefined }[]) {
  const hash = { high: 0, low: 0 };
  const hashes = changes.flatMap(({ address: [kind, digest] }) => {
    hashEndpoint(key, kindCode(kind), digest, 0, hash);
    return [hash.high, hash.low];
  });
  const people = changes.map(({ person }) => (person === undefined ? 0 : person + 1));
  return { hashes: Uint32Array.from(hashes), people: Uint32Array.from(people) };
}

const nameOf = ([kind, digest]: EndpointKey) => `${kind} ${digest[0]}`;

t.test('it has the last owner of each address, also after a restart', (t) => {
  fc.assert(
    fc.property(fc.array(fc.array(change, { maxLength: 30 }), { maxLength: 12 }), (folds) => {
      let index = new EndpointIndex();
      index.key = key;
      const owners = new Map<string, readonly [EndpointKey, number]>();
      for (const changes of folds) {
        index.fold(changesOf(changes));
        for (const { address: one, person } of changes)
          if (person === undefined) owners.delete(nameOf(one));
          else owners.set(nameOf(one), [one, person]);
        index = EndpointIndex.restore(structuredClone(index.snapshot()));
      }
      for (const kind of kinds)
        for (let name = 0; name <= 40; name++) {
          const one: EndpointKey = [kind, new Uint8Array(16).fill(name)];
          if (index.find(one) !== owners.get(nameOf(one))?.[1]) return false;
        }
      return index.count === owners.size;
    }),
    { numRuns: tries(300) },
  );
  t.end();
});

t.test('addresses whose hashes share the first word are told apart by the second', async (t) => {
  const index = new EndpointIndex();
  index.key = key;
  index.fold({ hashes: Uint32Array.of(7, 1, 7, 2, 7, 3), people: Uint32Array.of(5, 5, 6) });
  t.same(
    [1, 2, 3, 4].map((low) => index.findHash(7, low)),
    [4, 4, 5, undefined],
  );
  index.fold({ hashes: Uint32Array.of(7, 2, 7, 4), people: Uint32Array.of(0, 0) });
  t.same(
    [1, 2, 3].map((low) => index.findHash(7, low)),
    [4, undefined, 5],
  );
  t.equal(index.count, 2);
});

t.test('a hundred thousand addresses take 20 bytes each at most', async (t) => {
  const index = new EndpointIndex();
  index.key = key;
  const count = 100_000;
  const digests = Array.from({ length: count }, (_, i) => {
    const digest = new Uint8Array(16);
    new DataView(digest.buffer).setUint32(0, i);
    return digest;
  });
  const all = digests.map((digest, person) => ({ address: ['fcm', digest] as const, person }));
  for (let from = 0; from < count; from += 250) index.fold(changesOf(all.slice(from, from + 250)));
  t.ok(digests.every((digest, person) => index.find(['fcm', digest]) === person));
  t.ok(index.byteLength < 20 * count);
});
