// Decides about sessions and sign-in links.

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { notFound } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { pageById } from '../accounts/page-by-id.ts';
import type { KeyGrant, KeyMaterial } from '../accounts/protocol.ts';
import { withOrg } from '../accounts/with-app.ts';
import type { MembersEntry } from '../members/protocol.ts';
import { addressKey, type MemberRecord } from '../members/records.ts';
import { expiryOf, grantOf, linkExpiryOf, memberOfLink } from './life.ts';
import type { SessionsMemory, SessionsOrgView } from './memory.ts';
import type { LinkView, Membership, SessionsEntry, SessionsProtocol } from './protocol.ts';
import {
  type LinkRecord,
  linksCountedMs,
  type SessionHolder,
  type SessionRecord,
  seenEveryMs,
} from './records.ts';

type AllDecisions = Decisions<SessionsProtocol, SessionsMemory>;

const openDecisions: Pick<
  AllDecisions,
  'session.open_by_link' | 'session.spend_link' | 'session.open_by_key' | 'session.open_by_address'
> = {
  'session.open_by_link': (state, { hash, way, key, place }, context) => {
    const found = linkIn(state, hash);
    const member = found && memberOfLink(found.org, found.link, context.nowMs);
    if (member === undefined || found?.link.way !== way) return accepted(null);
    return openAsMember(state, found.org, member, { key, link: hash, place }, context);
  },

  'session.spend_link': (state, { hash, way }, { nowMs }) => {
    const found = linkIn(state, hash);
    const member = found && memberOfLink(found.org, found.link, nowMs);
    if (member === undefined || found?.link.way !== way) return accepted(null);
    const owner = found.org.record.ordinal;
    const entry: SessionsEntry = { kind: 'sign_in_link.spent', owner, hash };
    return accepted(member.email, { entries: [entry] });
  },

  'session.open_by_key': (state, { apiKeyId, key }, context) =>
    withOrg(state, context, (org) => {
      const keyId = [...org.keyIds].find((one) => state.keys.get(one)?.id === apiKeyId);
      if (keyId === undefined) return accepted(null);
      return open(state, org, { holder: { kind: 'key', keyId }, key }, context);
    }),

  'session.open_by_address': (state, { email, signedInMs, key, place }, context) =>
    withOrg(state, context, (org) => {
      const member = memberAt(org, email);
      if (member === undefined) return accepted(null);
      return openAsMember(state, org, member, { key, signedInMs, place }, context);
    }),
};

const linkDecisions: Pick<AllDecisions, 'session.make_link' | 'session.read_link'> = {
  'session.make_link': (state, { email, hash, way, place }, context) =>
    withOrg(state, context, (org) => {
      const { owner, nowMs } = context;
      const member = memberAt(org, email);
      if (member === undefined || org.record.closedMs !== undefined) return accepted(null);
      const links = [...org.signInLinks.values()];
      const isOld = (link: LinkRecord) =>
        link.way === 'once'
          ? way === 'once' && link.memberId === member.id // the new one replaces it
          : nowMs - link.madeMs >= linksCountedMs;
      const forgotten = links.filter(isOld).map((link) => link.hash);
      const isFromKnown = place !== undefined && member.places?.includes(place) === true;
      const recent = links.filter(
        (link) =>
          link.memberId === member.id &&
          link.way === way &&
          (link.isFromKnown ?? false) === isFromKnown &&
          !isOld(link),
      );
      if (recent.length >= limits.signInLinksPerHour) return accepted(null);
      const link: LinkRecord = {
        ...{ hash, way, memberId: member.id, madeMs: nowMs },
        ...(isFromKnown ? { isFromKnown: true as const } : {}),
        ...longLife(recent, nowMs),
      };
      const entry: SessionsEntry = { kind: 'sign_in_link.made', owner, link, forgotten };
      return accepted(linkView(org, link, member), { entries: [entry] });
    }),

  'session.read_link': (state, { hash }, { nowMs }) => {
    const found = linkIn(state, hash);
    const member = found && memberOfLink(found.org, found.link, nowMs);
    return accepted(found && member ? linkView(found.org, found.link, member) : null);
  },
};

