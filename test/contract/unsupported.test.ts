// What a message says and Engage cannot send is refused, wherever content is taken, because an
// email without its attachment is not the email that the caller wrote.

import t from 'tap';
import { chapter } from './chapter.ts';
import { overHttp } from './mcp-client.ts';

t.test('content with something that cannot be sent is refused, and nothing is sent', async (t) => {
  const one = await chapter(t);
  const { base, api } = one;
  await api.must(`POST ${base}/subscribers`, {
    externalUserId: 'ada',
    devices: [{ channel: 'email', endpoint: 'ada@example.com' }],
  });
  const message = await api.must(`POST ${base}/messages`, { name: 'M', title: 'T', body: 'B' });
  const segment = await api.must(`POST ${base}/segments`, {
    name: 'S',
    filter: { tag: 'plan', eq: 'pro' },
  });
  const send = { externalUserId: 'ada', title: 'T', body: 'B' };
  const file = [{ filename: 'a.pdf', content: 'JVBERi0=' }];
  const cases: [line: string, body: object, field: string][] = [
    [
      `POST ${base}/messages/${message.id}/test`,
      { externalUserId: 'ada', attachments: file },
      'attachments',
    ],
    [
      `POST ${base}/notifications`,
      { ...send, deliveryOptions: { cc: 'b@example.com' } },
      'deliveryOptions.cc',
    ],
    [`POST ${base}/notifications`, { ...send, email: { replyTo: 'b@x.org' } }, 'email.replyTo'],
    [
      `POST ${base}/notifications`,
      { ...send, message: { attachments: file } },
      'message.attachments',
    ],
    [`POST ${base}/notifications`, { ...send, reply_to: 'b@example.com' }, 'reply_to'],
    [
      `POST ${base}/notifications`,
      { ...send, payload: { attachments: file } },
      'payload.attachments',
    ],
    [
      `POST ${base}/notifications`,
      { ...send, payload: { email: { cc: 'b@example.com' } } },
      'payload.email.cc',
    ],
    [
      `POST ${base}/notifications`,
      { ...send, localizations: { de: { body: 'B', attachments: file } } },
      'localizations.de.attachments',
    ],
    [
      `POST ${base}/notifications/batch`,
      {
        title: 'T',
        body: 'B',
        recipients: [{ externalUserId: 'ada' }, { externalUserId: 'ada', cc: 'b@example.com' }],
      },
      'recipients[1].cc',
    ],
    [
      `POST ${base}/messages`,
      { name: 'N', title: 'T', body: 'B', attachments: file },
      'attachments',
    ],
    [`PATCH ${base}/messages/${message.id}`, { bcc: 'b@example.com' }, 'bcc'],
    [
      `POST ${base}/messages/preview`,
      { message: { title: 'T', body: 'B', replyTo: 'b@example.com' } },
      'message.replyTo',
    ],
    [
      `POST ${base}/message-templates`,
      { name: 'N', title: 'T', body: 'B', attachments: file },
      'attachments',
    ],
    [
      `POST ${base}/campaigns`,
      { messageId: message.id, segmentId: segment.id, attachments: file },
      'attachments',
    ],
  ];
  for (const [line, body, field] of cases)
    await one.refuses(t, line, body, { status: 400, code: 'unsupported', field }, line);
  t.same((await api.must(`GET ${base}/notifications`)).items, [], 'nothing was sent');
  t.equal((await api.must(`GET ${base}/messages`)).items.length, 1);
});

t.test('what says nothing, and custom data, are taken', async (t) => {
  const one = await chapter(t);
  const { base, api } = one;
  await api.must(`POST ${base}/subscribers`, { externalUserId: 'ada' });
  const send = { externalUserId: 'ada', title: 'T', body: 'B', attachments: [], cc: null };
  const { json } = await one.takes(t, `POST ${base}/notifications`, send, 202);
  t.equal(json.warnings, undefined);
  const message = { title: 'T', body: 'B', attachments: [], cc: null };
  const { json: saved } = await one.takes(t, `POST ${base}/messages`, message, 201);
  t.match(saved.warnings, [{ field: 'attachments', warning: 'unknown; ignored' }, { field: 'cc' }]);
  const data = { ...send, attachments: undefined, cc: undefined, data: { replyTo: 'x', cc: 'y' } };
  t.equal((await one.takes(t, `POST ${base}/notifications`, data, 202)).json.warnings, undefined);
});

t.test('an agent is told the same of its tools', async (t) => {
  const { server, org, app } = await chapter(t);
  const { tell } = await overHttp(t, server.url, org.key);
  const message = { title: 'T', body: 'B' };
  const send = { appId: app, externalUserId: 'ada', ...message };
  const cases: [tool: string, args: object, field: string][] = [
    ['send_transactional', { ...send, ical: 'BEGIN:VCALENDAR' }, 'ical'],
    ['send_transactional', { ...send, email: { cc: 'b@example.com' } }, 'email.cc'],
    ['send_transactional', { ...send, colour: 'red', ical: 'BEGIN' }, 'ical'],
    ['create_campaign', { appId: app, message, bcc: 'b@example.com' }, 'bcc'],
    ['create_campaign', { appId: app, message: { ...message, bcc: 'b@x.org' } }, 'message.bcc'],
  ];
  for (const [tool, args, field] of cases)
    t.match(await tell(tool, args), { isError: true, data: { code: 'unsupported', field } }, tool);
  const unknown = await tell('send_transactional', { ...send, colour: 'red' });
  t.match(unknown, { isError: true, data: { code: 'invalid', field: 'colour' } });
});
