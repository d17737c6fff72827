// The wire shapes of a session and of those of an org.

import { z } from 'zod';
import { type Scope, scopes, serviceBranding } from '../../../actors/tenants/accounts/records.ts';
import type { SessionView } from '../../../actors/tenants/sessions/protocol.ts';
import { exampleIds, exampleInstant } from '../../call/schemas/example-ids.ts';
import { exampleOf, instant, instantSchema } from '../../call/schemas/schemas.ts';
import { memberSchema, memberView, roleSchema } from '../members/member-shape.ts';
import { brandingSchema } from '../org/branding-shape.ts';

const holderKeySchema = z
  .object({ id: z.string(), name: z.string() })
  .describe('The API key of the sign-in.');

const modeSchema = z.enum(['sandbox', 'live']);

const signedInSchema = z.object({
  signedIn: z.literal(true),
  id: z.string(),
  member: z
    .object({ id: z.string(), email: z.string() })
    .optional()
    .describe('Who signed in; absent for a sign-in with an API key.'),
  key: holderKeySchema.optional(),
  org: z.object({ id: z.string(), name: z.string() }),
  orgs: z
    .array(z.object({ id: z.string(), name: z.string(), role: roleSchema }))
    .describe(
      'Orgs that the address signed in to as a member; empty for a sign-in with an API key.',
    ),
  invitations: z
    .array(
      z.object({
        id: z.string(),
        name: z.string(),
        role: roleSchema,
        invitedAt: instantSchema,
      }),
    )
    .describe(
      'Orgs that added the address and that it never signed in to, at most 50, oldest first. `POST /v1/session` with `org` accepts one, `DELETE /v1/session/memberships/{org}` declines it.',
    ),
  role: roleSchema.nullable().describe('`null` for a sign-in with an API key.'),
  scopes: z.array(z.enum(scopes)),
  apps: z
    .array(z.object({ id: z.string(), name: z.string(), timezone: z.string() }))
    .describe('Oldest first; one app for a key of one app.'),
  mode: modeSchema,
  inboxUrl: z
    .string()
    .optional()
    .describe('The page that shows what the sandbox received; absent in live mode.'),
  version: z.string(),
  branding: brandingSchema,
  signedInAt: instantSchema,
  expiresAt: instantSchema.describe('When it ends if it is not used. Each use extends it.'),
});

const signedOutSchema = z.object({
  signedIn: z.literal(false),
  setup: z
    .boolean()
    .describe('True while there is no org: the operator creates the first with `POST /v1/orgs`.'),
  mode: modeSchema,
});

const signedInExample: z.output<typeof signedInSchema> = {
  signedIn: true,
  id: exampleIds.session,
  member: { id: exampleIds.member, email: 'ada@acme.example' },
  org: { id: exampleIds.org, name: 'Acme' },
  orgs: [{ id: exampleIds.org, name: 'Acme', role: 'owner' }],
  invitations: [],
  role: 'owner',
  scopes: ['read', 'write', 'send', 'admin'] satisfies Scope[],
  apps: [{ id: exampleIds.app, name: 'Acme Shop', timezone: 'Asia/Bangkok' }],
  mode: 'live',
  version: '1.0.0',
  branding: { ...serviceBranding },
  signedInAt: exampleInstant(),
  expiresAt: exampleInstant(12 * 3_600),
};

export const openedSessionSchema = signedInSchema.meta({
  id: 'OpenedSession',
  examples: [signedInExample],
});

export const visitSchema = z.union([openedSessionSchema, signedOutSchema]).meta({
  examples: [signedInExample, { signedIn: false, setup: false, mode: 'live' }],
});

export const orgSessionSchema = z
  .object({
    id: z.string(),
    member: memberSchema.nullable().describe('`null` for a sign-in with an API key.'),
    key: holderKeySchema.nullable(),
    current: z.boolean().describe('Whether this call was made in this session.'),
    signedInAt: instantSchema,
    lastSeenAt: instantSchema.describe('Accurate to a few minutes.'),
    expiresAt: instantSchema.describe('When it ends if it is not used.'),
  })
  .meta({
    id: 'OrgSession',
    examples: [
      {
        id: exampleIds.session,
        member: exampleOf(memberSchema),
        key: null,
        current: false,
        signedInAt: exampleInstant(),
        lastSeenAt: exampleInstant(300),
        expiresAt: exampleInstant(12 * 3_600 + 300),
      },
    ],
  });

export function orgSessionView(view: SessionView, currentId: string | undefined) {
  const { id, member, key, signedInMs, seenMs, expiresMs } = view;
  return {
    id,
    member: member && memberView(member),
    key,
    current: id === currentId,
    signedInAt: instant(signedInMs),
    lastSeenAt: instant(seenMs),
    expiresAt: instant(expiresMs),
  };
}

/** The response header of sign-ins and sign-outs, for the description. */
export const setCookieHeader = {
  'set-cookie':
    '`__Host-engage`, or `engage` where the public URL is plain http: HttpOnly, SameSite=Strict.',
} as const;
