// One mail as Postmark takes it. Pure. Postmark sets Message-ID and Date itself.

import { mailMarkName } from '../../email/mail-mark.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import { copiesOf, namedAddress } from '../named-address.ts';
import { namedTags, plainTags } from '../tag-limits.ts';

/** Postmark keeps one tag for its statistics. Source: "Send a single email". */
const tagLimits = { countMax: 1, charsMax: 1_000 };
/** Ten, ours included, with names of 20 characters and values of 80. Source: "Custom metadata". */
const metadataLimits = { countMax: 9, charsMax: 80, nameCharsMax: 20 };

export function postmarkMessage({ mail, mark, tags }: RelayMail, stream: string): object {
  const { cc, bcc } = copiesOf(mail);
  const [tag] = plainTags(tags, tagLimits);
  return {
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
    ...(mail.attachments !== undefined && {
      Attachments: mail.attachments.map(({ filename, contentType, content, cid }) => ({
        Name: filename,
        Content: Buffer.from(content).toString('base64'),
        ContentType: contentType,
        ...(cid !== undefined && { ContentID: `cid:${cid}` }),
      })),
    }),
  };
}
