// Signs a person in. Every sign-in makes a new token and ends the session that the browser had, so
// that nobody can plant one.

import { z } from 'zod';
import { fault, notFound } from '../../../actors/faults.ts';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import type { KeyGrant } from '../../../actors/tenants/accounts/protocol.ts';
import type { Membership, SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { makeSession } from '../../call/admission/authenticate.ts';
import type { Call } from '../../call/call.ts';
import { route, visitor } from '../../call/route.ts';
import { exampleIds } from '../../call/schemas/example-ids.ts';
import { chargeRight, judgeLink } from '../../call/session/judge-link.ts';
import { slotOfLink } from '../../call/session/link-token.ts';
import { choicesOf, membershipsOf } from '../../call/session/memberships.ts';
import { sessionCookie } from '../../call/session/session-cookie.ts';
import { exampleKey } from '../keys/key-view.ts';
import { exampleLinkToken, linkTokenSchema } from './link-shape.ts';
import { isSession, sessionAnswer } from './session-answer.ts';
import { openedSessionSchema, setCookieHeader } from './session-shape.ts';

const ways = ['link', 'once', 'apiKey', 'org'] as const;

const openBody = z
  .object({
    link: linkTokenSchema.optional().describe('The token of a sign-in link that was mailed.'),
    once: linkTokenSchema.optional().describe('The token of the link that a sandbox prints.'),
    apiKey: z.string().min(1).max(128).optional().describe('An API key; it is not kept.'),
    org: z
      .string()
      .min(1)
      .max(64)
      .optional()
      .describe(
        'Alone: switches to another org in which the signed-in address is a member. With `link`: the org to sign in to, one of those in which its address is a member. Signing in accepts an invitation.',
      ),
  })
  .meta({
    examples: [
      { link: exampleLinkToken },
      { link: exampleLinkToken, org: exampleIds.org },
      { apiKey: exampleKey },
      { org: exampleIds.org },
    ],
  });

type Opening = Call<unknown, z.output<typeof openBody>>;

interface Opened {
  readonly token: string;
  readonly grant: KeyGrant;
}

export const openSession = route({
  method: 'POST',
  path: '/v1/session',
  summary: 'Sign in',
  description:
    "For the dashboard. Give exactly one of `link`, `once`, `apiKey` and `org`, or `link` with `org`. If the address of a link never signed in to its org and is a member of others, `org` is required; without it, the response is a 409 and the link stays unused. The response sets a cookie that is only accepted in calls from the dashboard itself, and ends the previous session of the browser. A session has the scopes of the member's role, or of the API key. It ends after 12 hours without use, after 30 days, on removal of the member and on deletion of the key. After 20 wrong links, or wrong secrets of one key, per minute from an IP address, further wrong ones get a 429; a right one always works. Send `Sec-Fetch-Site: same-origin`, as browsers do, and `x-engage-dashboard: 1`.",
  tag: 'Sessions',
  access: visitor,
  changes: ['session'],
  lane: 'address',
  judgesFirst: true,
  body: openBody,
  responses: {
    201: { description: 'Signed in.', schema: openedSessionSchema, headers: setCookieHeader },
  },
  refusals: [401, 404, 409],
  async handle(call) {
    const { publicUrl } = call.edge.config;
    const { token, grant } = await open(call);
    if (!isSession(grant)) throw new FaultError(fault('internal', 'internal error'));
    const before = call.grant?.session;
    if (before !== undefined) await endQuietly(call, before.id);
    const body = await sessionAnswer(call, grant);
    return { status: 201, body, headers: [sessionCookie(publicUrl, token)] };
  },
});

function open(call: Opening): Promise<Opened> {
  const { link, once, apiKey, org } = call.body;
  const given = ways.filter((way) => call.body[way] !== undefined);
  const isChoice = given.length === 2 && link !== undefined && org !== undefined;
  if (given.length !== 1 && !isChoice)
    throw new FaultError(
      fieldFault('link', 'give exactly one of link, once, apiKey and org, or link with org'),
    );
  if (link !== undefined) return openByMail(call, link, org);
  if (apiKey !== undefined) return openByKey(call, apiKey);
  if (org !== undefined) return openElsewhere(call, org);
  return openByLink(call, 'once', once ?? '');
}

/** Into an org that its person used, or chose, or that is the only one. */
async function openByMail(call: Opening, link: string, org: string | undefined): Promise<Opened> {
  const slot = slotOfLink(link);
  const sessions = call.to<SessionsProtocol>(slot);
  const found = await judgeLink(call, 'link', link, (hash) =>
    sessions.ask('session.read_link', { hash }, { by: -1 }),
  );
  if (org === undefined) {
    const choices = await choicesOf(call.edge, found);
    if (choices.length > 0) throw new FaultError({ ...chooseFirst, field: 'org' });
    return openByLink(call, 'link', link);
  }
  if (org === found.orgId) return openByLink(call, 'link', link);
  const chosen = (await membershipsOf(call.edge, found.email)).find((one) => one.orgId === org);
  if (chosen === undefined) throw new FaultError({ ...notFound('org: org'), field: 'org' });
  const email = await judgeLink(call, 'link', link, (hash) =>
    sessions.ask('session.spend_link', { hash, way: 'link' }, { by: -1 }),
  );
  const place = call.edge.placeOf(call.who ?? '');
  return openAt(call, chosen, { email, signedInMs: call.edge.clock.now(), place });
}

const chooseFirst = fault(
  'wrong_state',
  'org: choose which org to sign in to; this address is a member of several and used none yet',
);

async function openByLink(call: Opening, way: 'link' | 'once', text: string): Promise<Opened> {
  const slot = slotOfLink(text);
  const made = makeSession(slot);
  const key = materialOf(call, made);
  const place = call.edge.placeOf(call.who ?? '');
  const grant = await judgeLink(call, way, text, (hash) =>
    call
      .to<SessionsProtocol>(slot)
      .ask('session.open_by_link', { hash, way, key, place }, { by: -1 }),
  );
  return { token: made.text, grant };
}

async function openByKey(call: Opening, apiKey: string): Promise<Opened> {
  const { edge, unlessRight, who = '' } = call;
  const wrong = () =>
    new FaultError(unlessRight ?? fieldFault('apiKey', 'not a valid API key', 'unauthorized'));
  const key = await edge.keyGrant(apiKey, who);
  if (key === null) throw wrong();
  chargeRight(call, key.keyObjectId);
  const made = makeSession(slotOf(key.org));
  const grant = await call
    .to<SessionsProtocol>(key.org)
    .ask(
      'session.open_by_key',
      { apiKeyId: key.keyObjectId, key: materialOf(call, made) },
      { by: -1 },
    );
  if (grant === null) throw wrong();
  return { token: made.text, grant };
}

/** The age of the sign-in stays: nobody proved anything anew. */
async function openElsewhere(call: Opening, orgId: string): Promise<Opened> {
  const { session } = call.grant ?? {};
  const signInFirst = fault('unauthorized', 'org: sign in before you change to another org');
  if (session === undefined) throw new FaultError(call.unlessRight ?? signInFirst);
  const { member, signedInMs } = session;
  const memberships = member === undefined ? [] : await membershipsOf(call.edge, member.email);
  const found = memberships.find((one) => one.orgId === orgId);
  if (member === undefined || found === undefined)
    throw new FaultError({ ...notFound('org: org'), field: 'org' });
  return openAt(call, found, { email: member.email, signedInMs });
}

async function openAt(
  call: Opening,
  { org, orgId }: Membership,
  who: Pick<SessionsProtocol['session.open_by_address']['body'], 'email' | 'signedInMs' | 'place'>,
): Promise<Opened> {
  const made = makeSession(slotOfOrg(orgId));
  const grant = await call
    .to<SessionsProtocol>(org)
    .ask('session.open_by_address', { ...who, key: materialOf(call, made) }, { by: -1 });
  if (grant === null) throw new FaultError({ ...notFound('org: org'), field: 'org' });
  return { token: made.text, grant };
}

function materialOf({ edge }: Opening, { keyId, secretHash }: ReturnType<typeof makeSession>) {
  return { id: newId('ses', 0, edge.clock.now(), edge.rng), keyId, secretHash };
}

async function endQuietly(call: Opening, id: string): Promise<void> {
  try {
    await call.to<SessionsProtocol>(call.org).ask('session.end', { id });
  } catch (error) {
    // It had ended by itself, or its org is gone.
    if (!(error instanceof FaultError) || error.fault.code !== 'not_found') throw error;
  }
}
