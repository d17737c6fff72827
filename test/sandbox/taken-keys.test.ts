import t from 'tap';
import { TakenKeys } from '../../sandbox/taken-keys.ts';

const takenKeysMax = 100_000;

t.test('a key is known from when it was taken until its life is over', async (t) => {
  const keys = new TakenKeys<string>(1_000);
  t.equal(keys.find('a', 0), undefined);
  keys.take('a', 'first', 0);
  t.equal(keys.find('a', 999), 'first');
  t.equal(keys.find('a', 1_000), undefined);
  keys.take('a', 'second', 1_000);
  t.equal(keys.find('a', 1_999), 'second');
});

t.test('past the bound the key taken longest ago is forgotten', async (t) => {
  const keys = new TakenKeys<number>();
  for (let i = 0; i < takenKeysMax; i++) keys.take(String(i), i, 0);
  keys.take('0', 0, 1); // young again
  keys.take('new', 1, 1);
  t.equal(keys.find('0', 1), 0);
  t.equal(keys.find('1', 1), undefined);
  t.equal(keys.find('2', 1), 2);
  t.equal(keys.find('new', 1), 1);
});
