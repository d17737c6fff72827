// OneSignal's notifications and players, for its public examples with another address: `app_id` is
// the app id, and `Authorization: Key` or `Basic` shows an API key. A notification runs the batch
// route. What is not understood is a 400 before anything is sent.

import { z } from 'zod';
import { limits } from '../../actors/limits.ts';
import type { AccountsProtocol } from '../../actors/tenants/accounts/protocol.ts';
import { type Fault, FaultError, fieldFault } from '../../engine/base/fault.ts';
import { present } from '../call/answer/present.ts';
import type { Call } from '../call/call.ts';
import { handle } from '../call/inner-call.ts';
import { key, route } from '../call/route.ts';
import { exampleIds } from '../call/schemas/example-ids.ts';
import { upsertSubscriber } from '../routes/audience/subscribers.ts';
import { sendBatch } from '../routes/notifications/send-batch.ts';
import { consentOf } from './named-elsewhere.ts';

const base = '/compat/onesignal/api/v1';
const tag = 'Other services';
/** As OneSignal answers errors. */
const errorMembers = ({ message }: Fault) => ({ errors: [message] });
const shared = { tag, keyForm: 'anyScheme', errorMembers } as const;

const ids = z.array(z.string().min(1)).min(1).max(limits.batchRecipientsMax);
const texts = z.record(z.string(), z.string()).describe('By language; `en` is the default.');

const notificationBody = z
  .strictObject({
    app_id: z.string().describe('App id.'),
    include_aliases: z.strictObject({ external_id: ids }).optional(),
    include_external_user_ids: ids.optional(),
    include_player_ids: ids.optional().describe('Ids that `POST …/players` answered.'),
    include_subscription_ids: ids.optional().describe('The same.'),
    target_channel: z.enum(['push', 'email', 'sms']).optional(),
    channel_for_external_user_ids: z.enum(['push', 'email', 'sms']).optional(),
    contents: texts.optional(),
    headings: texts.optional(),
    email_subject: z.string().optional(),
    email_body: z.string().optional(),
    template_id: z.string().optional().describe('The id or the handle of a message template.'),
    custom_data: z.record(z.string(), z.unknown()).optional().describe('Variables.'),
    data: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    url: z.string().optional(),
    big_picture: z.string().optional(),
    priority: z.int().optional().describe('10 is high, anything below normal.'),
    ttl: z.int().optional().describe('Seconds.'),
    name: z.string().optional().describe('Not stored.'),
    idempotency_key: z.string().optional(),
    external_id: z.string().optional().describe('An older name of `idempotency_key`.'),
  })
  .meta({
    examples: [
      {
        app_id: exampleIds.app,
        include_aliases: { external_id: ['customer-42'] },
        target_channel: 'push',
        headings: { en: 'Your order' },
        contents: { en: 'It is on its way.' },
      },
    ],
  });

type Notification = z.output<typeof notificationBody>;

