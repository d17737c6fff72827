import t from 'tap';
import { isByPreference, withWord } from '../../../../actors/sending/callbacks/heard-words.ts';

t.test('a STOP that an earlier build made of a preference is known by its id', async (t) => {
  const earlier = { word: 'stop', atMs: 5, seen: ['wamid-1', 'preference stop 5'] } as const;
  t.ok(isByPreference(earlier));
  t.notOk(isByPreference({ ...earlier, seen: ['preference stop 5', 'wamid-1'] }), 'a word since');
  const { row } = withWord(earlier, { word: 'stop', atMs: 6 }, 'marketing', {}, 100);
  t.notOk(isByPreference(row), 'one of this build');
  t.notOk(isByPreference(undefined));
});

t.test('a word changes only what no newer one speaks of', async (t) => {
  const all = { word: 'stop', atMs: 10, seen: [] } as const;
  const said = (word: 'stop' | 'start', atMs: number, about: 'all' | 'marketing', last = all) =>
    withWord(last, { word, atMs }, about, {}, 100).changes;
  t.same(said('start', 20, 'marketing'), ['marketing'], 'the end of a preference says no more');
  t.same(said('start', 20, 'all'), ['all', 'marketing']);
  t.same(said('start', 5, 'all'), []);
  const later = { ...all, marketing: { word: 'stop', atMs: 30 } } as const;
  t.same(said('start', 20, 'all', later), ['all'], 'a newer preference stays');
  const started = { word: 'start', atMs: 10, seen: [] } as const;
  t.same(said('stop', 5, 'marketing', started as never), [], 'a START ended it');
  t.same(said('stop', 10, 'marketing', started as never), ['marketing'], 'STOP at one instant');
});
