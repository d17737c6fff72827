// A control answer is one line, so that the next one in a terminal begins on its own.

import t from 'tap';
import { withSandbox } from './with-sandbox.ts';

t.test('each control answer ends with a newline, a refusal too', async (t) => {
  const { call } = await withSandbox(t);
  const answers = [
    await call('GET', '/control'),
    await call('POST', '/control/reset'),
    await call('GET', '/control/nothing'),
    await call('POST', '/control/faults', '{'),
    await call('GET', '/control', undefined, { origin: 'https://elsewhere.example' }),
  ];
  t.same(
    answers.map(({ status }) => status),
    [200, 200, 404, 400, 403],
  );
  for (const { text } of answers) t.match(text, /^\{.*\}\n$/);
});
