// RCS agent messages and refusals as at Google. Names are lowerCamelCase only, as documented.

import { z } from 'zod';

const suggestionText = z.string().min(1).max(25);
const postbackData = z.string().max(2_048).optional();
const webAddress = z
  .string()
  .max(2_048)
  .refine((url) => /^https?:\/\//.test(url) && URL.canParse(url), 'Invalid URI');
const anything = z.record(z.string(), z.unknown()).optional();

const suggestion = oneOf(['reply', 'action'], {
  reply: z.strictObject({ text: suggestionText, postbackData }).optional(),
  action: oneOf(
    [
      'openUrlAction',
      'dialAction',
      'viewLocationAction',
      'createCalendarEventAction',
      'shareLocationAction',
      'composeAction',
    ],
    {
      text: suggestionText,
      postbackData,
      fallbackUrl: webAddress.optional(),
      openUrlAction: z
        .strictObject({
          url: webAddress,
          application: z.enum(['BROWSER', 'WEBVIEW']).optional(),
          webviewViewMode: z.enum(['FULL', 'HALF', 'TALL']).optional(),
          description: z.string().optional(),
        })
        .optional(),
      dialAction: z.strictObject({ phoneNumber: z.string().regex(/^\+[1-9]\d{1,14}$/) }).optional(),
      viewLocationAction: anything,
      createCalendarEventAction: anything,
      shareLocationAction: anything,
      composeAction: anything,
    },
  ).optional(),
});

const contentInfo = z.strictObject({
  fileUrl: webAddress,
  thumbnailUrl: webAddress.optional(),
  forceRefresh: z.boolean().optional(),
});

const cardContent = z
  .strictObject({
    title: z.string().max(200).optional(),
    description: z.string().max(2_000).optional(),
    media: z
      .strictObject({
        height: z.enum(['SHORT', 'MEDIUM', 'TALL']),
        contentInfo,
      })
      .optional(),
    suggestions: z.array(suggestion).max(4).optional(),
  })
  .refine(
    ({ title, description, media }) => title ?? description ?? media,
    'A card has a title, a description or media',
  );

const agentMessage = oneOf(
  ['ttl', 'expireTime'],
  {
    ttl: z
      .string()
      .refine(isLife, 'ttl must be a duration of 10 seconds to 15 days, such as "60s"')
      .optional(),
    expireTime: z.string().optional(),
    messageTrafficType: z
      .enum(['AUTHENTICATION', 'TRANSACTION', 'PROMOTION', 'SERVICEREQUEST', 'ACKNOWLEDGEMENT'])
      .optional(),
    contentMessage: oneOf(['text', 'richCard', 'contentInfo', 'uploadedRbmFile'], {
      text: z.string().min(1).max(3_072).optional(),
      richCard: oneOf(['standaloneCard', 'carouselCard'], {
        standaloneCard: z
          .strictObject({
            cardOrientation: z.enum(['HORIZONTAL', 'VERTICAL']),
            thumbnailImageAlignment: z.enum(['LEFT', 'RIGHT']).optional(),
            cardContent,
          })
          .optional(),
        carouselCard: z
          .strictObject({
            cardWidth: z.enum(['SMALL', 'MEDIUM']),
            cardContents: z.array(cardContent).min(2).max(10),
          })
          .optional(),
      }).optional(),
      contentInfo: contentInfo.optional(),
      uploadedRbmFile: anything,
      suggestions: z.array(suggestion).max(11).optional(),
    }),
  },
  0,
);

export type AgentMessage = z.infer<typeof agentMessage>;
export type Suggestion = z.infer<typeof suggestion>;

/** Or its first problem in Google's terms, with the field. */
export function readAgentMessage(
  body: unknown,
): { readonly message: AgentMessage } | { readonly field: string; readonly problem: string } {
  const parsed = agentMessage.safeParse(body);
  if (parsed.success) return { message: parsed.data };
  const [issue] = parsed.error.issues;
  const field = issue?.path.join('.') ?? '';
  const where = field === '' ? 'agent_message' : `agent_message.${field}`;
  const problem =
    issue?.code === 'unrecognized_keys'
      ? `Invalid JSON payload received. Unknown name "${issue.keys[0]}" at '${where}': Cannot find field.`
      : `Invalid value at '${where}': ${issue?.message}`;
  return { field, problem };
}

/** Only these fields: at least `min` (default one), at most one. */
function oneOf<Shape extends z.ZodRawShape>(names: readonly string[], shape: Shape, min = 1) {
  return z.strictObject(shape).refine(
    (value: object) => {
      const held = names.filter((name) => (value as Record<string, unknown>)[name] !== undefined);
      return held.length >= min && held.length <= 1;
    },
    `${min === 1 ? 'exactly' : 'at most'} one of ${names.join(', ')}`,
  );
}

function isLife(ttl: string): boolean {
  const seconds = /^\d{1,9}(\.\d{1,9})?s$/.test(ttl) ? Number.parseFloat(ttl) : Number.NaN;
  return seconds >= 10 && seconds <= 15 * 86_400;
}