export const sendOneSignal = route({
  ...shared,
  method: 'POST',
  path: `${base}/notifications`,
  summary: 'Send a notification (OneSignal)',
  description: `Sends to up to ${limits.batchRecipientsMax.toLocaleString('en')} people as \`POST /v1/apps/:appId/notifications/batch\` does: transactional, so without caps and quiet hours. People are named by \`include_aliases.external_id\`, \`include_external_user_ids\` or the ids of \`POST …/players\`. Fields that are not listed here, such as \`included_segments\`, \`filters\` and \`send_after\`, are a 400: use a campaign.`,
  access: key('send'),
  lane: 'transactional',
  unitsOf: (body) => Math.max(1, recipientsOf(body).length),
  changes: ['notification'],
  body: notificationBody,
  responses: {
    200: {
      description: 'Accepted and stored; who was not reached is named in `errors`.',
      schema: z
        .object({
          id: z.string().describe('The id of the first send; empty if there is none.'),
          external_id: z.string().nullable(),
          recipients: z.int().describe('How many sends were queued.'),
          errors: z
            .object({ invalid_aliases: z.object({ external_id: z.array(z.string()) }) })
            .optional(),
        })
        .meta({
          examples: [{ id: exampleIds.send, external_id: null, recipients: 1 }],
        }),
    },
  },
  refusals: [404, 409],
  async handle(call) {
    const { body } = call;
    const recipients = recipientsOf(body);
    if (recipients.length === 0)
      throw new FaultError(
        fieldFault('include_aliases', 'is missing; name people by their external_id'),
      );
    if (recipients.length > limits.batchRecipientsMax)
      throw new FaultError(
        fieldFault('include_aliases', `expected at most ${limits.batchRecipientsMax} people`),
      );
    const idempotencyKey = body.idempotency_key ?? body.external_id;
    const reply = await handle(call, sendBatch, {
      params: { appId: body.app_id },
      body: {
        ...contentOf(body, await appNameOf(call, body)),
        ...(idempotencyKey === undefined ? {} : { idempotencyKey }),
        recipients,
      },
    });
    return { status: 200, body: answerOf(reply.body as BatchAnswer, body.external_id) };
  },
});

interface BatchAnswer {
  readonly queued: number;
  readonly replayed: number;
  readonly results: readonly {
    readonly outcome: string;
    readonly id?: string;
    readonly error?: string;
    readonly externalUserId?: string;
    readonly subscriberId?: string;
  }[];
}

function recipientsOf(body: Notification): readonly object[] {
  const external = [
    ...(body.include_aliases?.external_id ?? []),
    ...(body.include_external_user_ids ?? []),
  ];
  const own = [...(body.include_player_ids ?? []), ...(body.include_subscription_ids ?? [])];
  return [
    ...[...new Set(external)].map((externalUserId) => ({ externalUserId })),
    ...[...new Set(own)].map((subscriberId) => ({ subscriberId })),
  ];
}

/** A push without a heading has the name of the app, as at OneSignal. */
async function appNameOf(
  call: Pick<Call, 'to' | 'app'>,
  { headings, template_id: template, app_id: appId }: Notification,
): Promise<string | undefined> {
  if (headings !== undefined || template !== undefined) return undefined;
  const { name } = await call.to<AccountsProtocol>(call.app(appId)).ask('app.read', {});
  // A name may look like Liquid, which a title would run.
  return name.replace(/[{}]/g, '');
}

const channelsOf = { push: ['fcm', 'apns', 'webpush'], email: ['email'], sms: ['sms'] } as const;

function contentOf(body: Notification, appName: string | undefined): object {
  const { headings = {}, contents = {}, template_id: template } = body;
  const target = body.target_channel ?? body.channel_for_external_user_ids;
  const isEmail = body.email_body !== undefined || body.email_subject !== undefined;
  const channels = target ?? (isEmail ? 'email' : 'push');
  if (isEmail && channels !== 'email')
    throw new FaultError(fieldFault('target_channel', 'expected email with email_body'));
  const { en: title = channels === 'push' ? appName : undefined, ...titles } = headings;
  const { en: text, ...bodies } = contents;
  if (text === undefined && Object.keys(bodies).length > 0)
    throw new FaultError(fieldFault('contents', 'en is missing, which is the default'));
  const languages = new Set([...Object.keys(titles), ...Object.keys(bodies)]);
  const localizations = Object.fromEntries(
    [...languages].map((tag) => [
      languageOf(tag),
      present({ title: titles[tag] ?? title, body: bodies[tag] ?? text }),
    ]),
  );
  const isId = template?.startsWith('tpl_') === true;
  return present({
    channels: channelsOf[channels],
    title: isEmail ? body.email_subject : title,
    body: isEmail ? body.email_body : text,
    ...(languages.size === 0 || isEmail ? {} : { localizations }),
    ...(template === undefined ? {} : { [isId ? 'templateId' : 'templateName']: template }),
    variables: body.custom_data,
    data: body.data,
    deepLink: body.url,
    image: body.big_picture,
    ...(body.priority === undefined ? {} : { priority: body.priority >= 10 ? 'high' : 'normal' }),
    ttlSeconds: body.ttl,
  });
}

