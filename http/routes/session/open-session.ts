// Signs a person in. Every sign-in makes a new token and ends the session that the browser had, so
// that nobody can plant one.

import { z } from 'zod';
import { fault, notFound } from '../../../actors/faults.ts';
import { slotOfOrg } from '../../../actors/tenants/accounts/org-slot.ts';
import type { KeyGrant } from '../../../actors/tenants/accounts/protocol.ts';
import type { SessionsProtocol } from '../../../actors/tenants/sessions/protocol.ts';
import { slotOf } from '../../../engine/actor/placement.ts';
import { FaultError, fieldFault } from '../../../engine/base/fault.ts';
import { newId } from '../../../engine/base/id.ts';
import { makeSession } from '../../authenticate.ts';
import type { Call } from '../../call.ts';
import { exampleIds } from '../../example-ids.ts';
import { route, visitor } from '../../route.ts';
import { hashOfLink, linkTokenForm, slotOfLink } from '../../session/link-token.ts';
import { membershipsOf } from '../../session/memberships.ts';
import { sessionCookie } from '../../session/session-cookie.ts';
import { exampleKey } from '../keys/key-view.ts';
import { exampleLinkToken, linkTokenSchema } from './link-shape.ts';
import { isSession, sessionAnswer } from './session-answer.ts';
import { openedSessionSchema } from './session-shape.ts';
import { setCookieHeader } from './set-cookie.ts';

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
      .describe('Another org in which the address that is signed in is a member.'),
  })
  .meta({
    examples: [{ link: exampleLinkToken }, { apiKey: exampleKey }, { org: exampleIds.org }],
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
    "For the dashboard. Give exactly one of `link`, `once`, `apiKey` and `org`. The answer sets a cookie that only counts in calls of the dashboard itself; the session that the browser had ends. A session has the scopes of the member's role, or of the API key. It ends after 12 hours without use, after 30 days, at the removal of the member and at the deletion of the key. Wrong links and keys count as failed authentications of the address. Send `Sec-Fetch-Site: same-origin`, as browsers do, and `x-engage-dashboard: 1`.",
  tag: 'Sessions',
  access: visitor,
  lane: 'address',
  body: openBody,
  responses: {
    201: { description: 'Signed in.', schema: openedSessionSchema, headers: setCookieHeader },
  },
  refusals: [401, 404],
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
  if (given.length !== 1)
    throw new FaultError(fieldFault('link', 'give exactly one of link, once, apiKey and org'));
  if (apiKey !== undefined) return openByKey(call, apiKey);
  if (org !== undefined) return openElsewhere(call, org);
  return openByLink(call, link === undefined ? 'once' : 'link', link ?? once ?? '');
}

async function openByLink(call: Opening, way: 'link' | 'once', text: string): Promise<Opened> {
  refuseGuessing(call);
  const slot = slotOfLink(text);
  const made = makeSession(slot);
  const grant = linkTokenForm.test(text)
    ? await call
        .to<SessionsProtocol>(slot)
        .ask(
          'session.open_by_link',
          { hash: hashOfLink(text), way, key: materialOf(call, made) },
          { by: -1 },
        )
    : null;
  if (grant === null) {
    const words = 'this sign-in link was used, has expired, or never was one; ask for a new one';
    throw new FaultError(wrong(call, way, words));
  }
  return { token: made.text, grant };
}

async function openByKey(call: Opening, apiKey: string): Promise<Opened> {
  refuseGuessing(call);
  const key = apiKey.startsWith('ek_') ? await call.edge.keyGrant(apiKey) : null;
  const words = 'not a valid API key';
  if (key === null) throw new FaultError(wrong(call, 'apiKey', words));
  const made = makeSession(slotOf(key.org));
  const grant = await call
    .to<SessionsProtocol>(key.org)
    .ask(
      'session.open_by_key',
      { apiKeyId: key.keyObjectId, key: materialOf(call, made) },
      { by: -1 },
    );
  if (grant === null) throw new FaultError(wrong(call, 'apiKey', words));
  return { token: made.text, grant };
}

/** The age of the sign-in stays: nobody proved anything anew. */
async function openElsewhere(call: Opening, orgId: string): Promise<Opened> {
  const { session } = call.grant ?? {};
  if (session === undefined)
    throw new FaultError(fault('unauthorized', 'org: sign in before you change to another org'));
  const { member, signedInMs } = session;
  const memberships = member === undefined ? [] : await membershipsOf(call.edge, member.email);
  const found = memberships.find((one) => one.orgId === orgId);
  if (member === undefined || found === undefined)
    throw new FaultError({ ...notFound('org: org'), field: 'org' });
  const made = makeSession(slotOfOrg(orgId));
  const grant = await call
    .to<SessionsProtocol>(found.org)
    .ask(
      'session.open_by_address',
      { email: member.email, signedInMs, key: materialOf(call, made) },
      { by: -1 },
    );
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

/** Throws if the address tried too many wrong keys and links. */
export function refuseGuessing({ edge, who = '' }: Call<unknown, unknown>): void {
  const refusal = edge.admission.failedTooOften(who);
  if (refusal !== undefined) throw new FaultError(refusal);
}

/** Counts a wrong key or link. */
export function wrong({ edge, who = '' }: Call<unknown, unknown>, field: string, words: string) {
  edge.admission.countFailure(who);
  return fieldFault(field, words, 'unauthorized');
}
