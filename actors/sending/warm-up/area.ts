// Warm-up of sender domains: how many emails may leave on each day, and how many have.

import type { Area, Editable } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import { warmUpApplies } from './apply.ts';
import { warmUpDecisions } from './decide.ts';
import { type WarmUpMemory, type WarmUpView, warmUpOfApp } from './memory.ts';
import type { WarmUpEntry } from './protocol.ts';
import { warmUpOf } from './reads.ts';
import { type WarmUpRecord, warmUpEtag } from './warm-up.ts';

const warmUpNotes: Notes<WarmUpEntry, WarmUpMemory> = {
  'warm_up.saved': ({ apps }, { owner, warmUp }) => {
    const { domain: target } = warmUp;
    const app = apps.get(owner);
    const before = app && warmUpOf(app, target);
    if (before === undefined) return { action: 'warm_up.started', target, after: authored(warmUp) };
    const changed = difference(authored(before), authored(warmUp));
    return changed && { action: 'warm_up.changed', target, ...changed };
  },
  'warm_up.deleted': (_state, { domain: target }) => ({ action: 'warm_up.deleted', target }),
};

export const warmUpArea = {
  name: 'warm-up',
  app: warmUpOfApp,
  decide: () => warmUpDecisions,
  apply: warmUpApplies,
  silent: ['warm_up.saved', 'warm_up.deleted'],
  notes: warmUpNotes,
  edits: { 'warm_up.put': editedOf },
  ends: { 'warm_up.delete': editedOf },
  whenDiskIsFull: ['warm_up.read', 'warm_up.delete'],
  on: {
    restoreBegun: ({ warmUps }, atMs) => warmUps.restored(atMs),
    clockRebased: ({ apps }, to) => {
      for (const { warmUps } of apps.values()) warmUps.rebase(to);
    },
  },
} as const satisfies Area<never, WarmUpMemory, WarmUpView, object>;

function authored({ startMs, days, isHeld }: WarmUpRecord): object {
  const numbers = days.map(({ max }) => max);
  return { startsAt: new Date(startMs).toISOString(), numbers, held: isHeld === true };
}

function editedOf(
  { apps }: WarmUpMemory,
  { domain }: { readonly domain: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const app = apps.get(owner);
  if (app === undefined || !app.emailDomains.has(domain)) return undefined;
  const record = warmUpOf(app, domain);
  const key = `warm-up ${domain}`;
  return record === undefined
    ? { key }
    : { key, etag: warmUpEtag(record), changedMs: record.updatedMs };
}
