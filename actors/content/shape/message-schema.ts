// The content of messages, templates and transactional sends. These schemas check shapes and sizes
// and describe the API; `acceptContent` checks the rest (templates, links, reserved names). Unknown
// members are accepted and ignored.

import { z } from 'zod';
import {
  type Button,
  type DeliveryOptions,
  type UnsubscribeWays,
  unsubscribeWays,
} from '../../channels/port/attempt.ts';
import { contentLimits } from './content-limits.ts';
import { deliveryOptionFields } from './delivery-options.ts';

export interface LocalizedContent {
  readonly title?: string;
  /** Plain text, or HTML if it has a tag. */
  readonly body?: string;
  readonly image?: string;
  readonly deepLink?: string;
  readonly buttons?: readonly Button[];
}

/** Content in normal form, not rendered. Delivery options are at top level, as on the wire. */
export interface MessageContent extends LocalizedContent, DeliveryOptions {
  readonly data?: Readonly<Record<string, string | number | boolean>>;
  readonly payload?: Readonly<Record<string, unknown>>;
  readonly unsubscribe?: UnsubscribeWays;
  /** Whether links get the app's campaign parameters; absent: in marketing. */
  readonly utm?: boolean;
  /** Keys in the form of `languageKey`. */
  readonly localizations?: Readonly<Record<string, LocalizedContent>>;
}

/** One problem of content that is being written. */
export interface ContentIssue {
  /** `error`: it cannot be saved. `warning`: it prints nothing for this person. */
  readonly level: 'error' | 'warning';
  /** As in the content: `localizations.de.body`. */
  readonly field: string;
  /** From 1, within the field's text; absent where the whole field is meant. */
  readonly line?: number;
  readonly column?: number;
  readonly error: string;
}

/** A change: given members replace whole members; `removed` ones go. */
export interface ContentChange {
  readonly content: MessageContent;
  readonly removed: readonly string[];
}

const { titleMax, htmlSourceMax, sourceMax, buttonsMax, localizationsMax, dataKeysMax } =
  contentLimits;
const text = (max: number, meaning: string) => z.string().max(max).optional().describe(meaning);

/** A button as it is sent; its other names for label and link are read beside it. */
export const buttonSchema = z
  .looseObject({
    id: z
      .string()
      .optional()
      .describe('Identifies the button in click events; letters, digits, _ . -'),
    label: z
      .string()
      .max(sourceMax)
      .optional()
      .describe("The button's text. `text` and `title` are accepted as aliases."),
    url: z
      .string()
      .max(sourceMax)
      .optional()
      .describe(
        'An https:, http:, mailto:, tel: or app link; the app opens if omitted. `link` and `deepLink` are accepted as aliases.',
      ),
  })
  .meta({ title: 'Button' });

// A plain union would report the error of one of its branches.
const scalar = z
  .unknown()
  .refine(
    (value) => typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean',
    'expected a string, number or boolean',
  )
  .pipe(z.union([z.string(), z.number(), z.boolean()]));

const localizedFields = {
  title: text(titleMax, 'Title, or subject of an email. May use Liquid.'),
  body: text(
    htmlSourceMax,
    `Message text. May use Liquid. If it contains an HTML tag, it is HTML: email sends it as HTML, with inserted values escaped; other channels send its plain text. Without HTML, at most ${sourceMax} characters. In a whole HTML document, \`<!--engage:end-->\` says where an email puts buttons and the unsubscribe link; without it, at the end.`,
  ),
  image: text(sourceMax, 'Image URL, https: or http:. May use Liquid.'),
  deepLink: text(sourceMax, 'What a tap opens: an app link or a URL. May use Liquid.'),
  buttons: z.array(buttonSchema).max(buttonsMax).optional().describe('Buttons, in order.'),
} as const;

/** The fields of a language, as they are sent. */
export const localizedSchema = z.looseObject(localizedFields);

export const contentFields = {
  ...localizedFields,
  data: z
    .record(z.string(), scalar)
    .optional()
    .describe('Custom data for the device; values arrive as strings. Strings may use Liquid.')
    .meta({
      maxProperties: dataKeysMax,
      additionalProperties: {
        anyOf: [{ type: 'string' }, { type: 'number' }, { type: 'boolean' }],
      },
    }),
  payload: z
    .record(z.string(), z.unknown())
    .optional()
    .describe(
      'Channel-specific content, and delivery options. `whatsapp`: {templateName, languageCode?, headerParams?, bodyParams?, buttonParams?}; without `languageCode` the language of the localization or the person. `kakao`: {templateId, variables?, senderKey?}. `voice`: {language?, voice?}, a language tag and a voice of the carrier. `zalo`: {templateId, params?}, a transaction message such as `transaction_order` with a table of params. Strings may use Liquid. `warnings` names fields that these objects do not have.',
    ),
  ...deliveryOptionFields,
  unsubscribe: z
    .enum(unsubscribeWays)
    .optional()
    .describe(
      "Where an email offers to unsubscribe: a `footer` link, the `header` that email clients show as a button, `both`, or `none`. Default: the app's setting, else `none` for transactional messages and `both` for marketing. Marketing always has the header.",
    ),
  utm: z
    .boolean()
    .optional()
    .describe(
      "Whether links get the campaign parameters (`utm_…`) of the app's setting `utm`. Default: `true` in campaigns and journeys, `false` in transactional messages.",
    ),
  localizations: z
    .record(z.string(), localizedSchema)
    .optional()
    .describe(
      'Localizations by language tag. Resolution order: region, then base language, then the message itself. Tags are compared in canonical form (`in_ID` is `id-ID`), with the script that a region implies (`zh-HK` gets `zh-Hant` before `zh`).',
    )
    .meta({ maxProperties: localizationsMax }),
} as const;

/** What bodies take; answers show the options at top level. */
export const contentInputFields = {
  ...contentFields,
  deliveryOptions: z
    .object(deliveryOptionFields)
    .optional()
    .describe('The delivery options as one field. An option at the top level takes precedence.'),
} as const;

export const contentSchema = z.looseObject(contentInputFields);

/** Content as the schema returns it, before `acceptContent`. */
export type ContentInput = z.infer<typeof contentSchema>;
