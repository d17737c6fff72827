// Texts that were accepted once are not judged again, and nothing else is taken for them.

import t from 'tap';
import { acceptContent } from '../../../actors/content/accept/accept-content.ts';
import type { ContentInput } from '../../../actors/content/shape/message-schema.ts';
import { judgedContent } from '../../../http/routes/messages/judged-content.ts';

const inputs: readonly ContentInput[] = [
  {},
  { title: 'a', body: 'b' },
  { title: 'a b' },
  { body: 'a b' },
  { title: 'a', body: ' b' },
  { title: 'a ', body: 'b' },
  { body: '<p>{{ first_name }}</p>' },
  { title: 'a', body: 'b', deepLink: 'shop://x' },
  { title: 'a', body: 'b', data: { priority: 'high' } },
  { title: 'a', body: 'x'.repeat(5_000) },
];

t.test('content is judged alike the first time and later', async (t) => {
  for (let round = 0; round < 3; round++)
    for (const input of inputs)
      for (const lane of ['transactional', 'marketing'] as const)
        t.strictSame({ content: judgedContent(input, lane) }, acceptContent(input, lane));
});

t.test('the same texts are judged once, and those with more each time', async (t) => {
  const texts = { title: 'Your order', body: 'It has shipped.' };
  t.equal(judgedContent({ ...texts }), judgedContent({ ...texts }));
  const more = { ...texts, sound: 'bell' };
  t.not(judgedContent({ ...more }), judgedContent({ ...more }));
});

t.test('what was refused is refused again', async (t) => {
  t.strictSame(judgedContent({ body: 'x' }), { body: 'x' });
  for (let round = 0; round < 2; round++) {
    t.throws(() => judgedContent({ title: '', body: 'x' }), /title: renders to nothing/);
    t.throws(() => judgedContent({ body: '{{ x' }), /^body/);
  }
});