/** OneSignal's codes of Chinese; all others are language tags. */
function languageOf(tag: string): string {
  return tag === 'zh-Hans' || tag === 'zh-Hant' ? tag : tag.toLowerCase();
}

function answerOf({ queued, replayed, results }: BatchAnswer, externalId: string | undefined) {
  const invalid = results.find(({ outcome }) =>
    ['invalid', 'conflict', 'failed'].includes(outcome),
  );
  if (queued + replayed === 0 && invalid !== undefined)
    throw new FaultError(fieldFault('contents', invalid.error ?? 'nothing could be sent'));
  const missing = results.filter(({ id }) => id === undefined);
  return {
    id: results.find(({ id }) => id !== undefined)?.id ?? '',
    external_id: externalId ?? null,
    recipients: queued + replayed,
    ...(missing.length === 0
      ? {}
      : {
          errors: {
            invalid_aliases: {
              external_id: missing.map(
                ({ externalUserId, subscriberId }) => externalUserId ?? subscriberId ?? '',
              ),
            },
          },
        }),
  };
}

const playerBody = z
  .strictObject({
    app_id: z.string().describe('App id.'),
    device_type: z
      .union([z.literal(0), z.literal(1), z.literal(11), z.literal(14)])
      .describe('0: iOS, 1: Android, 11: email, 14: SMS.'),
    identifier: z.string().min(1).describe('A push token, an email address or a phone number.'),
    external_user_id: z.string().min(1).optional(),
    language: z.string().optional(),
    timezone_id: z.string().optional(),
    tags: z.record(z.string(), z.union([z.string(), z.number(), z.boolean()])).optional(),
    test_type: z.int().optional().describe('1 or 2: a token of the development environment.'),
  })
  .meta({
    examples: [
      {
        app_id: exampleIds.app,
        device_type: 11,
        identifier: 'ada@example.com',
        external_user_id: 'customer-42',
        tags: { plan: 'pro' },
      },
    ],
  });

const channelOf = { 0: 'apns', 1: 'fcm', 11: 'email', 14: 'sms' } as const;

export const addOneSignalPlayer = route({
  ...shared,
  method: 'POST',
  path: `${base}/players`,
  summary: 'Add a device (OneSignal)',
  description:
    'Registers the token or address as `POST /v1/apps/:appId/subscribers` does, for the person of `external_user_id`, or a new one. Whether an email address has to be confirmed is the `consent` of the customer data platform. `id` is the subscriber’s. `notification_types` is a 400: record an opt-out with `POST /v1/apps/:appId/suppressions`.',
  access: key('write'),
  changes: ['subscriber', 'device', 'tag-name'],
  body: playerBody,
  responses: {
    200: {
      description: 'Stored.',
      schema: z
        .object({ success: z.literal(true), id: z.string() })
        .meta({ examples: [{ success: true, id: exampleIds.subscriber }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const { body } = call;
    const channel = channelOf[body.device_type];
    const environment = channel === 'apns' && body.test_type !== undefined ? 'sandbox' : undefined;
    const tags = present({ ...body.tags, language: body.language });
    const reply = await handle(call, upsertSubscriber, {
      params: { appId: body.app_id },
      body: present({
        externalUserId: body.external_user_id,
        timezone: body.timezone_id,
        ...(Object.keys(tags).length === 0 ? {} : { tags }),
        devices: [present({ channel, endpoint: body.identifier, environment })],
        consent: await consentOf(call, body.app_id),
      }),
    });
    const { id } = reply.body as { readonly id: string };
    return { status: 200, body: { success: true, id } };
  },
});
