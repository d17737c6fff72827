// LINE's accepted pushes: text, images, buttons templates, with documented fields, types and
// lengths. Refuses kinds that the product never sends.

import { z } from 'zod';

const address = z
  .string()
  .max(1_000)
  .refine((uri) => /^(?:https?|line|tel):/i.test(uri), 'invalid uri scheme');
const secureAddress = z
  .string()
  .max(2_000)
  .refine((url) => url.startsWith('https://') && URL.canParse(url), 'invalid uri scheme');
const label = z.string().min(1).max(20);

const action = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('uri'), label, uri: address }),
  z.strictObject({
    type: z.literal('postback'),
    label,
    data: z.string().min(1).max(300),
    displayText: z.string().min(1).max(300).optional(),
  }),
  z.strictObject({ type: z.literal('message'), label, text: z.string().min(1).max(300) }),
]);

const buttons = z
  .strictObject({
    type: z.literal('buttons'),
    thumbnailImageUrl: secureAddress.optional(),
    imageAspectRatio: z.enum(['rectangle', 'square']).optional(),
    imageSize: z.enum(['cover', 'contain']).optional(),
    imageBackgroundColor: z.string().optional(),
    title: z.string().min(1).max(40).optional(),
    text: z.string().min(1).max(160),
    defaultAction: action.optional(),
    actions: z.array(action).min(1).max(4),
  })
  .refine(
    ({ text, title, thumbnailImageUrl }) =>
      text.length <= 60 || (title === undefined && thumbnailImageUrl === undefined),
    { path: ['text'], message: 'must not be longer than 60 characters' },
  );

const message = z.discriminatedUnion('type', [
  z.strictObject({ type: z.literal('text'), text: z.string().min(1).max(5_000) }),
  z.strictObject({
    type: z.literal('image'),
    originalContentUrl: secureAddress,
    previewImageUrl: secureAddress,
  }),
  z.strictObject({
    type: z.literal('template'),
    altText: z.string().min(1).max(1_500),
    template: buttons,
  }),
]);

const push = z.strictObject({
  to: z.string(),
  messages: z.array(message).min(1).max(5),
  notificationDisabled: z.boolean().optional(),
  customAggregationUnits: z
    .array(z.string().regex(/^\w{1,30}$/))
    .max(1)
    .optional(),
});

export type Push = z.infer<typeof push>;
export type LineAction = z.infer<typeof action>;

/** A path such as `messages[0].text`, and why. */
export interface LineProblem {
  readonly property: string;
  readonly message: string;
}

/** Or all its problems. */
export function readPush(
  body: unknown,
): { readonly push: Push } | { readonly problems: readonly LineProblem[] } {
  const parsed = push.safeParse(body);
  if (parsed.success) return { push: parsed.data };
  return {
    problems: parsed.error.issues.map((issue) => ({
      property: issue.path.reduce<string>(
        (path, part) =>
          typeof part === 'number'
            ? `${path}[${part}]`
            : path
              ? `${path}.${String(part)}`
              : String(part),
        '',
      ),
      message:
        issue.code === 'unrecognized_keys' ? `Unknown property: ${issue.keys[0]}` : issue.message,
    })),
  };
}
