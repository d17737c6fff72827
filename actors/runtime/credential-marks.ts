// Which credentials there are, for fronts: they learn all marks at their start, and each new one
// before the call that made it is answered. So a credential that nobody has costs no look-up.

import { accepted, type Effect, type Entry } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import type { Area } from '../area.ts';
import type { CdpEntry, WriteKeys } from '../events/cdp/protocol.ts';
import {
  type CredentialMark,
  type CredentialMarksProtocol,
  type CredentialsMade,
  credentialMark,
} from '../tenants/accounts/credential-mark.ts';
import { hasLinkHost, linkHostMark, linkHostName } from '../tenants/accounts/link-host.ts';
import type { AccountsEntry } from '../tenants/accounts/protocol.ts';
import type { SessionsEntry } from '../tenants/sessions/protocol.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

/** Orgs are read until a page has as many marks; one org has some 5,000 at most. */
const marksOfPage = 10_000;

const decisions: Decisions<CredentialMarksProtocol, PartitionState> = {
  'credential.marks': (state, { from }) => {
    const marks: CredentialMark[] = [];
    let at = 0;
    for (const org of state.orgs.values()) {
      if (at++ < from) continue;
      if (marks.length >= marksOfPage)
        return accepted({ marks: Float64Array.from(marks), next: at - 1 });
      marks.push(...marksOf(state, org));
    }
    return accepted({ marks: Float64Array.from(marks), next: null });
  },
};

export const credentialMarksArea = {
  name: 'credential marks',
  decide: () => decisions,
  announce: credentialsIn,
  whenDiskIsFull: ['credential.marks'],
} as const satisfies Area<unknown, PartitionState, AppState, OrgState>;

/** The notice of credentials that a decision's entries make. */
function credentialsIn(state: PartitionState, entries: readonly Entry[]): readonly Effect[] {
  let made: CredentialMark[] | undefined;
  for (const entry of entries) {
    const marks = marksIn(state, entry as Making);
    if (marks !== undefined) made = made === undefined ? [...marks] : [...made, ...marks];
  }
  if (made === undefined) return none;
  const message: CredentialsMade = { kind: 'credentials.made', marks: made };
  return [{ port: 'front', message }];
}

const none: readonly Effect[] = [];

type Making = AccountsEntry | SessionsEntry | CdpEntry;

function marksIn({ apps }: PartitionState, entry: Making): readonly CredentialMark[] | undefined {
  switch (entry.kind) {
    case 'key.created':
      return [credentialMark(entry.key.keyId, entry.key.secretHash)];
    case 'email_domain.checked': {
      const { name: domain, state, check } = entry;
      return hasLinkHost({ domain, state, check })
        ? [linkHostMark(linkHostName(domain))]
        : undefined;
    }
    case 'session.opened':
      return [credentialMark(entry.session.keyId, entry.session.secretHash)];
    case 'sign_in_link.made':
      return [linkMark(entry.link.hash)];
    case 'cdp.key_changed': {
      const app = apps.get(entry.owner)?.record;
      return app && writeKeyMarks(app.id, entry.keys);
    }
    default:
      return undefined;
  }
}

function marksOf({ keys, apps }: PartitionState, org: OrgState): readonly CredentialMark[] {
  const marks: CredentialMark[] = [];
  for (const keyId of org.keyIds) {
    const key = keys.get(keyId);
    if (key !== undefined) marks.push(credentialMark(keyId, key.secretHash));
  }
  for (const { keyId, secretHash } of org.sessions.values())
    marks.push(credentialMark(keyId, secretHash));
  for (const hash of org.signInLinks.keys()) marks.push(linkMark(hash));
  for (const ordinal of org.apps) {
    const app = apps.get(ordinal);
    for (const domain of app?.emailDomains.values() ?? [])
      if (hasLinkHost(domain)) marks.push(linkHostMark(linkHostName(domain.domain)));
    if (app !== undefined && app.writeKeys !== null)
      marks.push(...writeKeyMarks(app.record.id, app.writeKeys));
  }
  return marks;
}

function writeKeyMarks(appId: string, { secretHash, previous }: WriteKeys): CredentialMark[] {
  const marks = [credentialMark(appId, secretHash)];
  if (previous !== null) marks.push(credentialMark(appId, previous.secretHash));
  return marks;
}

/** A link is all secret. `hash`: in hex. */
function linkMark(hash: string): CredentialMark {
  return credentialMark('', Buffer.from(hash, 'hex'));
}
