// Customer.io's Track API v1 and its transactional email, for its libraries with another address:
// the site id is the app id, the key an API key. Each call runs our own routes, so it can do what
// they can. What is not understood is a 400 before anything is stored.

import { z } from 'zod';
import { mapCall } from '../../actors/events/cdp/call.ts';
import type { EventsProtocol } from '../../actors/events/protocol.ts';
import { type Fault, FaultError, fieldFault } from '../../engine/base/fault.ts';
import type { Call } from '../call/call.ts';
import { handle, refuseScopes } from '../call/inner-call.ts';
import { key, type Route, route } from '../call/route.ts';
import { canonicalZone, isTimeZone } from '../call/schemas/schemas.ts';
import { deleteDevice } from '../routes/audience/devices.ts';
import { deleteSubscriber, upsertSubscriber } from '../routes/audience/subscribers.ts';
import { addSuppression } from '../routes/audience/suppressions.ts';
import { sendNotification } from '../routes/notifications/send-notification.ts';
import { appIdOf, appQuery, consentOf, subscriberNamed } from './named-elsewhere.ts';

const base = '/compat/customerio/api/v1';
const done = { 200: { description: 'Stored.', schema: z.object({}).meta({ examples: [{}] }) } };
const tag = 'Other services';

/** As Customer.io answers errors. */
const errorMembers = ({ message }: Fault) => ({ meta: { error: message } });
const shared = { tag, query: appQuery, keyForm: 'anyScheme', errorMembers } as const;
const params = { customerId: 'Your own id of the person.' };

type CompatCall<Body = unknown> = Call<z.output<typeof appQuery>, Body>;

const attributes = z.record(z.string(), z.unknown());

export const identifyCustomer = route({
  ...shared,
  method: 'PUT',
  path: `${base}/customers/:customerId`,
  summary: 'Identify a person (Track API)',
  description:
    'Creates or updates the person as `POST /v1/apps/:appId/subscribers` does. Attributes become tags; `email` and `phone` are devices too, and `timezone` is the time zone. Whether addresses have to be confirmed is the `consent` of the customer data platform (`PATCH /v1/apps/:appId/integrations/cdp`). `unsubscribed: true` records an opt-out of marketing for their addresses, before anything else. `unsubscribed: false` is a 400 for a person who opted out: an opt-out is lifted by `DELETE /v1/apps/:appId/suppressions` alone. Topics of `cio_subscription_preferences` are choices of topics with these keys. An attribute that no tag can hold is a 400, and nothing is stored.',
  access: key('write'),
  changes: ['subscriber', 'device', 'tag-name', 'suppression'],
  params,
  body: attributes.meta({ examples: [{ email: 'customer-42@example.com', first_name: 'Ada' }] }),
  responses: done,
  refusals: [404],
  async handle(call) {
    const appId = appIdOf(call);
    const id = customerOf(call);
    const {
      unsubscribed,
      cio_subscription_preferences: preferences,
      timezone,
      ...rest
    } = call.body;
    const { created_at: _made, _update: _mode, ...traits } = rest;
    const zone = zoneOf(timezone);
    const topics = choicesOf(preferences);
    const mapped = mapCall(
      { userId: id, traits },
      {
        index: 0,
        type: 'identify',
        receivedMs: 0,
        sentAtMs: undefined,
        zoneNamed: () => undefined,
      },
    );
    if (mapped.outcome !== 'accepted' || mapped.call.kind !== 'identify')
      throw new FaultError(fieldFault('customerId', 'expected an id of a person'));
    const [problem] = mapped.skipped;
    if (problem !== undefined) throw new FaultError(fieldFault('body', problem));
    const { contact, traits: made } = mapped.call;
    const devices = [
      ...(contact?.email ? [{ channel: 'email', endpoint: contact.email }] : []),
      ...(contact?.phone ? [{ channel: 'sms', endpoint: contact.phone }] : []),
    ];
    await optOut(call, appId, id, unsubscribed, devices);
    const body = {
      externalUserId: id,
      ...(Object.keys(made).length === 0 ? {} : { tags: made }),
      ...(zone === undefined ? {} : { timezone: zone }),
      ...(Object.keys(topics).length === 0 ? {} : { topics }),
      ...(devices.length === 0 ? {} : { devices }),
      consent: await consentOf(call, appId),
    };
    await handle(call, upsertSubscriber, { params: { appId }, body });
    return { status: 200, body: {} };
  },
});

