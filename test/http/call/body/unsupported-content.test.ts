import t from 'tap';
import {
  unsupportedIn,
  unsupportedWithin,
} from '../../../../http/call/body/unsupported-content.ts';

t.test('what changes an email is told from what other members say', async (t) => {
  const refused =
    'attachments attachment Attachments email_attachments attachmentUrls cc bcc CC Bcc ccAddresses bcc_emails ccRecipients replyTo reply_to reply-to replyToAddress replyToEmail emailReplyToAddress reply_to_addresses from fromEmail from_address fromName sender senderEmail headers customHeaders email_headers inline inlineImages inline_attachments embeddedImages icalEvent';
  for (const name of refused.split(' '))
    t.match(unsupportedIn(name, 'x'), /^not supported; /, name);
  const others =
    'body title account accent success occasion header footer formats frame replay mail email address emailAddress line inlineCss attached bccd __proto__';
  for (const name of others.split(' ')) t.equal(unsupportedIn(name, 'x'), undefined, name);
});

t.test('a member that says nothing is no loss', async (t) => {
  for (const empty of [undefined, null, '', false, [], {}])
    t.equal(unsupportedIn('cc', empty), undefined, JSON.stringify(empty));
  for (const full of ['a@b.example', ['a@b.example'], { a: 1 }, 1, true])
    t.ok(unsupportedIn('cc', full), JSON.stringify(full));
});

t.test('payload is searched, and the email within it, and nothing else', async (t) => {
  const found = (payload: unknown) =>
    [...unsupportedWithin(payload)].map(([at, name]) => [...at, name].join('.'));
  t.same(found({ attachments: ['x'], email: { cc: 'a@b.example', subject: 'x' } }), [
    'attachments',
    'email.cc',
  ]);
  t.same(found({ whatsapp: { headers: ['x'] }, data: { from: 'x' } }), []);
  for (const none of [undefined, null, 'x', ['cc']]) t.same(found(none), []);
});
