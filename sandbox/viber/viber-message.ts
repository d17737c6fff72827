// Viber's accepted messages: texts and pictures with a keyboard, with documented fields, types and
// lengths. Refuses unknown fields, which Viber ignores, and kinds that the product never sends.

import { z } from 'zod';

const requestBytesMax = 30 * 1024;

const link = z.string().regex(/^(?:https?|viber):\/\/\S+$/i, 'must be a web address');
const pictureAddress = z
  .string()
  .regex(
    /^https:\/\/[^\s?#]+\.(?:jpe?g|png|gif)(?:[?#]\S*)?$/i,
    'must be the https address of a JPEG, PNG or GIF',
  );

const buttonMembers = {
  Columns: z.int().min(1).max(6).optional(),
  Rows: z.int().min(1).max(2).optional(),
  Text: z.string().min(1).max(250),
  Silent: z.boolean().optional(),
  BgColor: z
    .string()
    .regex(/^#[0-9a-f]{6}$/i)
    .optional(),
};
const button = z.discriminatedUnion('ActionType', [
  z.strictObject({ ...buttonMembers, ActionType: z.literal('open-url'), ActionBody: link }),
  z.strictObject({
    ...buttonMembers,
    ActionType: z.literal('reply'),
    ActionBody: z.string().min(1),
  }),
  z.strictObject({
    ...buttonMembers,
    ActionType: z.literal('none'),
    ActionBody: z.string().optional(),
  }),
]);

const common = {
  receiver: z.string().min(1).max(64),
  min_api_version: z.int().min(1).max(10).optional(),
  sender: z.strictObject({ name: z.string().min(1).max(28), avatar: link.optional() }),
  tracking_data: z.string().max(4_000).optional(),
  keyboard: z
    .strictObject({
      Type: z.literal('keyboard'),
      DefaultHeight: z.boolean().optional(),
      BgColor: buttonMembers.BgColor,
      Buttons: z.array(button).min(1).max(144), // 24 rows of six
    })
    .optional(),
};
const message = z.discriminatedUnion('type', [
  z.strictObject({ ...common, type: z.literal('text'), text: z.string().min(1).max(7_000) }),
  z.strictObject({
    ...common,
    type: z.literal('picture'),
    text: z.string().max(768),
    media: pictureAddress,
    thumbnail: pictureAddress.optional(),
  }),
]);

export type ViberMessage = z.infer<typeof message>;
export type ViberButton = z.infer<typeof button>;

interface ViberProblem {
  readonly status: number;
  readonly words: string;
}

/** The message, or its problem. */
export function readMessage(body: unknown, bytes: number): ViberMessage | ViberProblem {
  if (bytes > requestBytesMax)
    return { status: 3, words: `badData: more than ${requestBytesMax} bytes` };
  if (body === undefined) return { status: 3, words: 'badData: no JSON' };
  const parsed = message.safeParse(body);
  if (parsed.success) return parsed.data;
  const [first] = parsed.error.issues;
  const at = first?.path.join('.') ?? '';
  if (/received undefined/.test(first?.message ?? ''))
    return { status: 4, words: `missingData: ${at}` };
  return { status: 3, words: `badData: ${at === '' ? '' : `${at}: `}${first?.message}` };
}
