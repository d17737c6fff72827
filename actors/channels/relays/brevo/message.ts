// One mail as Brevo takes it. Pure. Brevo sets Message-ID and Date itself. `X-Mailin-custom` comes
// back in every event. `messageVersions` would share headers among people, and so the mark and the
// one-click unsubscribe: a mail is a call.

import type { RelayMail } from '../../email/relay-mail.ts';
import { copiesOf } from '../named-address.ts';
import { plainTags } from '../tag-limits.ts';

/** Of Brevo. */
const nameCharsMax = 70;
/** Of a mail. Brevo names ten for texts, and no limit for mails. */
const tagLimits = { countMax: 10, charsMax: 100 };

export function brevoMessage({ mail, mark, uuid, tags }: RelayMail): object {
  const { cc, bcc } = copiesOf(mail);
  const many = (addresses: readonly string[]) => addresses.map((email) => ({ email }));
  const words = plainTags(tags, tagLimits);
  const name = cutName(mail.fromName ?? '');
  return {
    sender: { email: mail.fromAddress, ...(name !== '' && { name }) },
    to: many([mail.to]),
    ...(cc.length > 0 && { cc: many(cc) }),
    ...(bcc.length > 0 && { bcc: many(bcc) }),
    ...(mail.replyTo !== undefined && { replyTo: { email: mail.replyTo } }),
    subject: mail.subject,
    textContent: mail.text,
    htmlContent: mail.html,
    headers: { ...Object.fromEntries(mail.headers), 'X-Mailin-custom': mark, idempotencyKey: uuid },
    ...(words.length > 0 && { tags: words }),
    ...(mail.attachments !== undefined && {
      attachment: mail.attachments.map(({ filename, content }) => ({
        name: filename,
        content: Buffer.from(content).toString('base64'),
      })),
    }),
  };
}

/** A longer name would refuse every mail of the sender. */
function cutName(name: string): string {
  return name.length <= nameCharsMax ? name : [...name].slice(0, nameCharsMax).join('');
}
