// The page of a sign-up form: plain HTML that says what was wrong beside each field, and keeps what
// was typed. And what the form says back.

import type { FormRecord } from '../../actors/sending/forms/form.ts';
import type { FormPage } from '../../actors/sending/forms/protocol.ts';
import type { Branding } from '../../actors/tenants/accounts/records.ts';
import type { HostedWord, HostedWords } from './hosted-words.ts';
import { cardPage, escapedText } from './unsubscribe-page.ts';

/** What was typed, and what is wrong with it, by the name of the control. */
interface Typed {
  readonly values: Readonly<Record<string, string>>;
  readonly wrong: Readonly<Record<string, HostedWord>>;
}

export const nothingTyped: Typed = { values: {}, wrong: {} };

/** Only programs fill it in: it is out of sight. A form may ask for a tag of the usual name. */
function trapOf(fields: FormRecord['fields']): string {
  const taken = new Set(fields.map(({ tag }) => tag));
  return ['website', 'homepage'].find((name) => !taken.has(name)) ?? 'second-homepage';
}

const fieldCharsMax = 200;

interface Answers {
  readonly typed: Typed;
  readonly isTrapped: boolean;
  readonly email: string;
  readonly tags: Readonly<Record<string, string | boolean>>;
}

export function answersOf({ fields }: FormRecord, bytes: Uint8Array): Answers {
  const form = new URLSearchParams(Buffer.from(bytes).toString('utf8'));
  const values: Record<string, string> = {};
  const wrong: Record<string, HostedWord> = {};
  const tags: Record<string, string | boolean> = {};
  const email = (form.get('email') ?? '').trim();
  values['email'] = email;
  if (email === '') wrong['email'] = 'required';
  for (const [at, { tag, type, required }] of fields.entries()) {
    const name = `field${at}`;
    const value = (form.get(name) ?? form.get(tag) ?? '').trim();
    values[name] = value;
    if (value === '' && required) wrong[name] = 'required';
    else if (value.length > fieldCharsMax) wrong[name] = 'tooLong';
    else if (type === 'checkbox') tags[tag] = value !== '';
    else if (value !== '') tags[tag] = value.normalize();
  }
  values['consent'] = form.get('consent') ?? '';
  if (values['consent'] === '') wrong['consent'] = 'agree';
  return {
    typed: { values, wrong },
    isTrapped: (form.get(trapOf(fields)) ?? '') !== '',
    email,
    tags,
  };
}

export function formHtml(
  { form, topics }: FormPage,
  { values, wrong }: Typed,
  words: HostedWords,
  branding?: Branding,
): string {
  const error = (name: string) => {
    const word = wrong[name];
    return word === undefined
      ? { note: '', marks: '' }
      : {
          note: `<span class="error" id="${name}-error">${escapedText(words.say(word))}</span>`,
          marks: ` aria-invalid="true" aria-describedby="${name}-error"`,
        };
  };
  const value = (name: string) => escapedText(values[name] ?? '');
  const mail = error('email');
  const fields = form.fields.map(({ label, type, required }, at) => {
    const name = `field${at}`;
    const { note, marks } = error(name);
    const must = required ? ' required' : '';
    if (type === 'checkbox')
      return `<label><input type="checkbox" name="${name}" value="yes"${values[name] ? ' checked' : ''}${must}${marks}><span>${escapedText(label)}${note}</span></label>`;
    return `<label class="field"><span>${escapedText(label)}</span><input type="text" name="${name}" value="${value(name)}" maxlength="${fieldCharsMax}"${must}${marks}>${note}</label>`;
  });
  const agree = error('consent');
  const list = topics.map((name) => `<li>${escapedText(name)}</li>`).join('');
  const parts = {
    mark: '&#9993;',
    title: escapedText(form.name),
    text: '',
    form: `${list === '' ? '' : `\n<ul>${list}</ul>`}
<form method="post" novalidate>
<label class="field"><span>${escapedText(words.say('email'))}</span><input type="email" name="email" value="${value('email')}" autocomplete="email" maxlength="320" required${mail.marks}>${mail.note}</label>
${fields.join('\n')}
<label><input type="checkbox" name="consent" value="yes"${values['consent'] ? ' checked' : ''} required${agree.marks}><span>${escapedText(form.consent)}${agree.note}</span></label>
<label class="away" aria-hidden="true">Website<input type="text" name="${trapOf(form.fields)}" tabindex="-1" autocomplete="off"></label>
<button>${escapedText(words.say('signUp'))}</button>
</form>`,
  };
  return cardPage(parts, words.language, branding);
}

/** The same for every address. */
export function checkMailHtml(email: string, words: HostedWords, branding?: Branding): string {
  const text = escapedText(words.say('checkText')).replace(
    '{address}',
    () => `<b>${escapedText(email)}</b>`,
  );
  const title = escapedText(words.say('checkMail'));
  return cardPage({ mark: '&#9993;', title, text, form: '' }, words.language, branding);
}
