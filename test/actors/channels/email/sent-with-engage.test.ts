// Where an email names the service that sends it.

import t from 'tap';
import { composeMail } from '../../../../actors/channels/email/message.ts';
import { anAttempt } from '../stand-ins.ts';

function mailOf(lane: 'bulk' | 'express', namesService: boolean) {
  const given = anAttempt({ channel: 'email', endpoint: 'ada@example.com', lane });
  if (given.email === undefined) throw new Error('no email');
  const email = { ...given.email, ...(namesService ? { namesService: true as const } : {}) };
  const mail = composeMail({ ...given, email }, undefined);
  if ('outcome' in mail) throw new Error(mail.reason);
  return mail;
}

t.test('a marketing email names the service in its footer, unless that is hidden', (t) => {
  const { html, text } = mailOf('bulk', true);
  t.match(html, /Unsubscribe<\/a><\/p>\n<p lang="en"[^>]*>Sent with Engage<\/p>/);
  t.match(text, /Sent with Engage/, 'in plain text, too');
  const hidden = mailOf('bulk', false);
  t.notMatch(`${hidden.html}${hidden.text}`, /Engage/);
  t.end();
});

t.test('an email without a footer gets none for the sake of the service', (t) => {
  const { html, text } = mailOf('express', true);
  t.notMatch(`${html}${text}`, /Sent with/);
  t.end();
});
