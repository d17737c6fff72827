// The words of sign-ups by language, each row in the order of `mail-words.ts`: the mail's subject,
// text, button and last line; the page's question, its two answers, and a link that is over.

export const optInWordTable: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Please confirm your email address',
    'Somebody, probably you, has signed this address up for emails from {app}.',
    'Confirm',
    'If it was not you, ignore this email. You will get no other one.',
    '{app} writes to {address} once you confirm it.',
    'Thank you, that is confirmed',
    '{address} gets emails from {app} from now on. You can close this page.',
    'This was confirmed already',
    'This link is no longer valid',
    'It may be too old, or replaced by a newer one. Sign up again to get a new link.',
  ],
};
