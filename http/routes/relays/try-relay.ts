// Tries the description of a gateway with one text: what would go, what came back, what it means.

import { z } from 'zod';
import { phoneNumber } from '../../../actors/channels/addresses/phone-number.ts';
import type { TrialResult } from '../../../actors/channels/port/outcome.ts';
import { fault } from '../../../actors/faults.ts';
import type { RelaysProtocol } from '../../../actors/tenants/relays/protocol.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { formatId, newId } from '../../../engine/base/id.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { relayPatch } from './relay-shape.ts';

const textCharsMax = 1_600;

const outcomes = [
  'accepted',
  'dead',
  'opted_out',
  'permanent',
  'config',
  'rate',
  'retry',
  'ambiguous',
] as const;

const trialBody = z
  .object({
    to: z.string().max(64).describe('Your own phone number, in E.164 form.'),
    text: z.string().min(1).max(textCharsMax).default('A test from Engage.'),
    send: z
      .boolean()
      .default(false)
      .describe(
        '`true` sends the text, which the gateway bills. Suppressions, caps and the pace of the relay do not apply. A repeated call sends it again.',
      ),
    config: relayPatch.shape.config.describe(
      'Changes of the configuration to try before they are saved; as in an update.',
    ),
  })
  .meta({ examples: [{ to: '+84901234567', send: true }] });

const trialSchema = z
  .object({
    request: z
      .object({
        method: z.string(),
        url: z.string(),
        headers: z.record(z.string(), z.string()),
        body: z.string().nullable(),
      })
      .nullable()
      .describe(
        'What goes to the gateway. Each secret stands as its name: `*apiKey*`. `null`: the text cannot be sent.',
      ),
    answer: z
      .object({ status: z.int(), body: z.string().describe('At most 4,000 characters.') })
      .nullable()
      .describe('What the gateway answered, without secrets.'),
    outcome: z
      .enum(outcomes)
      .nullable()
      .describe('How `answer` of the configuration judges it; `null` if nothing was sent.'),
    reason: z.string().nullable(),
    detail: z.string().nullable(),
    messageId: z.string().nullable().describe("The gateway's own id of the message."),
    tookMs: z.int().min(0),
  })
  .meta({
    id: 'RelayTrial',
    examples: [
      {
        request: {
          method: 'POST',
          url: 'https://gateway.example.com/v1/messages',
          headers: { 'content-type': 'application/json', authorization: 'Bearer *key*' },
          body: '{"to":"+84901234567","text":"A test from Engage."}',
        },
        answer: { status: 202, body: '{"id":"m-1","status":"queued"}' },
        outcome: 'accepted',
        reason: null,
        detail: null,
        messageId: 'm-1',
        tookMs: 182,
      },
    ],
  });

type AnyCall = Call<unknown, unknown>;

/** Of an app's relay, and of a shared one. `owner`: whose relay it is. */
export function tryRoute(path: string, of: string, owner: (call: AnyCall) => number) {
  return route({
    method: 'POST',
    path: `${path}/:id/try`,
    summary: `Try ${of} with a text`,
    description:
      'For relays of the kind `http`: shows the request of one text, or sends it and says what the answer means. Reports about it are ignored.',
    tag: 'Relays',
    access: key('admin'),
    reads: ['relay'],
    params: { id: 'Relay id.' },
    body: trialBody,
    responses: { 200: { description: 'The request, and its result.', schema: trialSchema } },
    refusals: [409],
    async handle(call) {
      const { to: raw, text, send, config } = call.body;
      const number = phoneNumber(raw);
      if (!('value' in number)) throw new FaultError(fieldFault('to', number.problem));
      const whose = owner(call);
      const relays = call.to<RelaysProtocol>(whose);
      const asked = { relayId: call.param('id'), ...(config === undefined ? {} : { config }) };
      const { relay } = await relays.ask('relay.open', asked);
      const { kind, channel } = await relays.ask('relay.read', { relayId: asked.relayId });
      if (kind !== 'http')
        throw new FaultError(fault('wrong_state', 'only relays of the kind http can be tried'));
      if (relay === null)
        throw new FaultError(fault('not_configured', 'the configuration cannot be decrypted'));
      const startedMs = call.edge.clock.monotonic();
      const done = await call.edge.tryRelay?.({
        ...{ kind: 'relay.try', channel, relay, text, to: number.value, isSent: send },
        ...idsOf(call, whose),
      });
      const tookMs = Math.round(call.edge.clock.monotonic() - startedMs);
      return { status: 200, body: { ...shownOf(done ?? {}), tookMs } };
    },
  });
}

/** Of no send and no device, and of each call its own: gateways remember what they have seen. */
function idsOf({ edge: { clock, rng } }: AnyCall, owner: number) {
  const nowMs = clock.now();
  return {
    appId: formatId('app', { ordinal: owner, atMs: 0, high16: 0, low32: 0 }),
    sendId: newId('ntf', owner, nowMs, rng),
    deviceId: newId('dev', owner, nowMs, rng),
  };
}

function shownOf({ request, answer, outcome }: TrialResult) {
  const { reason = null, detail = null } =
    outcome !== undefined && 'reason' in outcome ? outcome : {};
  const messageId = outcome?.outcome === 'accepted' ? (outcome.providerMessageId ?? null) : null;
  return {
    request: request === undefined ? null : { body: null, ...request },
    answer: answer ?? null,
    outcome: outcome?.outcome ?? null,
    ...{ reason, detail, messageId },
  };
}
