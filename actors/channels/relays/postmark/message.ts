// One mail as Postmark takes it. Pure. Postmark sets Message-ID and Date itself.

import type { MailAttachment } from '../../email/attached.ts';
import { mailMarkName } from '../../email/mail-mark.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import type { JsonMail } from '../json-body.ts';
import { copiesOf, namedAddress } from '../named-address.ts';
import { namedTags, plainTags } from '../tag-limits.ts';

/** Postmark keeps one tag for its statistics. Source: "Send a single email". */
const tagLimits = { countMax: 1, charsMax: 1_000 };
/** Ten, ours included, with names of 20 characters and values of 80. Source: "Custom metadata". */
const metadataLimits = { countMax: 9, charsMax: 80, nameCharsMax: 20 };

export function postmarkMessage({ mail, mark, tags }: RelayMail, stream: string): JsonMail {
  const { cc, bcc } = copiesOf(mail);
  const [tag] = plainTags(tags, tagLimits);
  const fields = {
    From: namedAddress(mail.fromName, mail.fromAddress),
    To: mail.to,
    ...(cc.length > 0 && { Cc: cc.join(',') }),
    ...(bcc.length > 0 && { Bcc: bcc.join(',') }),
    ...(mail.replyTo !== undefined && { ReplyTo: mail.replyTo }),
    Subject: mail.subject,
    TextBody: mail.text,
    HtmlBody: mail.html,
    Headers: mail.headers.map(([Name, Value]) => ({ Name, Value })),
    MessageStream: stream,
    ...(tag !== undefined && { Tag: tag }),
    Metadata: { ...Object.fromEntries(namedTags(tags, metadataLimits)), [mailMarkName]: mark },
    // Links and opens are tracked by us or by nobody.
    TrackOpens: false,
    TrackLinks: 'None',
  };
  const files = mail.attachments && {
    ...{ member: 'Attachments', content: 'Content', files: mail.attachments },
    about: ({ filename, contentType, cid }: MailAttachment) => ({
      Name: filename,
      ContentType: contentType,
      ...(cid !== undefined && { ContentID: `cid:${cid}` }),
    }),
  };
  return { fields, files };
}
