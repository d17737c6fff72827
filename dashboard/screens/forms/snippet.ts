// The form as HTML for another site: it posts to the form's page on this server, from anywhere.

import type { Form } from '../../api/generated.ts';
import { words } from './words.ts';

/** Names of controls that mean something else on the page. */
const taken = /^(email|consent|website|field\d+)$/;

export function formSnippet({ fields, consent }: Form, action: string): string {
  const rows = fields.map(({ tag, label, type, required }, at) => {
    const name = escaped(taken.test(tag) ? `field${at}` : tag);
    const must = required ? ' required' : '';
    return type === 'checkbox'
      ? `<label><input type="checkbox" name="${name}" value="yes"${must}> ${escaped(label)}</label>`
      : `<label>${escaped(label)} <input type="text" name="${name}" maxlength="200"${must}></label>`;
  });
  return [
    `<form method="post" action="${escaped(action)}">`,
    ...[
      `<label>${words.look.email} <input type="email" name="email" autocomplete="email" required></label>`,
      ...rows,
      `<label><input type="checkbox" name="consent" value="yes" required> ${escaped(consent)}</label>`,
      '<input type="text" name="website" tabindex="-1" autocomplete="off" hidden>',
      `<button>${words.look.signUp}</button>`,
    ].map((line) => `  ${line}`),
    '</form>',
  ].join('\n');
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}
