// Whether a session or a link still counts, and what a session may do. A member's session has the
// scopes of the role as it is now; one whose member, key, app or org is gone counts no more.

import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import { limits } from '../../limits.ts';
import type { KeyGrant, SessionGrant } from '../accounts/protocol.ts';
import { agencyOf, type KeyRecord, type Scope } from '../accounts/records.ts';
import { type MemberRecord, scopesOf } from '../members/records.ts';
import type { SessionsMemory, SessionsOrgView } from './memory.ts';
import type { LinkRecord, SessionRecord } from './records.ts';

/** What a session stands for. */
interface Held {
  readonly actor: string;
  readonly scopes: readonly Scope[];
  readonly appId: string | null;
  readonly member?: MemberRecord;
  readonly key?: KeyRecord;
}

/** `undefined` once it has ended. */
export function grantOf(
  state: Pick<SessionsMemory, 'keys' | 'apps'>,
  { record, members }: Pick<SessionsOrgView, 'record' | 'members'>,
  session: SessionRecord,
  nowMs: Millis,
): KeyGrant | undefined {
  if (record.closedMs !== undefined || nowMs >= expiryOf(session)) return undefined;
  const held = heldBy(state, members, session);
  if (held === undefined) return undefined;
  const app = held.appId === null ? null : ordinalOf(state, record.ordinal, held.appId);
  if (app === undefined) return undefined; // deleted
  const { id, keyId, signedInMs, seenMs, secretHash } = session;
  const { member, key } = held;
  const granted: SessionGrant = {
    id,
    keyId,
    signedInMs,
    seenMs,
    expiresMs: expiryOf(session),
    ...(member && { member: { id: member.id, email: member.email, role: member.role } }),
    ...(key && { key: { id: key.id, name: key.name } }),
  };
  return {
    keyObjectId: held.actor,
    secretHash,
    scopes: held.scopes,
    org: record.ordinal,
    orgId: record.id,
    ...agencyOf(record),
    app,
    appId: held.appId,
    rateLimits: record.rateLimits,
    session: granted,
  };
}

/** At the latest, if it is not used again. */
export function expiryOf({ seenMs, signedInMs }: SessionRecord): Millis {
  return Math.min(seenMs + limits.sessionIdleMs, signedInMs + limits.sessionMs);
}

export function linkExpiryOf({
  way,
  madeMs,
  livesMs = limits.signInLinkMs,
}: Pick<LinkRecord, 'way' | 'madeMs' | 'livesMs'>): Millis {
  return madeMs + (way === 'once' ? limits.onceLinkMs : livesMs);
}

/** Whether a link still opens a session, and for which member. */
export function memberOfLink(
  { members }: Pick<SessionsOrgView, 'members'>,
  link: LinkRecord,
  nowMs: Millis,
): MemberRecord | undefined {
  if (link.isSpent === true || nowMs >= linkExpiryOf(link)) return undefined;
  return members.get(link.memberId);
}

function heldBy(
  { keys }: Pick<SessionsMemory, 'keys'>,
  members: SessionsOrgView['members'],
  { holder }: SessionRecord,
): Held | undefined {
  if (holder.kind === 'member') {
    const member = members.get(holder.memberId);
    return member && { actor: member.id, scopes: scopesOf(member.role), appId: null, member };
  }
  const key = keys.get(holder.keyId);
  return key && { actor: key.id, scopes: key.scopes, appId: key.appId, key };
}

function ordinalOf(
  { apps }: Pick<SessionsMemory, 'apps'>,
  org: Ordinal,
  appId: string,
): Ordinal | undefined {
  const app = apps.get(parseId('app', appId)?.ordinal ?? -1)?.record;
  return app?.id === appId && app.org === org ? app.ordinal : undefined;
}
