// One mail as Resend takes it. Pure. Resend sets Message-ID and Date itself.

import { mailMarkName } from '../../email/mail-mark.ts';
import type { RelayMail } from '../../email/relay-mail.ts';
import { copiesOf, namedAddress } from '../named-address.ts';
import { namedTags } from '../tag-limits.ts';

/** Resend takes 75 tags, ours included. Source: "Managing Tags". */
const tagLimits = { countMax: 74, charsMax: 256 };

export function resendMessage({ mail, mark, tags }: RelayMail): object {
  const { cc, bcc } = copiesOf(mail);
  return {
    from: namedAddress(mail.fromName, mail.fromAddress),
    to: [mail.to],
    ...(cc.length > 0 && { cc }),
    ...(bcc.length > 0 && { bcc }),
    ...(mail.replyTo !== undefined && { reply_to: mail.replyTo }),
    subject: mail.subject,
    text: mail.text,
    html: mail.html,
    headers: Object.fromEntries(mail.headers),
    tags: [...namedTags(tags, tagLimits), [mailMarkName, mark] as const].map(([name, value]) => ({
      name,
      value,
    })),
    ...(mail.attachments !== undefined && {
      attachments: mail.attachments.map(({ filename, contentType, content, cid }) => ({
        filename,
        content: Buffer.from(content).toString('base64'),
        content_type: contentType,
        ...(cid !== undefined && { content_id: cid }),
      })),
    }),
  };
}