export const sessionsDecisions: AllDecisions = {
  ...openDecisions,
  ...linkDecisions,

  'session.find': (state, { keyId }, { nowMs }) => {
    const org = state.orgs.get(state.orgOfSession.get(keyId) ?? -1);
    const session = org?.sessions.get(keyId);
    if (org === undefined || session === undefined) return accepted(null);
    return accepted(grantOf(state, org, session, nowMs) ?? null);
  },

  'session.touch': (state, { keyId }, { nowMs }) => {
    const owner = state.orgOfSession.get(keyId);
    const org = owner === undefined ? undefined : state.orgs.get(owner);
    const session = org?.sessions.get(keyId);
    if (owner === undefined || org === undefined || session === undefined) return accepted(null);
    if (nowMs - session.seenMs < seenEveryMs) return accepted(null);
    if (grantOf(state, org, session, nowMs) === undefined) return accepted(null);
    const entry: SessionsEntry = { kind: 'session.seen', owner, keyId, atMs: nowMs };
    return accepted(null, { entries: [entry] });
  },

  'session.end': (state, { id }, context) =>
    withOrg(state, context, (org) => {
      const session = living(state, org, context.nowMs).find((one) => one.id === id);
      if (session === undefined) return refused(notFound('session'));
      const { keyId } = session;
      const entry: SessionsEntry = { kind: 'session.ended', owner: context.owner, keyId };
      return accepted(null, { entries: [entry] });
    }),

  'session.list': (state, asked, context) =>
    withOrg(state, context, (org) => {
      const all = living(state, org, context.nowMs).map((session) => {
        const { id, signedInMs, seenMs, openedMs, holder } = session;
        const member = holder.kind === 'member' ? org.members.get(holder.memberId) : undefined;
        const key = holder.kind === 'key' ? state.keys.get(holder.keyId) : undefined;
        return {
          id,
          createdMs: openedMs,
          member: member ?? null,
          key: key === undefined ? null : { id: key.id, name: key.name },
          signedInMs,
          seenMs,
          expiresMs: expiryOf(session),
        };
      });
      return pageById('ses', all, asked, {
        name: ({ member, key }) => member?.email ?? key?.name ?? '',
        views: (some) => some.map(({ createdMs: _, ...view }) => view),
      });
    }),

  'session.memberships': (state, { email }) => {
    const found: Membership[] = [];
    for (const ordinal of state.orgsOfAddress.get(addressKey(email)) ?? []) {
      const org = state.orgs.get(ordinal);
      const member = org && memberAt(org, email);
      if (member === undefined || org?.record.closedMs !== undefined) continue;
      found.push(membershipOf(ordinal, org as SessionsOrgView, member));
    }
    return accepted(found);
  },
};

/** Strangers may ask for the links of an hour: the last of them works until another may be made. */
function longLife(recent: readonly LinkRecord[], nowMs: Millis): Pick<LinkRecord, 'livesMs'> {
  if (recent.length < limits.signInLinksPerHour - 1) return {};
  const firstMs = Math.min(...recent.map(({ madeMs }) => madeMs));
  const livesMs = firstMs + linksCountedMs - nowMs;
  return livesMs > limits.signInLinkMs ? { livesMs } : {};
}

/** To sign in is to accept the membership. */
function openAsMember(
  state: SessionsMemory,
  org: SessionsOrgView,
  member: MemberRecord,
  { place, ...opening }: Omit<Opening, 'holder'> & { readonly place?: string | undefined },
  context: Context,
): Decision<KeyGrant | null> {
  const holder = { kind: 'member', memberId: member.id } as const;
  const opened = open(state, org, { ...opening, holder }, context);
  if (opened.outcome === 'refused' || opened.entries === undefined) return opened;
  const isKnown = place === undefined || member.places?.[0] === place;
  if (isKnown && member.isOpen !== true) return opened;
  const entry: MembersEntry = {
    kind: 'member.signed_in',
    owner: org.record.ordinal,
    memberId: member.id,
    ...(place === undefined ? {} : { place }),
  };
  return { ...opened, entries: [entry, ...opened.entries] };
}

