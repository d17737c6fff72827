// The calls that Solapi accepts for one AlimTalk, and its refusals. A call of the wrong shape is
// refused whole; an invalid message comes back in the list of failures with a code. Solapi ignores
// unknown members; the stand-in refuses them, so that a mistake is noticed.

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
  // Solapi accepts 10,000. Each message is a line in the inbox, and the product sends one per call.
  messages: z.array(message).length(1),
  allowDuplicates: z.boolean().optional(),
  showMessageList: z.boolean().optional(),
});

export type KakaoMessage = z.infer<typeof message>;

interface KakaoCall {
  readonly message: KakaoMessage;
  readonly isListed: boolean;
}

/** The call, or the problem of its shape. */
export function readCall(body: unknown): KakaoCall | { readonly problem: string } {
  const parsed = call.safeParse(body);
  const first = parsed.data?.messages[0];
  if (first !== undefined)
    return { message: first, isListed: parsed.data?.showMessageList === true };
  const [issue] = parsed.error?.issues ?? [];
  return { problem: `"${issue?.path.join('.') ?? ''}" ${issue?.message ?? 'is missing'}` };
}

/** A message's code with its text. */
export type CodeAndWords = readonly [code: string, words: string];

/** The first problem of a message; `undefined` for a valid one. */
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
  // A Korean number as it is dialled in Korea.
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
