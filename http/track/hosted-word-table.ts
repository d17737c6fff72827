// The words of the preference centre and of sign-up forms by language, each row in the order of
// `hosted-words.ts`.

export const hostedWordTable: Readonly<Record<string, readonly string[]>> = {
  en: [
    'Your preferences',
    'How {app} may write to you',
    'What you want to hear about',
    'Language',
    'Save',
    'Nothing at all',
    'Your choices are saved.',
    'Waiting for your confirmation: see your mail.',
    'You get no news from {app}. Choose what you want and save it to get some again.',
    'Sign up',
    'Email address',
    'Fill in this field.',
    'Enter a whole email address, such as ann@example.com.',
    'You can sign up only if you agree to this.',
    'This text is too long.',
    'Check your mail',
    'If {address} can be signed up, it gets an email now. Open the link in it to confirm.',
  ],
};
