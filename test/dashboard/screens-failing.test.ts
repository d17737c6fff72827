// Every screen of an app that is in use, when the server fails or does not answer.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { everyScreenTells } from './support/screen-failures.ts';

t.test('each screen says it when calls fail', needsBrowser, async (t) => {
  const place = await workplace(t, 'Failing');
  await fillApp(place);

  await t.test('with a 500', (t) =>
    everyScreenTells(t, place, {
      status: 500,
      code: 'internal',
      error: 'Something broke on our side.',
    }),
  );

  await t.test('without a connection', (t) => everyScreenTells(t, place));
});
