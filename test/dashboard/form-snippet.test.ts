// The HTML of a form for another site.

import t from 'tap';
import { formSnippet } from '../../dashboard/screens/forms/snippet.ts';

const form = {
  id: 'frm_1',
  key: 'letter',
  name: 'Letter',
  fields: [
    { tag: 'first_name', label: 'Name "<b>"', type: 'text', required: true },
    { tag: 'email', label: 'Second address', type: 'text', required: false },
    { tag: 'adult', label: 'Adult', type: 'checkbox', required: false },
  ],
  topics: [],
  consent: 'I agree & sign <here>.',
  redirectUrl: null,
  path: '/f/frm_1',
  archivedAt: null,
  etag: '',
  createdAt: '',
  updatedAt: '',
} as const;

t.test('what people wrote cannot break out of the HTML', async (t) => {
  const html = formSnippet(form, 'https://engage.example/f/frm_1');
  t.match(html, 'Name &quot;&lt;b&gt;&quot;');
  t.match(html, 'I agree &amp; sign &lt;here&gt;.');
  t.notMatch(html, '<b>');
});

t.test('a tag that is named like a control of the page goes by its place', async (t) => {
  const html = formSnippet(form, 'https://engage.example/f/frm_1');
  t.match(html, '<input type="text" name="field1"');
  t.equal(html.split('name="email"').length, 2, 'one email field');
  t.match(html, 'name="first_name" maxlength="200" required');
  t.match(html, '<input type="checkbox" name="adult" value="yes">');
});
