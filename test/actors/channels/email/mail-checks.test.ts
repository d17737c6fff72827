import t from 'tap';
import { type CheckedMail, contentChecks } from '../../../../actors/channels/email/mail-checks.ts';

const fine: CheckedMail = {
  html: '<p>Hello Ada</p>',
  text: 'Hello Ada',
  headers: {
    'List-Unsubscribe': '<https://engage.example/u/x>, <mailto:u@engage.example>',
    'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click',
  },
  content: { body: '<p>Hello Ada</p>', options: {} },
};
const of = (mail: Partial<CheckedMail>, base = 'https://engage.example') =>
  Object.fromEntries(contentChecks({ ...fine, ...mail }, base).map((one) => [one.check, one]));
const content = (body: string, more = {}) => ({ content: { body, options: {}, ...more } });

t.test('a plain mail passes all of them', async (t) => {
  const states = contentChecks(fine, 'https://engage.example').map(
    ({ check, state }) => `${check} ${state}`,
  );
  t.same(states, [
    'one_click done',
    'size done',
    'https_links done',
    'image_text done',
    'text_part done',
  ]);
});

t.test('the header to unsubscribe needs https', async (t) => {
  t.equal(of({ headers: {} })['one_click']?.state, 'not_done');
  const open = of({}, 'http://127.0.0.1:8400');
  t.match(open['one_click'], { state: 'not_done', about: /https/ });
});

t.test('Gmail’s cut is counted in bytes', async (t) => {
  const bytes = 102 * 1_024;
  t.equal(of({ html: 'x'.repeat(bytes) })['size']?.state, 'done');
  t.equal(of({ html: 'x'.repeat(bytes + 1) })['size']?.state, 'not_done');
  t.match(of({ html: 'ế'.repeat(bytes / 2) })['size'], { state: 'not_done', about: /153 KB/ });
});

t.test('links over http are named, wherever they are', async (t) => {
  const body =
    '<a href="https://a.example">a</a><a href="mailto:a@b.example">b</a><a href="#c">c</a>';
  t.equal(of(content(body))['https_links']?.state, 'done');
  const open = `${body}<a HREF='HTTP://b.example/?a=1&amp;b=2'>b</a>`;
  const buttons = [{ label: 'x', url: 'http://c.example' }, { label: 'y' }];
  t.match(of(content(open, { buttons, deepLink: 'http://d.example' }))['https_links'], {
    state: 'not_done',
    about: 'Links use http: http://d.example, http://c.example, HTTP://b.example/?a=1&b=2.',
  });
});

t.test('an image needs an alternative text, which may be empty', async (t) => {
  const fineImages = '<img src="a.png" alt=""><IMG ALT=logo src=b.png>';
  t.equal(of(content(fineImages))['image_text']?.state, 'done');
  const two = `${fineImages}<img src="c.png" data-alt="x"><img\nsrc="d.png"/>`;
  t.match(of(content(two))['image_text'], { state: 'not_done', about: /^2 images have no/ });
});

t.test('words of the HTML that the text part lacks are named', async (t) => {
  const html = '<style>p{color:red}</style><p>Giảm 50% for Ada &amp; Bob</p>';
  t.equal(of({ html, text: 'giảm 50 FOR ada bob' })['text_part']?.state, 'done');
  const link = '<p>Hi <a href="https://tracked.invalid/c/preview?to=x">Shop</a></p>';
  const own = { html: link, text: 'Hi Shop (https://shop.example)' };
  t.equal(of(own)['text_part']?.state, 'done', 'only the HTML part has tracked links');
  t.match(of({ html, text: 'Please view this email in HTML' })['text_part'], {
    state: 'not_done',
    about: 'Words of the HTML part are not in the text part: giảm, 50, for and 2 more.',
  });
});
