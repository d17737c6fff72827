// The wire shape of what an email has besides its text.

import { z } from 'zod';
import { mailLimits } from '../../../actors/content/shape/mail-limits.ts';

const { attachmentsMax, attachmentBytesMax, copiesMax, headersMax } = mailLimits;
const mebibytes = attachmentBytesMax / 1_048_576;

const attachmentSchema = z
  .object({
    filename: z
      .string()
      .optional()
      .describe(
        'The name that the recipient sees, with its extension. Sent as it is: variables are not rendered. Required, except for an asset with a `name`.',
      ),
    contentType: z
      .string()
      .nullish()
      .describe('Such as `application/pdf`; found out from name and content if omitted.'),
    content: z.string().nullish().describe('The file in base64.'),
    url: z
      .string()
      .nullish()
      .describe(
        'An https address. It is fetched within ten seconds, before the response; later changes of the file do not matter.',
      ),
    assetId: z
      .string()
      .nullish()
      .describe('A file that was uploaded by `POST /v1/apps/{appId}/assets`.'),
    inline: z
      .object({
        cid: z
          .string()
          .describe('The name in the HTML: `<img src="cid:logo">` shows the picture `logo`.'),
      })
      .nullish()
      .describe('A picture within the text, instead of a file behind it.'),
  })
  .meta({ title: 'Attachment' });

export type AttachmentInput = z.output<typeof attachmentSchema>;

const copiesOf = (what: string) =>
  z
    .union([z.string(), z.array(z.string()).max(copiesMax)])
    .nullish()
    .describe(what);

/** Only of an email; nothing of it is rendered. */
export const mailFields = {
  attachments: z
    .array(attachmentSchema)
    .max(attachmentsMax)
    .nullish()
    .describe(
      `Files of the email: at most ${attachmentsMax}, and ${mebibytes} MiB together. Each has one of \`content\`, \`url\` and \`assetId\`. A body has at most 1 MiB, so larger files are assets or addresses. A file that cannot be had, executables, documents with macros, and a file that is not what its name says are a 400 that names it. Other channels have no attachments; a send that cannot go to email is a 400.`,
    ),
  cc: copiesOf(
    `Addresses that get a copy of the email, visible to all recipients: at most ${copiesMax} of \`cc\` and \`bcc\` together. Addresses that opted out of everything get none. Each copy counts as an email of the allowance and as a send of the daily cap. If the recipient has several email addresses, one of the emails has the copies. Whether a copy was delivered is not reported; an open or a click in a copy counts for the recipient.`,
  ),
  bcc: copiesOf(
    'Addresses that get a copy of the email, hidden from all other recipients; otherwise like `cc`.',
  ),
  replyTo: z.string().nullish().describe("Where replies go, instead of the app's `email.replyTo`."),
  headers: z
    .record(z.string(), z.string())
    .nullish()
    .describe(
      `At most ${headersMax} headers of the email. Their names begin with \`X-\`; those that mail services obey, such as \`X-SMTPAPI\`, are refused.`,
    ),
} as const;

export type MailInput = z.output<z.ZodObject<typeof mailFields>>;
