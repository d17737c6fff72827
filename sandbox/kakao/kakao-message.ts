// The AlimTalk calls that Solapi accepts, and its refusals. A wrong shape is refused whole, an
// invalid message listed as failed. Refuses unknown fields, which Solapi ignores.

import { z } from 'zod';

const text = z.string().min(1);
const button = z.discriminatedUnion('buttonType', [
  z.strictObject({
    buttonType: z.literal('WL'),
    buttonName: text,
    linkMo: text,
    linkPc: text.optional(),
  }),
  z.strictObject({ buttonType: z.literal('AL'), buttonName: text, linkAnd: text, linkIos: text }),
  z.strictObject({ buttonType: z.enum(['BK', 'MD', 'DS', 'BC', 'BT', 'AC']), buttonName: text }),
]);

const message = z.strictObject({
  to: z.string(),
  from: z.string(),
  type: z.enum(['ATA', 'SMS', 'LMS', 'CTA']),
  text: text.optional(),
  country: z
    .string()
    .regex(/^[1-9]\d{0,2}$/)
    .default('82'),
  kakaoOptions: z.strictObject({
    pfId: text,
    templateId: text,
    variables: z.record(z.string(), z.string()).optional(),
    disableSms: z.boolean().optional(),
    adFlag: z.boolean().optional(),
    imageId: text.optional(),
    buttons: z.array(button).optional(),
  }),
  customFields: z.record(z.string(), z.string()).optional(),
});

const call = z.strictObject({
  // Solapi accepts 10,000; the product sends one per call.
  messages: z.array(message).length(1),
  allowDuplicates: z.boolean().optional(),
  showMessageList: z.boolean().optional(),
});

export type KakaoMessage = z.infer<typeof message>;

interface KakaoCall {
  readonly message: KakaoMessage;
  readonly isListed: boolean;
}

/** Or the problem of its shape. */
export function readCall(body: unknown): KakaoCall | { readonly problem: string } {
  const parsed = call.safeParse(body);
  const first = parsed.data?.messages[0];
  if (first !== undefined)
    return { message: first, isListed: parsed.data?.showMessageList === true };
  const [issue] = parsed.error?.issues ?? [];
  return { problem: `"${issue?.path.join('.') ?? ''}" ${issue?.message ?? 'is missing'}` };
}

export type CodeAndWords = readonly [code: string, words: string];

/** The first problem, or `undefined`. */
export function problemOf({
  to,
  from,
  type,
  text: words,
  country,
  kakaoOptions,
  customFields = {},
}: KakaoMessage): CodeAndWords | undefined {
  if (type !== 'ATA') return ['1033', 'kakaoOptions is for messages of the types ATA and CTA'];
  if (!/^\d{5,15}$/.test(to)) return ['1011', 'Format Error: to'];
  // As dialled in Korea.
  if (country === '82' && !/^(?:0|1[5-9])/.test(to)) return ['1011', 'Format Error: to'];
  if (!/^\d{8,15}$/.test(from)) return ['1062', 'The sender number is not registered'];
  const { pfId, templateId, variables = {}, buttons = [] } = kakaoOptions;
  if (/\s/.test(pfId)) return ['1041', 'Not a valid channel'];
  if (/\s/.test(templateId)) return ['1042', 'Not a valid template id'];
  for (const [name, value] of Object.entries(variables)) {
    if (!/^#\{[^.{}]+\}$/.test(name)) return ['1043', `The template has no place ${name}`];
    if (value.length > 1_000) return ['1031', 'An AlimTalk has up to 1,000 characters'];
  }
  if (words !== undefined && words.length > 1_000)
    return ['1031', 'An AlimTalk has up to 1,000 characters'];
  if (buttons.length > 5) return ['1050', 'Up to five buttons'];
  if (buttons.some(({ buttonName }) => buttonName.length > 14))
    return ['1049', 'The name of a button has up to 14 characters'];
  for (const [name, value] of Object.entries(customFields)) {
    if (name.length > 30 || value.length > 100)
      return ['1032', 'A custom field has a name of up to 30 and a value of up to 100 characters'];
  }
  return undefined;
}
