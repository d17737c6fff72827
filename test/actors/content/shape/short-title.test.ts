import t from 'tap';
import { shortTitle } from '../../../../actors/content/shape/short-title.ts';

t.test('a title stands for the message, else its first words', async (t) => {
  t.equal(shortTitle({ title: 'Title', body: 'Body' }), 'Title');
  t.equal(shortTitle({ body: ' Two\n lines ' }), 'Two lines');
  t.equal(shortTitle({ body: '' }), undefined, 'a template of a provider');
  t.equal(shortTitle({ body: ' \n ' }), undefined);
  const alert = { title: 'Goal', body: '1:0' };
  const liveActivity = { event: 'update', timestamp: 1, contentState: {}, alert } as const;
  t.equal(shortTitle({ body: '', liveActivity }), 'Goal');
});

t.test('a long text is cut at a word, and within no sign', async (t) => {
  const cut = shortTitle({ body: 'several words '.repeat(99) }) ?? '';
  t.match(cut, /^several words .*(several|words)…$/);
  t.ok([...cut].length <= 80);
  t.equal(shortTitle({ body: 'x'.repeat(81) }), `${'x'.repeat(79)}…`, 'one word');
  t.equal(shortTitle({ body: 'x'.repeat(80) }), 'x'.repeat(80));
  for (let length = 300; length < 340; length++) {
    const shown = shortTitle({ body: `${'a'.repeat(length % 7)}${'👋'.repeat(length)}` }) ?? '';
    t.notMatch(shown, /\p{Surrogate}/u, `${length}`);
  }
  t.match(
    shortTitle({ body: `a${' '.repeat(400)}b` }),
    /^a…$/,
    'the rest is not told as the whole',
  );
});
