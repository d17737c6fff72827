// Relays of apps and orgs: accounts of mail services and SMS gateways, in their order.

import type { Area, Editable } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import type { UndoneBy } from '../../undone.ts';
import { relaysApplies } from './apply.ts';
import { type RelaysRules, relaysDecisions } from './decide.ts';
import {
  type RelaysApp,
  type RelaysMemory,
  type RelaysOrgView,
  relaysOfApp,
  relaysOfOrg,
} from './memory.ts';
import type { RelaysEntry } from './protocol.ts';
import { type RelayRecord, relayEtag } from './records.ts';

/** What the audit log shows of a relay: never a secret. */
function shownOf(relay: RelayRecord) {
  const { name, channel, kind, streams, order, enabled, shown, fingerprint } = relay;
  const { perSecond = null, perDay = null } = relay;
  return {
    name,
    channel,
    kind,
    streams,
    order,
    enabled,
    perSecond,
    perDay,
    config: shown,
    fingerprint,
  };
}

const relaysNotes: Notes<RelaysEntry, RelaysMemory> = {
  'relay.saved': (state, { owner, relay }) => {
    const { id: target } = relay;
    const before = kept(state, owner, target);
    if (before === undefined) return { action: 'relay.created', target, after: shownOf(relay) };
    const changed = difference(shownOf(before), shownOf(relay));
    return changed && { action: 'relay.changed', target, ...changed };
  },
  'relay.deleted': (state, { owner, relayId: target }) => {
    const before = kept(state, owner, target);
    const was = before === undefined ? {} : { before: shownOf(before) };
    return { action: 'relay.deleted', target, ...was };
  },
};

/** Replaced secrets and deleted relays, which a restore must not bring back. */
const relaysUndone: UndoneBy<RelaysEntry, RelaysMemory> = {
  'relay.saved': {
    rank: 14,
    about: ({ relay }) => `relay ${relay.id}`,
    again: (state, { owner }) => (isThere(state, owner) ? {} : undefined),
  },
  'relay.deleted': {
    rank: 15,
    about: ({ relayId }) => `relay ${relayId}`,
    again: (state, { owner, relayId }) => (kept(state, owner, relayId) ? {} : undefined),
  },
};

export const relaysArea = {
  name: 'relays',
  app: relaysOfApp,
  org: relaysOfOrg,
  decide: (rules: RelaysRules) => relaysDecisions(rules),
  apply: relaysApplies,
  silent: ['relay.saved', 'relay.deleted', 'relay.reported', 'relays.shared'],
  notes: relaysNotes,
  undone: relaysUndone,
  edits: { 'relay.update': relayOf },
  ends: { 'relay.delete': relayOf },
  whenDiskIsFull: ['relay.read', 'relay.list', 'relay.ways', 'relay.open', 'relay.delete'],
} as const satisfies Area<never, RelaysMemory, RelaysApp, RelaysOrgView>;

function isThere({ apps, orgs }: RelaysMemory, owner: number): boolean {
  return apps.has(owner) || orgs.has(owner);
}

function kept({ apps, orgs }: RelaysMemory, owner: number, id: string): RelayRecord | undefined {
  return (apps.get(owner) ?? orgs.get(owner))?.relays.get(id);
}

function relayOf(
  state: RelaysMemory,
  { relayId }: { readonly relayId: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const relay = kept(state, owner, relayId);
  return relay && { key: relayId, etag: relayEtag(relay), changedMs: relay.updatedMs };
}