interface Opening {
  readonly holder: SessionHolder;
  readonly key: KeyMaterial;
  /** Now, unless an earlier sign-in counts. */
  readonly signedInMs?: Millis | undefined;
  readonly link?: string | undefined;
}

/** Opens a session. Those that ended go; beyond a bound, the one unused for longest. */
function open(
  state: SessionsMemory,
  org: SessionsOrgView,
  { holder, key, link, signedInMs }: Opening,
  { nowMs }: Context,
): Decision<KeyGrant | null> {
  const session: SessionRecord = {
    ...key,
    holder,
    openedMs: nowMs,
    signedInMs: signedInMs ?? nowMs,
    seenMs: nowMs,
  };
  const grant = grantOf(state, org, session, nowMs);
  if (grant === undefined) return accepted(null);
  const alive = living(state, org, nowMs).sort((one, other) => one.seenMs - other.seenMs);
  const own = alive.filter((one) => isSameHolder(one.holder, holder));
  const beyond = own.slice(0, Math.max(0, own.length + 1 - limits.sessionsOfOneMax));
  const kept = new Set(alive.filter((one) => !beyond.includes(one)));
  for (const one of kept)
    if (kept.size >= limits.sessionsMax) kept.delete(one);
    else break;
  const ended = [...org.sessions.values()].filter((one) => !kept.has(one));
  const entry: SessionsEntry = {
    kind: 'session.opened',
    owner: org.record.ordinal,
    session,
    ended: ended.map(({ keyId }) => keyId),
    ...(link === undefined ? {} : { link }),
  };
  return accepted(grant, { entries: [entry] });
}

function living(state: SessionsMemory, org: SessionsOrgView, nowMs: Millis): SessionRecord[] {
  return [...org.sessions.values()].filter(
    (session) => grantOf(state, org, session, nowMs) !== undefined,
  );
}

function isSameHolder(one: SessionHolder, other: SessionHolder): boolean {
  if (one.kind === 'member') return other.kind === 'member' && one.memberId === other.memberId;
  return other.kind === 'key' && one.keyId === other.keyId;
}

function memberAt({ members }: SessionsOrgView, email: string): MemberRecord | undefined {
  const address = addressKey(email);
  for (const member of members.values()) if (addressKey(member.email) === address) return member;
  return undefined;
}

function linkIn(
  { orgs, orgOfLink }: SessionsMemory,
  hash: string,
): { readonly org: SessionsOrgView; readonly link: LinkRecord } | undefined {
  const org = orgs.get(orgOfLink.get(hash) ?? -1);
  const link = org?.signInLinks.get(hash);
  return org === undefined || link === undefined ? undefined : { org, link };
}

function linkView(
  { record }: SessionsOrgView,
  link: LinkRecord,
  { email, isOpen }: MemberRecord,
): LinkView {
  const { id: orgId, name: orgName } = record;
  return { orgId, orgName, email, expiresMs: linkExpiryOf(link), isOpen: isOpen === true };
}

function membershipOf(
  org: Ordinal,
  { record, sessions }: SessionsOrgView,
  member: MemberRecord,
): Membership {
  let seenMs: Millis | null = null;
  for (const one of sessions.values())
    if (one.holder.kind === 'member' && one.holder.memberId === member.id)
      seenMs = Math.max(seenMs ?? 0, one.seenMs);
  const { id: orgId, name: orgName, parentOrgId } = record;
  return { org, orgId, orgName, parentOrgId, member, seenMs };
}
