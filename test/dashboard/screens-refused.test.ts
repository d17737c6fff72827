// Every screen of an app that is in use, when the server refuses its calls.

import t from 'tap';
import { needsBrowser, workplace } from './support/browser.ts';
import { fillApp } from './support/lived-in-app.ts';
import { everyScreenTells } from './support/screen-failures.ts';

t.test('each screen says it when calls are refused', needsBrowser, async (t) => {
  const place = await workplace(t, 'Refused');
  await fillApp(place);

  await t.test('with a 403', (t) =>
    everyScreenTells(t, place, {
      status: 403,
      code: 'forbidden',
      error: 'This key lacks the scope read.',
    }),
  );

  await t.test('with a 429 for long', (t) =>
    everyScreenTells(t, place, {
      status: 429,
      code: 'rate',
      error: 'Come back in an hour.',
      retryAfter: '3600',
    }),
  );
});
