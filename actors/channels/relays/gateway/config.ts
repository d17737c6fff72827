// What a tenant says about a gateway: how it is called, what its answers mean, how it reports. All
// of it is data, bounded, and checked when it is stored.

import { z } from 'zod';
import { oneLine } from '../../port/credential-forms.ts';
import { layoutProblems, pollingProblems } from './layout-problems.ts';
import { textPricesSchema } from './price-schema.ts';

const name = z
  .string()
  .regex(/^[a-zA-Z][a-zA-Z0-9_]{0,39}$/, 'must be a name of letters and digits');
const template = z.string().max(2_048);
const reason = z
  .string()
  .regex(/^[a-z][a-z0-9_]{2,39}$/, 'must be a snake_case word, such as balance_used_up');
const place = z.union([
  z
    .string()
    .max(200)
    .regex(/^[^.]+(\.[^.]+)*$/, 'must be a path, such as messages.0.status'),
  z.strictObject({
    after: z.string().min(1).max(200),
    before: z.string().min(1).max(200).optional(),
  }),
]);
const places = z.union([place, z.array(place).min(1).max(4)]);
/** Each may have `*` for any characters. */
const wanted = z.array(z.string().max(200)).min(1).max(100);
const headerName = z
  .string()
  .max(100)
  .regex(/^[A-Za-z0-9!#$%&'*+.^_`|~-]+$/, 'must be the name of a header');
const country = z.string().regex(/^[A-Z]{2}$/, 'must be an ISO 3166 country, such as VN');

/** A condition on an answer; all given members hold. */
const condition = {
  /** Of HTTP: `200`, `2*`. */
  status: wanted.optional(),
  code: wanted.optional(),
  /** Another place than `code`, and what stands there. */
  at: place.optional(),
  is: wanted.optional(),
};

const answerSchema = z.strictObject({
  format: z.enum(['json', 'form', 'text']).default('json'),
  /** The gateway's id of the message. */
  id: places.optional(),
  /** Its code of the result. */
  code: places.optional(),
  /** Its words, for the story of a send. */
  words: places.optional(),
  accepted: z.strictObject(condition),
  /** In order; the first that holds counts, before `accepted`. */
  meanings: z
    .array(
      z.strictObject({
        ...condition,
        outcome: z.enum(['dead', 'opted_out', 'permanent', 'config', 'rate', 'retry', 'ambiguous']),
        reason,
        /** Of `rate` and `retry`, if the answer names no wait. */
        waitSeconds: z.number().int().min(1).max(3_600).optional(),
      }),
    )
    .max(60)
    .default([]),
});

const proofSchema = z.discriminatedUnion('kind', [
  /** A part of the address that `{{ callback_url }}` has: `token=…`. */
  z.strictObject({ kind: z.literal('token'), query: name.default('token'), secret: name }),
  z.strictObject({ kind: z.literal('basic'), user: name, password: name }),
  /** A header with the secret itself. */
  z.strictObject({ kind: z.literal('header'), header: headerName, secret: name }),
  z.strictObject({
    kind: z.literal('hmac'),
    header: headerName,
    secret: name,
    algorithm: z.enum(['sha1', 'sha256', 'sha512']).default('sha256'),
    encoding: z.enum(['hex', 'base64']).default('hex'),
    /** What stands before the signature in its header: `sha256=`. */
    prefix: z.string().max(40).optional(),
    /** Fields whose values are signed, in order; default the raw body. */
    fields: z.array(place).min(1).max(10).optional(),
    /** Between the values of `fields`, and between timestamp and body. */
    join: z.string().max(4).default(''),
    /** A header with Unix seconds, signed before the rest; older calls are refused. */
    timestamp: z
      .strictObject({ header: headerName, secondsMax: z.number().int().min(60).max(86_400) })
      .optional(),
  }),
]);

/** What is said of a message, and what it means. */
const newsMembers = {
  status: places,
  error: places.optional(),
  /** In order; the first that holds counts. */
  statuses: z
    .array(
      z.strictObject({
        status: wanted.optional(),
        error: wanted.optional(),
        at: place.optional(),
        is: wanted.optional(),
        means: z.enum(['taken', 'arrived', 'read', 'failed', 'dead', 'opted_out']),
        reason: reason.optional(),
      }),
    )
    .min(1)
    .max(60),
};

const reportsSchema = z.strictObject({
  /** `auto`: by the call's content type; without a body everything stands in the address. */
  format: z.enum(['auto', 'json', 'form', 'query']).default('auto'),
  /** The list of reports in a body; default the body is one. */
  items: z.string().max(200).optional(),
  /** Where `{{ id }}` comes back. */
  mark: places.optional(),
  /** Where `{{ uuid }}` comes back. */
  uuid: places.optional(),
  /** Where the gateway's own id stands. */
  id: places.optional(),
  to: places.optional(),
  ...newsMembers,
});

const inboundSchema = z.strictObject({
  format: z.enum(['auto', 'json', 'form', 'query']).default('auto'),
  items: z.string().max(200).optional(),
  id: places.optional(),
  from: places,
  text: places,
});

const callbacksSchema = z.strictObject({
  proof: proofSchema,
  reports: reportsSchema.optional(),
  inbound: inboundSchema.optional(),
});

const memberNames = z.record(z.string().max(100), template);

/** A JSON object, the fields of a form, or a text. */
const body = z.union([z.string().max(8_192), z.record(z.string(), z.unknown())]);

/**
 * A call that asks what became of a message, of a gateway that does not report by itself. It has
 * `{{ message_id }}`, `{{ id }}`, `{{ uuid }}` and the credentials.
 */
const pollingSchema = z.strictObject({
  url: template.min(1),
  method: z.enum(['GET', 'POST', 'PUT']).default('GET'),
  query: memberNames.optional(),
  /** In place of those of a text; the login stays. */
  headers: z.record(headerName, template).optional(),
  contentType: z.enum(['json', 'form', 'xml', 'text']).default('json'),
  /** Absent with GET. */
  body: body.optional(),
  answer: z.strictObject({
    format: z.enum(['json', 'form', 'text']).default('json'),
    ...newsMembers,
  }),
  /** The first question after a text was accepted; each further one waits twice as long. */
  everySeconds: z.number().int().min(30).max(3_600).default(60),
  /** When a text without an outcome is given up. */
  forHours: z.number().int().min(1).max(72).default(24),
  /** Questions of all texts together. */
  perSecond: z.number().int().min(1).max(50).default(10),
});

export const gatewaySchema = z
  .strictObject({
    /** The recipe that it was filled from, for people. */
    recipe: z.string().max(40).optional(),
    /** https, on the internet. Placeholders may stand in its path. */
    url: template.min(1),
    method: z.enum(['GET', 'POST', 'PUT']).default('POST'),
    query: memberNames.optional(),
    headers: z.record(headerName, template).optional(),
    basic: z.strictObject({ user: template, password: template }).optional(),
    contentType: z.enum(['json', 'form', 'xml', 'text']).default('json'),
    /** Absent with GET. */
    body: body.optional(),
    from: oneLine(1, 32).optional(),
    /** +84901234567, 84901234567, or 0901234567 for numbers of `country`. */
    numberForm: z.enum(['e164', 'digits', 'national']).default('e164'),
    country: country.optional(),
    /** Before national numbers. */
    nationalPrefix: z
      .string()
      .regex(/^\d{0,2}$/)
      .default('0'),
    encoding: z
      .strictObject({
        gsm7: z.string().max(20).optional(),
        ucs2: z.string().max(20).optional(),
        /** It takes no other alphabet. */
        only: z.literal('gsm7').optional(),
      })
      .optional(),
    segmentsMax: z.number().int().min(1).max(20).optional(),
    answer: answerSchema,
    /** A call that tries the account without sending; with the same headers and login. */
    check: z
      .strictObject({
        url: template.min(1),
        query: memberNames.optional(),
        accepted: z.strictObject(condition),
      })
      .optional(),
    /** What it posts to `{{ callback_url }}`, or to the same address with `?app=…`. */
    callbacks: callbacksSchema.optional(),
    /** How its outcomes are asked for. */
    polling: pollingSchema.optional(),
    price: textPricesSchema.optional(),
    credentials: z
      .record(name, z.string().min(1).max(2_048))
      .default({})
      .refine((all) => Object.keys(all).length <= 10, 'has over 10 names'),
  })
  .superRefine((config, context) => {
    const problems = [
      ...layoutProblems(config),
      ...pollingProblems(config),
      ...proofProblems(config),
    ];
    for (const { path, message } of problems)
      context.addIssue({ code: 'custom', path: [...path], message });
  });

/** Members of a proof that name credentials. */
function proofProblems({
  callbacks,
  credentials,
}: {
  readonly callbacks?: z.infer<typeof callbacksSchema> | undefined;
  readonly credentials: Readonly<Record<string, string>>;
}) {
  if (callbacks === undefined) return [];
  const { proof } = callbacks;
  const named: readonly (readonly [member: string, name: string])[] =
    proof.kind === 'basic'
      ? [
          ['user', proof.user],
          ['password', proof.password],
        ]
      : [['secret', proof.secret]];
  return named
    .filter(([, name]) => !Object.hasOwn(credentials, name))
    .map(([member]) => ({
      path: ['callbacks', 'proof', member],
      message: 'is not among the credentials',
    }));
}

export type GatewayConfig = z.infer<typeof gatewaySchema>;
export type GatewayAnswer = z.infer<typeof answerSchema>;
export type GatewayCallbacks = z.infer<typeof callbacksSchema>;
export type GatewayReports = z.infer<typeof reportsSchema>;
export type GatewayPolling = z.infer<typeof pollingSchema>;
export type GatewayProof = z.infer<typeof proofSchema>;
