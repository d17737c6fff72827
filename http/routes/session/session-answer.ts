// What a page learns about its session.

import type { z } from 'zod';
import type { AccountsProtocol, KeyGrant } from '../../../actors/tenants/accounts/protocol.ts';
import type { ClientsProtocol } from '../../../actors/tenants/clients/protocol.ts';
import type { Role } from '../../../actors/tenants/members/records.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { instant } from '../../call/schemas/schemas.ts';
import { choicesMax, membershipsOf } from '../../call/session/memberships.ts';
import { version } from '../../version.ts';
import { brandingView } from '../org/branding-shape.ts';
import type { openedSessionSchema } from './session-shape.ts';

type Granted = KeyGrant & Required<Pick<KeyGrant, 'session'>>;

export function isSession(grant: KeyGrant | undefined): grant is Granted {
  return grant?.session !== undefined;
}

export async function sessionAnswer(
  call: Call<unknown, unknown>,
  grant: Granted,
): Promise<z.output<typeof openedSessionSchema>> {
  const { session, org: ordinal, scopes, appId } = grant;
  const { member, key } = session;
  const as = { by: ordinal };
  const accounts = call.to<AccountsProtocol>(ordinal);
  const [{ id, name }, apps, { branding }, memberships] = await Promise.all([
    accounts.ask('org.read', {}, as),
    accounts.ask('app.list', {}, as),
    call.to<ClientsProtocol>(ordinal).ask('branding.read', {}, as),
    member === undefined ? [] : membershipsOf(call.edge, member.email),
  ]);
  const seen = apps.filter((app) => appId === null || app.id === appId);
  return {
    signedIn: true,
    id: session.id,
    ...(member && { member: { id: member.id, email: member.email } }),
    ...(key && { key }),
    org: { id, name },
    orgs: memberships
      .filter((one) => one.member.isOpen !== true)
      .map((one) => ({ id: one.orgId, name: one.orgName, role: one.member.role })),
    invitations: memberships
      .filter((one) => one.member.isOpen === true)
      .slice(0, choicesMax)
      .map((one) => ({
        id: one.orgId,
        name: one.orgName,
        role: one.member.role,
        invitedAt: instant(one.member.createdMs),
      })),
    role: (member?.role as Role | undefined) ?? null,
    scopes: [...scopes],
    apps: seen.map((app) => ({ id: app.id, name: app.name, timezone: app.timezone })),
    mode: call.edge.config.mode,
    ...present({ inboxUrl: call.edge.inboxUrl }),
    version,
    branding: brandingView(branding),
    signedInAt: instant(session.signedInMs),
    expiresAt: instant(session.expiresMs),
  };
}
