// Relays of an app, and those that an org shares with its apps and client workspaces.

import type { OpenRelay } from '../../../actors/channels/port/open-relay.ts';
import type { CredentialCheck } from '../../../actors/channels/port/outcome.ts';
import { limits } from '../../../actors/limits.ts';
import type { OutboxProtocol } from '../../../actors/sending/outbox/protocol.ts';
import type { RelaysProtocol, RelayView } from '../../../actors/tenants/relays/protocol.ts';
import { pagesBy } from '../../call/answer/page.ts';
import type { Call } from '../../call/call.ts';
import { key, route } from '../../call/route.ts';
import { checkSchema } from '../apps/credentials.ts';
import { requireOrgKey } from '../org-key.ts';
import { Resource } from '../resource.ts';
import { relayBody, relayInput, relayPatch, relaySchema, relayView } from './relay-shape.ts';
import { tryRoute } from './try-relay.ts';

type AnyCall = Call<unknown, unknown>;

/** Who has the relay: the app of the path, or the org of the key. */
interface Whose {
  readonly path: string;
  readonly of: string;
  owner(call: AnyCall): number;
  readonly shared: string;
}

const app: Whose = {
  path: '/v1/apps/:appId/relays',
  of: 'a relay',
  owner: (call) => call.app(),
  shared:
    'An app with a relay of its own for a stream does not use those of its org. The server’s own mail relay, or the app’s carrier credential, is the last of the list.',
};

const org: Whose = {
  path: '/v1/org/relays',
  of: 'a shared relay',
  owner: (call) => {
    requireOrgKey(call, 'shared relays are');
    return call.org;
  },
  shared:
    'All apps of the org and of its client workspaces send through it, unless they have their own.',
};

export const [createRelay, listRelays, readRelay, updateRelay, deleteRelay, checkRelay, tryRelay] =
  routesOf(app);
export const [
  createSharedRelay,
  listSharedRelays,
  readSharedRelay,
  updateSharedRelay,
  deleteSharedRelay,
  checkSharedRelay,
  trySharedRelay,
] = routesOf(org);

function routesOf(whose: Whose) {
  const actor = (call: AnyCall) => call.to<RelaysProtocol>(whose.owner(call));
  const named = (call: AnyCall) => ({ relayId: call.param('id') });
  const shown = (call: AnyCall, ...relays: readonly RelayView[]) =>
    shownRelays(whose, call, relays);
  const relays = new Resource({
    path: whose.path,
    params: { id: 'Relay id.' },
    tag: 'Relays',
    noun: 'relay',
    a: whose.of,
    the: 'relay',
    prefix: 'rel',
    scopes: ['read', 'admin'],
    schema: relaySchema,
    view: (relay: RelayView, call) => relayView(relay, undefined, call.edge.config.publicUrl),
    actor,
    named,
  });
  return [
    relays.create({
      description: `An account of a mail service, or a mail server, that takes messages. ${whose.shared} At most ${limits.relaysMax}. Check it with \`POST …/check\`, then have the service post its events to \`events.url\`.`,
      body: relayBody,
      asks: 'relay.create',
      says: ({ body: { channel, kind, ...body } }) => ({
        channel,
        relayKind: kind,
        input: { ...relayInput(body), name: body.name, config: body.config },
      }),
    }),
    relays.list({
      answer: 'Relays, by time of creation, with their health as the newest sends found it.',
      async handle(call) {
        const all = await actor(call).ask('relay.list', {});
        const page = pagesBy('rel')(all, call.query);
        return { status: 200, body: { ...page, items: await shown(call, ...page.items) } };
      },
    }),
    relays.read({
      async handle(call) {
        const [body] = await shown(call, await actor(call).ask('relay.read', named(call)));
        return { status: 200, body };
      },
    }),
    relays.update({
      description:
        'Fields you send are replaced; `null` removes a bound. Messages that wait because the service refused the account, or asked for fewer, try the changed relay at once.',
      body: relayPatch,
      edits: 'relay.update',
      async handle(call) {
        const input = relayInput(call.body);
        const relay = await actor(call).ask('relay.update', { ...named(call), input });
        const [body] = await shown(call, relay);
        return { status: 200, body };
      },
    }),
    relays.remove({
      description:
        'The next relay takes its messages. Those that it may have accepted, without an answer, become dead letters: nobody else gets them.',
      asks: 'relay.delete',
    }),
    checkRoute(whose),
    tryRoute(whose.path, whose.of, whose.owner),
  ] as const;
}

async function shownRelays(whose: Whose, call: AnyCall, relays: readonly RelayView[]) {
  const healths = await call.to<OutboxProtocol>(whose.owner(call)).ask('relay.health', {});
  const { publicUrl } = call.edge.config;
  return relays.map((relay) =>
    relayView(
      relay,
      healths.find((one) => one.relay === relay.id),
      publicUrl,
    ),
  );
}

function checkRoute(whose: Whose) {
  const relays = (call: AnyCall) => call.to<RelaysProtocol>(whose.owner(call));
  return route({
    method: 'POST',
    path: `${whose.path}/:id/check`,
    summary: `Check ${whose.of}`,
    description: 'Makes one real call to the service; nothing is sent to anyone.',
    tag: 'Relays',
    access: key('admin'),
    reads: ['relay'],
    params: { id: 'Relay id.' },
    responses: { 200: { description: 'The result of the check.', schema: checkSchema } },
    async handle(call) {
      const startedMs = call.edge.clock.monotonic();
      const opened = await relays(call).ask('relay.open', { relayId: call.param('id') });
      const { channel } = await relays(call).ask('relay.read', { relayId: call.param('id') });
      const result = await checked(call, channel, opened.relay);
      const tookMs = Math.round(call.edge.clock.monotonic() - startedMs);
      return { status: 200, body: { ok: null, ...result, tookMs } };
    },
  });
}

async function checked(
  call: AnyCall,
  channel: RelayView['channel'],
  relay: OpenRelay | null,
): Promise<CredentialCheck> {
  if (relay === null) return { checked: true, ok: false, reason: 'credential_unreadable' };
  const ask = { kind: 'credential.check', channel, relay, credentials: undefined } as const;
  return (await call.edge.checkCredential?.(ask)) ?? unchecked;
}

const unchecked: CredentialCheck = { checked: false, why: 'this server sends nothing' };
