// What customer-data platforms send.

import type { Area, Editable } from '../../area.ts';
import type { Notes } from '../../audit-note.ts';
import { cdpApplies } from './apply.ts';
import { cdpEtag } from './cdp-etag.ts';
import { type CdpRules, cdpDecisions } from './decide.ts';
import { type CdpMemory, type CdpView, cdpOfApp } from './memory.ts';
import type { CdpEntry } from './protocol.ts';
import { rebasedKeys } from './write-key.ts';

/** What the audit log notes of the customer-data platform's keys. */
const cdpNotes: Notes<CdpEntry, unknown> = {
  'cdp.key_changed': (_state, { keys }, _context, message) =>
    message.kind === 'cdp.configure'
      ? {
          action: 'integration.saved',
          target: 'cdp',
          after: {
            devicesFromTraits: keys.devicesFromTraits ?? true,
            consent: keys.consent ?? 'confirmed',
          },
        }
      : { action: 'write_key.created', target: 'cdp' },
  'cdp.removed': () => ({ action: 'integration.removed', target: 'cdp' }),
};

export const cdpArea = {
  name: 'cdp',
  app: cdpOfApp,
  decide: (rules: CdpRules) => cdpDecisions(rules),
  apply: cdpApplies,
  silent: ['cdp.key_changed', 'cdp.removed', 'cdp.seen'],
  edits: { 'cdp.put': cdpOf, 'cdp.configure': cdpOf },
  ends: { 'cdp.remove': cdpOf },
  notes: cdpNotes,
  undone: {
    'cdp.key_changed': { rank: 7, about: () => 'write keys' },
    'cdp.removed': { rank: 8, about: () => 'write keys' },
  },
  stores: { 'cdp.take': 'adds' },
  whenDiskIsFull: [
    'integration.list',
    'cdp.verify', // so that a platform's error is about the disk, not its key
    'cdp.remove',
  ],
  on: {
    clockRebased: ({ apps }, to) => {
      for (const app of apps.values())
        if (app.writeKeys !== null) app.writeKeys = rebasedKeys(app.writeKeys, to);
    },
  },
} as const satisfies Area<never, CdpMemory, CdpView, object>;

/** Which messages change or delete an integration with a customer-data platform. */
function cdpOf(
  { apps }: CdpMemory,
  _message: unknown,
  { owner }: { readonly owner: number },
): Editable | undefined {
  const app = apps.get(owner);
  if (app === undefined) return undefined;
  const keys = app.writeKeys;
  return keys === null
    ? { key: 'cdp' }
    : { key: 'cdp', etag: cdpEtag(keys), changedMs: keys.updatedMs };
}
