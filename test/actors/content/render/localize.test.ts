import t from 'tap';
import { localize } from '../../../../actors/content/render/localize.ts';

const content = {
  title: 'Hello',
  body: 'Body',
  localizations: {
    pt: { body: 'Corpo' },
    'pt-br': { title: 'Oi', body: 'Corpo BR' },
    'zh-hant': { title: '你好' },
    'en-us': { title: 'Howdy' },
  },
};

function title(tags: Record<string, unknown>): string {
  const { title, body } = localize(content, tags);
  return `${title}/${body}`;
}

t.test('the variant is the region, then the base language, then the default', async (t) => {
  t.equal(title({ language: 'pt-BR' }), 'Oi/Corpo BR');
  t.equal(title({ language: 'pt-PT' }), 'Hello/Corpo');
  t.equal(title({ language: 'pt' }), 'Hello/Corpo');
  t.equal(title({ language: 'zh-Hant-TW' }), '你好/Body');
  t.equal(title({ language: 'fr' }), 'Hello/Body');
  t.equal(title({}), 'Hello/Body');
});

t.test('a bare language does not take a variant of one region', async (t) => {
  t.equal(title({ language: 'en' }), 'Hello/Body');
  t.equal(title({ language: 'en-GB' }), 'Hello/Body');
});

t.test('en_US equals en-us, and language wins over locale', async (t) => {
  for (const language of ['en_US', 'en-us', 'EN-US', 'en_US.UTF-8', ' en-US '])
    t.equal(title({ language }), 'Howdy/Body', language);
  t.equal(title({ locale: 'en_US' }), 'Howdy/Body');
  t.equal(title({ language: 'pt', locale: 'en_US' }), 'Hello/Corpo');
});

t.test('a tag that is no language means the default', async (t) => {
  for (const language of [
    '',
    '../x',
    'constructor',
    '__proto__',
    5,
    true,
    null,
    ['pt'],
    'x'.repeat(65),
  ]) {
    t.equal(title({ language }), 'Hello/Body', String(language));
  }
});

t.test(
  'a variant leaves what it does not say to the message, and no variants are left',
  async (t) => {
    t.same(localize(content, { language: 'pt' }), {
      title: 'Hello',
      body: 'Corpo',
      variant: { key: 'pt', members: { body: 'Corpo' } },
    });
    t.same(localize(content, { language: 'fr' }), { title: 'Hello', body: 'Body', variant: null });
  },
);
