// The wire shape of what a send said.

import { z } from 'zod';
import type { MailParts } from '../../../actors/channels/port/attempt.ts';
import { contentFields } from '../../../actors/content/shape/message-schema.ts';
import { contentStates, type SentContent } from '../../../actors/insight/timeline/protocol.ts';
import { present } from '../../call/answer/present.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { channelSchema, instant, instantSchema } from '../../call/schemas/schemas.ts';

const { localizations: _localizations, ...shownFields } = contentFields;

/** What the email had besides its text. */
export const sentMailFields = {
  attachments: z
    .array(
      z.object({
        filename: z.string(),
        contentType: z.string(),
        bytes: z.int().describe('Size of the file.'),
        inline: z.object({ cid: z.string() }).optional(),
      }),
    )
    .optional()
    .describe('Files of the email, by name; their content cannot be read.'),
  cc: z.array(z.string()).optional(),
  bcc: z.array(z.string()).optional(),
  replyTo: z.string().optional(),
  headers: z.record(z.string(), z.string()).optional(),
} as const;

export function sentMailView({ attachments, cc, bcc, replyTo, headers }: MailParts = {}) {
  return present({
    attachments: attachments?.map(({ filename, contentType, bytes, cid }) => ({
      filename,
      contentType,
      bytes,
      ...(cid === undefined ? {} : { inline: { cid } }),
    })),
    cc: cc && [...cc],
    bcc: bcc && [...bcc],
    replyTo,
    headers: headers && Object.fromEntries(headers),
  });
}

const sentItemSchema = z.object({
  channel: channelSchema
    .nullable()
    .describe('`null` if the person had no device that it could go to.'),
  deviceIds: z
    .array(z.string())
    .describe('The devices it was for; empty if the send does not name them.'),
  language: z
    .string()
    .nullable()
    .describe('The localization that was chosen; `null` for the base message.'),
  ...shownFields,
  ...sentMailFields,
  liveActivity: z
    .object({
      event: z.enum(['update', 'end']),
      contentState: z.record(z.string(), z.unknown()),
      alert: z.object({ title: z.string(), body: z.string() }).optional(),
    })
    .optional()
    .describe('The update of a Live Activity, which has no other content.'),
});

/** Beside the status of a send, or beside what its providers were given. */
export const contentStateFields = {
  contentState: z
    .enum(contentStates)
    .describe(
      '`as_sent`: exactly what was sent. `may_differ`: rendered now from the copy that was sent; the person or the app may have changed since, and so may the values. `not_rendered`: it was suppressed, or has not been sent yet, or it could not be rendered. `erased`: the person was erased. `not_kept`: the send is unknown, or its content is no longer kept.',
    ),
  contentUntil: instantSchema
    .nullable()
    .describe(
      "Until when it is kept: a transactional send's for the app's events retention, a campaign's for 30 days after the occurrence. `null` if no time is set, or nothing is kept.",
    ),
} as const;

export const contentMembers = {
  content: z
    .array(sentItemSchema)
    .nullable()
    .describe(
      'What each channel got, rendered for the person; email as HTML, before Engage adds footer and tracking. `null` if there is none; `contentState` says why.',
    ),
  ...contentStateFields,
} as const;

export const contentExample = {
  content: [
    {
      channel: 'email' as const,
      deviceIds: [exampleIds.device],
      language: null,
      title: 'Your order has shipped',
      body: 'Hello Ada, parcel A-1042 has left.',
    },
  ],
  contentState: 'as_sent' as const,
  contentUntil: exampleInstant(90 * 86_400),
};

export function contentView({ state, items, keptUntilMs }: SentContent) {
  return {
    content: items.length === 0 ? null : items.map(itemView),
    ...contentStateView({ state, keptUntilMs }),
  };
}

export function contentStateView({
  state,
  keptUntilMs,
}: Pick<SentContent, 'state'> & { readonly keptUntilMs?: number | undefined }) {
  return {
    contentState: state,
    contentUntil: keptUntilMs === undefined ? null : instant(keptUntilMs),
  };
}

function itemView({ channel, deviceIds, content }: SentContent['items'][number]) {
  const { options, language, liveActivity, mail, ...shown } = content;
  const { event, contentState, alert } = liveActivity ?? {};
  return {
    channel: channel ?? null,
    deviceIds: [...deviceIds],
    language: language ?? null,
    ...shown,
    ...options,
    ...sentMailView(mail),
    ...(liveActivity === undefined ? {} : { liveActivity: { event, contentState, alert } }),
  };
}
