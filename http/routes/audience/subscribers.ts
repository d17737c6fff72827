// The people of an app.

import type { AudienceProtocol } from '../../../actors/people/audience/protocol.ts';
import type { IdentityProtocol } from '../../../actors/people/identity/protocol.ts';
import type { ErasureProtocol } from '../../../actors/runtime/erasure-protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { present } from '../../call/answer/present.ts';
import { key, route } from '../../call/route.ts';
import { exampleOf } from '../../call/schemas/schemas.ts';
import { personNamed } from '../person-named.ts';
import { Resource } from '../resource.ts';
import { consentSchema } from './consent-shape.ts';
import { subscriberBody, subscriberMessage, subscriberPatch } from './subscriber-shape.ts';
import { personParam, shownSubscriberView, subscriberSchema } from './subscriber-view.ts';

const subscribers = new Resource({
  path: '/v1/apps/:appId/subscribers',
  params: { id: personParam },
  tag: 'Subscribers',
  noun: 'subscriber',
  a: 'a subscriber',
  prefix: 'sub',
  schema: subscriberSchema,
  view: shownSubscriberView,
  actor: (call) => call.to<AudienceProtocol>(call.app()),
  named: (call) => ({ ref: personNamed(call.param('id')) }),
});

export const upsertSubscriber = subscribers.create({
  summary: 'Create or update a subscriber',
  description:
    'Matches on `externalUserId`; without it, a new subscriber is always created. On update, tags are merged, devices are added, and fields you omit keep their value. A device that belongs to someone else moves to this subscriber. With `consent: "doubleOptIn"`, email addresses that take no messages yet get one mail that asks for a confirmation, and nothing else until then.',
  changes: ['subscriber', 'device', 'tag-name'],
  body: subscriberBody
    .extend({ consent: consentSchema.optional() })
    .meta({ examples: [exampleOf(subscriberBody)] }),
  creates: { kind: 'subscriber.upsert', prefix: 'sub', read: '/v1/apps/:appId/subscribers/:id' },
  responses: {
    200: { description: 'Updated.', schema: subscriberSchema },
    201: { description: 'Created.', schema: subscriberSchema },
  },
  refusals: [],
  async handle(call) {
    const { subscriber, created } = await call
      .to<AudienceProtocol>(call.app())
      .ask('subscriber.upsert', {
        subscriber: subscriberMessage(call.body),
        ...present({ consent: call.body.consent }),
      });
    return { status: created ? 201 : 200, body: shownSubscriberView(subscriber) };
  },
});

export const readSubscriber = subscribers.read({
  reads: ['subscriber', 'device', 'suppression'],
  asks: 'subscriber.read',
});

/**
 * Changes a person's tags, time zone or channel preference. Unknown fields are ignored, except
 * those that a caller could expect to change here.
 */
export const updateSubscriber = subscribers.update({
  description:
    'Tags are merged; `null` removes a tag. Fields you omit keep their value. `externalUserId` and `devices` cannot be changed here; a body that contains them is rejected.',
  changes: ['subscriber', 'tag-name'],
  body: subscriberPatch,
  edits: 'subscriber.patch',
  async handle(call) {
    refuseElsewhere(call.sent);
    const ref = personNamed(call.param('id'));
    const { tags, topics, timezone, preferredChannels } = call.body;
    const patch = present({ tags, topics, timezone, preferredChannels });
    const person = await call
      .to<AudienceProtocol>(call.app())
      .ask('subscriber.patch', { ref, patch });
    return { status: 200, body: shownSubscriberView(person) };
  },
});

const elsewhere: Readonly<Record<string, string>> = {
  externalUserId:
    'cannot be changed; POST /v1/apps/:appId/subscribers creates or updates the subscriber with this id',
  devices:
    'cannot be changed here; add a device with POST /v1/apps/:appId/subscribers/:id/devices, change or delete one with PATCH or DELETE …/devices/:deviceId',
};

function refuseElsewhere(sent: unknown): void {
  if (typeof sent !== 'object' || sent === null) return;
  const [named] = Object.entries(elsewhere).filter(([member]) => member in sent);
  if (named !== undefined) throw new FaultError(fieldFault(...named));
}

export const deleteSubscriber = subscribers.remove({
  summary: 'Erase a subscriber',
  description:
    "Erases all of the person's data, events included. Cannot be undone. Opt-outs of their addresses are kept.",
  changes: [
    'subscriber',
    'device',
    'tag-name',
    'event',
    'notification',
    'suppression',
    'dead-letter',
    'live-activity',
    'dry-run',
  ],
  edits: 'subscriber.erase',
  answer: 'Erased.',
  async handle(call) {
    await call
      .to<ErasureProtocol>(call.app())
      .ask('subscriber.erase', { ref: personNamed(call.param('id')) });
    return { status: 204 };
  },
});

/** Ends every session of a person: their client tokens are invalid from now on. */
export const endSubscriberSessions = route({
  method: 'POST',
  path: '/v1/apps/:appId/subscribers/:id/end-sessions',
  summary: "End a subscriber's sessions",
  description:
    'Ends every client token of this person, for example after a password change or a lost phone. Each client must log in again, which needs an `identityHash` unless the app has `identityVerification: "open"`. Devices stay registered. The request has no body.',
  tag: 'Subscribers',
  access: key('write'),
  changes: ['subscriber'],
  params: { id: personParam },
  responses: { 204: { description: 'Every session has ended.' } },
  async handle(call) {
    const ref = personNamed(call.param('id'));
    await call.to<IdentityProtocol>(call.app()).ask('subscriber.end_sessions', { ref });
    return { status: 204 };
  },
});
