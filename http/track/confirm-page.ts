// The page behind the link of a mail that asks for the confirmation of an address.

import { optInLanguage, optInWords } from '../../actors/sending/opt-in/mail-words.ts';
import type { ConfirmPage } from '../../actors/sending/opt-in/protocol.ts';
import type { Branding } from '../../actors/tenants/accounts/records.ts';
import { cardPage, escapedText } from './unsubscribe-page.ts';

export function confirmPage(
  page: ConfirmPage,
  appName: string,
  languages: readonly (string | undefined)[],
  branding?: Branding,
): string {
  const words = optInWords(...languages);
  const address = 'address' in page ? page.address : '';
  const filled = (text: string) =>
    escapedText(text).replace(/\{(app|address)\}/g, (_, name) =>
      name === 'app' ? escapedText(appName) : `<b>${escapedText(address)}</b>`,
    );
  const parts = partsOf(page, words, filled);
  return cardPage(parts, optInLanguage(languages), branding);
}

function partsOf(
  page: ConfirmPage,
  words: ReturnType<typeof optInWords>,
  filled: (text: string) => string,
) {
  switch (page.state) {
    case 'asked':
      return {
        mark: '&#9993;',
        title: filled(words.subject),
        text: filled(words.ask),
        form: `${agreed(page)}
<form method="post">
<input type="hidden" name="seen" value="${escapedText(page.seen)}">
<button>${filled(words.button)}</button>
</form>`,
      };
    case 'confirmed':
      return {
        mark: '&#10003;',
        title: filled(words.done),
        text: filled(words.doneText),
        form: '',
      };
    case 'already':
      return {
        mark: '&#10003;',
        title: filled(words.already),
        text: filled(words.doneText),
        form: '',
      };
    case 'over':
      return { mark: '?', title: filled(words.over), text: filled(words.overText), form: '' };
  }
}

/** What the confirmation is about, as it was asked for. */
function agreed({ topics, sentences }: Extract<ConfirmPage, { state: 'asked' }>): string {
  const list =
    topics.length === 0
      ? ''
      : `\n<ul>${topics.map((name) => `<li>${escapedText(name)}</li>`).join('')}</ul>`;
  return list + sentences.map((text) => `\n<p class="agreed">${escapedText(text)}</p>`).join('');
}
