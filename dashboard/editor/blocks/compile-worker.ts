// MJML in a worker: it takes a moment for a long mail, and a megabyte of code.

import mjml2html from 'mjml-browser';

interface Work {
  readonly id: number;
  readonly source: string;
}

addEventListener('message', ({ data }: MessageEvent<Work>) => {
  void answer(data).then((done) => postMessage(done));
});

async function answer({ id, source }: Work) {
  try {
    const { html, errors } = await mjml2html(source, {
      validationLevel: 'soft',
      keepComments: false,
      // MJML would add a link to Google Fonts for `Roboto`: a call that tells who reads the mail.
      fonts: {},
    });
    return { id, html, errors: errors.map(({ message }) => message) };
  } catch (error) {
    return { id, html: '', errors: [String(error)] };
  }
}
