import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { bothWishes, tagBytes, wishOf } from '../../../../actors/sending/opt-in/wish.ts';

t.test('strangers who sign an address up all day fill a row to its bound alone', async (t) => {
  let wish = wishOf({ topics: ['news'], tags: { first: 'stays' } });
  for (let i = 0; i < 100; i++)
    wish = bothWishes(
      wish,
      wishOf({ topics: ['news'], tags: { [`tag_${i}`]: 'x'.repeat(1_000) } }),
    );
  t.ok(tagBytes(wish.tags) <= limits.optInTagBytesMax, `${tagBytes(wish.tags)} bytes`);
  t.ok(tagBytes(wish.tags) > limits.optInTagBytesMax / 2, 'there is room for some');
  t.equal(wish.tags['first'], 'stays');
  t.same(wish.topics, ['news']);
});
