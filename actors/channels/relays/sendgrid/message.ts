// The body of a call to `mail/send`. Mails of equal contents share one, each with its own
// recipient, headers and mark. Pure. SendGrid sets Message-ID and Date itself.

import { mailMarkName } from '../../email/mail-mark.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import { hasFiles, jsonBody } from '../json-body.ts';
import { copiesOf } from '../named-address.ts';
import { namedTags, plainTags } from '../tag-limits.ts';

/** Of a mail. Source: "Working with Categories" and the API reference of `mail/send`. */
const categoryLimits = { countMax: 10, charsMax: 255 };
/** All arguments of a mail have 10,000 bytes. */
const argumentLimits = { countMax: 10, charsMax: 255 };

/** Mails of equal keys have equal contents, and may share a call. */
export function contentKey({ mail, mark, tags }: RelayMail): string {
  // Files are compared by nobody: such a mail has a call of its own.
  if (hasFiles(mail)) return mark;
  const { fromName = '', fromAddress, replyTo = '', subject, text, html } = mail;
  // Categories are those of the whole call.
  const categories = plainTags(tags, categoryLimits).join(' ');
  return [categories, fromName, fromAddress, replyTo, subject, text, html].join('\n');
}

/** At least one mail; all of one content key. */
export function sendGridBody(mails: readonly RelayMail[]): Buffer {
  const [first] = mails;
  if (first === undefined) return Buffer.alloc(0);
  const { mail, tags } = first;
  const categories = plainTags(tags, categoryLimits);
  return jsonBody({
    personalizations: mails.map(personalization),
    from: { email: mail.fromAddress, ...(mail.fromName && { name: mail.fromName }) },
    ...(mail.replyTo !== undefined && { reply_to: { email: mail.replyTo } }),
    subject: mail.subject,
    ...(categories.length > 0 && { categories }),
    // A part without a character is refused.
    content: [
      { type: 'text/plain', value: mail.text },
      { type: 'text/html', value: mail.html },
    ].filter(({ value }) => value !== ''),
    ...(mail.attachments !== undefined && {
      attachments: mail.attachments.map(({ filename, contentType, content, cid }) => ({
        content: Buffer.from(content).toString('base64'),
        type: contentType,
        filename,
        disposition: cid === undefined ? 'attachment' : 'inline',
        ...(cid !== undefined && { content_id: cid }),
      })),
    }),
    tracking_settings: trackingOff,
  });
}

/** Links and opens are tracked by us or by nobody, and the mail has our own way out. */
const trackingOff = {
  click_tracking: { enable: false, enable_text: false },
  open_tracking: { enable: false },
  subscription_tracking: { enable: false },
};

function personalization({ mail, mark, tags }: RelayMail) {
  const many = (addresses: readonly string[]) => addresses.map((email) => ({ email }));
  // An address that stands twice in one mail is refused.
  const { cc, bcc } = copiesOf(mail);
  return {
    to: many([mail.to]),
    ...(cc.length > 0 && { cc: many(cc) }),
    ...(bcc.length > 0 && { bcc: many(bcc) }),
    headers: Object.fromEntries(mail.headers),
    custom_args: { ...Object.fromEntries(namedTags(tags, argumentLimits)), [mailMarkName]: mark },
  };
}