/** A reference in place of an id names a record of Customer.io. */
function customerOf(call: CompatCall): string {
  const id = call.param('customerId');
  if (/^cio_/.test(id))
    throw new FaultError(
      fieldFault('customerId', 'is a cio_id, which is not known here; use your own id'),
    );
  return id;
}

function zoneOf(value: unknown): string | undefined {
  if (value === undefined || value === null || value === '') return undefined;
  if (typeof value === 'string' && isTimeZone(value)) return canonicalZone(value);
  throw new FaultError(fieldFault('timezone', 'expected an IANA time zone'));
}

function choicesOf(preferences: unknown): Readonly<Record<string, string>> {
  if (preferences === undefined || preferences === null) return {};
  const parsed = z
    .object({ topics: z.record(z.string(), z.boolean()).optional() })
    .strict()
    .safeParse(typeof preferences === 'string' ? jsonOf(preferences) : preferences);
  if (!parsed.success)
    throw new FaultError(
      fieldFault('cio_subscription_preferences', 'expected {topics: {name: true or false}}'),
    );
  return Object.fromEntries(
    Object.entries(parsed.data.topics ?? {}).map(([name, isIn]) => [name, isIn ? 'in' : 'out']),
  );
}

function jsonOf(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** Before the person: nobody who opted out is reachable in between. */
async function optOut(
  call: CompatCall,
  appId: string,
  id: string,
  unsubscribed: unknown,
  devices: readonly { readonly channel: string; readonly endpoint: unknown }[],
): Promise<void> {
  if (unsubscribed === undefined || unsubscribed === null || unsubscribed === '') return;
  if (!['true', 'false'].includes(String(unsubscribed)))
    throw new FaultError(fieldFault('unsubscribed', 'expected true or false'));
  const known = (await subscriberNamed(call, appId, id))?.devices ?? [];
  if (String(unsubscribed) === 'false') {
    if (known.some(({ suppressed }) => suppressed !== null))
      throw new FaultError(
        fieldFault(
          'unsubscribed',
          'false does not lift an opt-out; DELETE /v1/apps/:appId/suppressions does',
        ),
      );
    return;
  }
  const all = [...devices, ...known.filter(({ channel }) => ['email', 'sms'].includes(channel))];
  const addresses = new Map(
    all.map(({ channel, endpoint }) => [`${channel} ${endpoint}`, { channel, address: endpoint }]),
  );
  if (addresses.size === 0)
    throw new FaultError(
      fieldFault('unsubscribed', 'the person has no address to opt out; send email, too'),
    );
  for (const one of addresses.values()) {
    const body = { ...one, scope: 'marketing', reason: 'unsubscribed (Customer.io API)' };
    await handle(call, addSuppression, { params: { appId }, body });
  }
}

export const deleteCustomer = route({
  ...shared,
  method: 'DELETE',
  path: `${base}/customers/:customerId`,
  summary: 'Delete a person (Track API)',
  description: 'Erases the person. An unknown one is a 200, as at Customer.io.',
  access: key('write'),
  changes: ['subscriber', 'device', 'event', 'notification'],
  params,
  responses: done,
  refusals: [404],
  async handle(call) {
    const appId = appIdOf(call);
    const person = await subscriberNamed(call, appId, customerOf(call));
    if (person !== undefined)
      await inner(call, deleteSubscriber, { params: { appId, id: person.id } });
    return { status: 200, body: {} };
  },
});

/** Runs a route with the scopes that it needs itself. */
async function inner(call: CompatCall, own: Route, input: Parameters<typeof handle>[2]) {
  refuseScopes(call, [own]);
  return await handle(call, own, input);
}

const eventBody = z
  .object({
    name: z.string().min(1),
    type: z.enum(['event', 'page', 'screen']).optional(),
    id: z.string().optional().describe('Deduplicates the event for 24 hours.'),
    timestamp: z.number().optional().describe('Seconds since 1970.'),
    data: z.record(z.string(), z.unknown()).optional(),
  })
  .meta({ examples: [{ name: 'purchase', data: { price: 23.45 } }] });

export const trackCustomer = route({
  ...shared,
  method: 'POST',
  path: `${base}/customers/:customerId/events`,
  summary: 'Track an event of a person (Track API)',
  description:
    'Stores the event as `POST /e` does. A page or screen becomes the event `page` or `screen` with its name as a property. An unknown person is created.',
  access: key('write'),
  changes: ['event', 'subscriber'],
  params,
  body: eventBody,
  responses: done,
  refusals: [404],
  async handle(call) {
    await track(call, appIdOf(call), customerOf(call), call.body);
    return { status: 200, body: {} };
  },
});

async function track(
  call: CompatCall,
  appId: string,
  externalUserId: string,
  { name, type = 'event', id, timestamp, data = {} }: z.output<typeof eventBody>,
): Promise<void> {
  const isEvent = type === 'event';
  const event = {
    name: isEvent ? name : type,
    externalUserId,
    ...(id === undefined ? {} : { id }),
    ...(timestamp === undefined ? {} : { at: timeOf(timestamp) }),
    props: isEvent ? data : { name, ...data },
  };
  const bytes = Buffer.from(JSON.stringify({ appId, events: [event] }));
  const { errors } = await call
    .to<EventsProtocol>(call.app(appId))
    .ask('events.ingest', { keyless: false }, { lane: 'bulk', bytes });
  const [wrong] = errors;
  if (wrong !== undefined) throw new FaultError(fieldFault('body', wrong.error));
}

function timeOf(seconds: number): string {
  const ms = seconds * 1_000;
  if (!Number.isFinite(ms) || Math.abs(ms) > 8.64e15)
    throw new FaultError(fieldFault('timestamp', 'expected seconds since 1970'));
  return new Date(ms).toISOString();
}

export const trackAnybody = route({
  ...shared,
  method: 'POST',
  path: `${base}/events`,
  summary: 'Track an event (Track API)',
  description:
    'An event of the person in `identifiers.id`. An event of nobody known (`anonymous_id`) is a 400: people are identified by your own ids here.',
  access: key('write'),
  changes: ['event', 'subscriber'],
  body: eventBody
    .extend({
      identifiers: z.object({ id: z.string().min(1) }).optional(),
      anonymous_id: z.string().optional(),
    })
    .meta({ examples: [{ name: 'purchase', identifiers: { id: 'customer-42' } }] }),
  responses: done,
  refusals: [404],
  async handle(call) {
    const { identifiers, anonymous_id: anonymous, ...event } = call.body;
    if (identifiers === undefined) {
      const field = anonymous === undefined ? 'identifiers' : 'anonymous_id';
      const message = 'events of anonymous people are not taken; name a person in identifiers.id';
      throw new FaultError(fieldFault(field, message));
    }
    await track(call, appIdOf(call), identifiers.id, event);
    return { status: 200, body: {} };
  },
});

/** Push tokens by Customer.io's names of platforms. */
const platforms = { ios: 'apns', android: 'fcm' } as const;

export const addCustomerDevice = route({
  ...shared,
  method: 'PUT',
  path: `${base}/customers/:customerId/devices`,
  summary: 'Add a device (Track API)',
  description: 'Registers the push token: `ios` is apns, `android` is fcm.',
  access: key('write'),
  changes: ['subscriber', 'device'],
  params,
  body: z
    .object({
      device: z.object({
        id: z.string().min(1),
        platform: z.enum(['ios', 'android']),
        last_used: z.number().optional().describe('Not stored.'),
        attributes: z.record(z.string(), z.unknown()).optional().describe('Not stored.'),
      }),
    })
    .meta({ examples: [{ device: { id: 'fcm-token', platform: 'android' } }] }),
  responses: done,
  refusals: [404],
  async handle(call) {
    const { id: endpoint, platform } = call.body.device;
    const body = {
      externalUserId: customerOf(call),
      devices: [{ channel: platforms[platform], endpoint }],
    };
    await handle(call, upsertSubscriber, { params: { appId: appIdOf(call) }, body });
    return { status: 200, body: {} };
  },
});

export const deleteCustomerDevice = route({
  ...shared,
  method: 'DELETE',
  path: `${base}/customers/:customerId/devices/:token`,
  summary: 'Delete a device (Track API)',
  description: 'Removes the push token. An unknown one is a 200, as at Customer.io.',
  access: key('write'),
  changes: ['subscriber', 'device'],
  params: { ...params, token: 'The push token.' },
  responses: done,
  refusals: [404],
  async handle(call) {
    const appId = appIdOf(call);
    const person = await subscriberNamed(call, appId, customerOf(call));
    const device = person?.devices.find(({ endpoint }) => endpoint === call.param('token'));
    if (person !== undefined && device !== undefined)
      await inner(call, deleteDevice, {
        params: { appId, id: person.id, deviceId: device.id },
      });
    return { status: 200, body: {} };
  },
});

const emailBody = z
  .strictObject({
    transactional_message_id: z
      .union([z.string().min(1), z.int()])
      .optional()
      .describe('The handle of a message template here. Without it, `subject` and `body`.'),
    to: z.string().min(1).describe('One address.'),
    identifiers: z.union([
      z.strictObject({ id: z.string().min(1) }),
      z.strictObject({ email: z.string().min(1) }),
    ]),
    subject: z.string().optional(),
    body: z.string().optional().describe('Text or HTML.'),
    message_data: z.record(z.string(), z.unknown()).optional().describe('Variables.'),
    attachments: z.strictObject({}).optional().describe('Empty: attachments are not sent.'),
    headers: z.strictObject({}).optional().describe('Empty, likewise.'),
  })
  .meta({
    examples: [
      {
        to: 'grace@example.com',
        identifiers: { id: 'customer-44' },
        subject: 'Your order',
        body: 'Hello {{ name }}, it is on its way.',
        message_data: { name: 'Ada' },
      },
    ],
  });

export const sendCustomerEmail = route({
  ...shared,
  method: 'POST',
  path: `${base}/send/email`,
  summary: 'Send a transactional email (Track API)',
  description:
    'Sends as `POST /v1/apps/:appId/notifications` does, on the email channel. The address in `to` is registered for the person first, who is created if unknown; a person who has another email address is a 400, because a send reaches all of them. Fields that cannot be sent, such as `attachments` and `bcc`, are a 400. The key needs the scopes `write` and `send`. With `Authorization: Bearer`, the key must be an app’s.',
  access: key('send'),
  lane: 'transactional',
  changes: ['notification', 'subscriber', 'device'],
  body: emailBody,
  responses: {
    200: {
      description: 'Accepted and stored.',
      schema: z
        .object({ delivery_id: z.string(), queued_at: z.int() })
        .meta({ examples: [{ delivery_id: 'ntf_…', queued_at: 1_767_225_600 }] }),
    },
  },
  refusals: [404],
  async handle(call) {
    const appId = appIdOf(call);
    const { identifiers, to, subject, body, message_data: variables } = call.body;
    const template = call.body.transactional_message_id;
    const externalUserId = 'id' in identifiers ? identifiers.id : identifiers.email.toLowerCase();
    const others = (await subscriberNamed(call, appId, externalUserId))?.devices.filter(
      ({ channel, endpoint, enabled }) =>
        channel === 'email' && enabled && String(endpoint).toLowerCase() !== to.toLowerCase(),
    );
    if (others !== undefined && others.length > 0)
      throw new FaultError(
        fieldFault('to', 'the person has another email address, and a send would reach that, too'),
      );
    const person = { externalUserId, devices: [{ channel: 'email', endpoint: to }] };
    await inner(call, upsertSubscriber, { params: { appId }, body: person });
    const sent = {
      externalUserId,
      channels: ['email'],
      ...(template === undefined ? {} : { templateName: String(template) }),
      ...(subject === undefined ? {} : { title: subject }),
      ...(body === undefined ? {} : { body }),
      ...(variables === undefined ? {} : { variables }),
    };
    const reply = await handle(call, sendNotification, { params: { appId }, body: sent });
    const { id } = reply.body as { readonly id: string };
    return {
      status: 200,
      body: { delivery_id: id, queued_at: Math.floor(call.edge.clock.now() / 1_000) },
    };
  },
});
