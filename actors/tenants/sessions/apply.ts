// Folds sessions and sign-in links.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Applies } from '../../../engine/actor/protocol.ts';
import type { Ordinal } from '../../../engine/base/brand.ts';
import type { OrgRecord } from '../accounts/records.ts';
import type { SessionsMemory } from './memory.ts';
import type { SessionsEntry } from './protocol.ts';

export const sessionsApplies: Applies<SessionsEntry, SessionsMemory> = {
  'session.opened': (state, { owner, session, ended, link }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    for (const keyId of ended) forget(state, owner, keyId);
    org.sessions.set(session.keyId, session);
    state.orgOfSession.set(session.keyId, owner);
    const opened = link === undefined ? undefined : org.signInLinks.get(link);
    if (opened !== undefined) org.signInLinks.set(opened.hash, { ...opened, isSpent: true });
  },
  'session.seen': (state, { owner, keyId, atMs }) => {
    const sessions = state.orgs.get(owner)?.sessions;
    const session = sessions?.get(keyId);
    if (session !== undefined) sessions?.set(keyId, { ...session, seenMs: atMs });
  },
  'session.ended': (state, { owner, keyId }) => forget(state, owner, keyId),
  'sign_in_link.spent': (state, { owner, hash }) => {
    const links = state.orgs.get(owner)?.signInLinks;
    const link = links?.get(hash);
    if (link !== undefined) links?.set(hash, { ...link, isSpent: true });
  },
  'sign_in_link.made': (state, { owner, link, forgotten }) => {
    const org = state.orgs.get(owner);
    if (org === undefined) return;
    for (const hash of forgotten) {
      org.signInLinks.delete(hash);
      state.orgOfLink.delete(hash);
    }
    org.signInLinks.set(link.hash, link);
    state.orgOfLink.set(link.hash, owner);
  },
};

function forget(state: SessionsMemory, owner: Ordinal, keyId: string): void {
  state.orgs.get(owner)?.sessions.delete(keyId);
  state.orgOfSession.delete(keyId);
}

/** A backup has sessions that have ended since, so all of them end. */
export function endAllSessions(state: SessionsMemory): void {
  for (const { sessions, signInLinks } of state.orgs.values()) {
    sessions.clear();
    signInLinks.clear();
  }
  state.orgOfSession.clear();
  state.orgOfLink.clear();
}

/** Nobody is signed in to a deleted org. */
export function endSessionsOfClosed(state: SessionsMemory, record: OrgRecord): void {
  const org = state.orgs.get(record.ordinal);
  if (org === undefined || record.closedMs === undefined) return;
  for (const keyId of org.sessions.keys()) state.orgOfSession.delete(keyId);
  for (const hash of org.signInLinks.keys()) state.orgOfLink.delete(hash);
  org.sessions.clear();
  org.signInLinks.clear();
}

/** The clock was ahead: what it stamped since then gets its true time. */
export function rebaseSessions({ orgs }: SessionsMemory, { stamp }: Rebase): void {
  for (const { sessions, signInLinks } of orgs.values()) {
    for (const one of sessions.values())
      sessions.set(one.keyId, {
        ...one,
        openedMs: stamp(one.openedMs),
        signedInMs: stamp(one.signedInMs),
        seenMs: stamp(one.seenMs),
      });
    for (const one of signInLinks.values())
      signInLinks.set(one.hash, { ...one, madeMs: stamp(one.madeMs) });
  }
}
