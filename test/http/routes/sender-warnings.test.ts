// Who turns a double opt-in on where the app has no sender of emails is told so in the answer.

import t from 'tap';
import { exampleIds } from '../../../http/call/schemas/example-ids.ts';
import { fakeFront } from './fake-front.ts';

const topic = {
  key: 'news',
  name: 'News',
  default: 'out',
  people: { in: 0, out: 0, pending: 0 },
  createdMs: 0,
  updatedMs: 0,
};
const cdp = { type: 'cdp', enabled: true, devicesFromTraits: true, createdMs: 0, updatedMs: 0 };

const front = (hasSender: boolean) =>
  fakeFront((message) => {
    const { kind, input, settings } = message as typeof message & {
      readonly input?: object;
      readonly settings?: object;
    };
    if (kind === 'opt_in.count')
      return { queued: 2, waiting: 0, confirmed: 0, nextMs: null, hasSender };
    if (kind === 'subscriber.import')
      return { handled: 1, created: 1, updated: 0, unconfirmed: 1, errors: [] };
    if (kind === 'topic.create') return { ...topic, doubleOptIn: false, ...input };
    return { ...cdp, consent: 'confirmed', ...settings };
  });

const app = `/v1/apps/${exampleIds.app}`;
const rows = [{ devices: [{ channel: 'email', endpoint: 'a@example.com' }] }];
const imported = { appId: exampleIds.app, rows };
const calls = [
  ['POST /v1/import/subscribers', { ...imported, consent: 'doubleOptIn' }, 'consent'],
  [`POST ${app}/topics`, { key: 'news', name: 'News', doubleOptIn: true }, 'doubleOptIn'],
  [`PATCH ${app}/integrations/cdp`, { consent: 'doubleOptIn' }, 'consent'],
  [`GET ${app}/opt-ins`, undefined, 'queued'],
] as const;

/** Platforms are connected by admins. */
const sent = (line: string, body: unknown) =>
  line.includes('integrations') ? { key: 'admin', body } : { body };

t.test('an app without a sender is told that nobody is asked', async (t) => {
  for (const [line, body, field] of calls) {
    const { json } = await front(false).call(line, sent(line, body));
    t.match(json, { warnings: [{ field, warning: /no sender of emails/ }] }, line);
  }
});

t.test('an app with a sender is not, nor one that asks nobody', async (t) => {
  for (const [line, body] of calls) {
    const { json } = await front(true).call(line, sent(line, body));
    t.notOk('warnings' in (json as object), line);
  }
  const { asked, call } = front(false);
  const { json } = await call('POST /v1/import/subscribers', { body: imported });
  t.notOk('warnings' in (json as object));
  t.same(
    asked.map(({ message }) => message.kind),
    ['subscriber.import'],
    'nobody is bothered',
  );
});
