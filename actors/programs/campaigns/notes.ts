// What the audit log notes of campaigns.

import type { Message } from '../../../engine/actor/message.ts';
import type { AuditAction } from '../../audit-actions.ts';
import type { Notes } from '../../audit-note.ts';
import { difference } from '../../difference.ts';
import type { CampaignsEntry } from './entries.ts';
import type { CampaignsMemory } from './memory.ts';
import type { CampaignRecord } from './records.ts';

export const campaignsNotes: Notes<CampaignsEntry, CampaignsMemory> = {
  'campaign.saved': (state, { owner, campaign }, _context, message) => {
    const before = state.apps.get(owner)?.campaigns.get(campaign.id);
    const action = before && (actionOfStates(before, campaign) ?? actionOnIt(message, before));
    if (before === undefined || action === undefined) return undefined;
    const changed = action === 'campaign.changed' ? { changed: membersOf(before, campaign) } : {};
    return {
      action,
      target: campaign.id,
      before: { name: before.name, state: before.state },
      after: { state: campaign.state, stateReason: campaign.stateReason, ...changed },
    };
  },
  'campaign.deleted': (state, { owner, id }) => {
    const campaign = state.apps.get(owner)?.campaigns.get(id);
    const before = { name: campaign?.name, state: campaign?.state };
    return { action: 'campaign.deleted', target: id, before };
  },
};

function actionOfStates(before: CampaignRecord, after: CampaignRecord): AuditAction | undefined {
  if (before.state === after.state) return undefined;
  switch (after.state) {
    case 'draft':
      return 'campaign.unscheduled';
    case 'scheduled':
    case 'sending':
      if (before.state === 'paused') return 'campaign.resumed';
      return before.state === 'draft' ? 'campaign.sent' : 'campaign.started';
    default:
      return `campaign.${after.state}`;
  }
}

/** What a call did to a campaign that stays in its state; changes of drafts are not noted. */
function actionOnIt({ kind }: Message, { state }: CampaignRecord): AuditAction | undefined {
  switch (kind) {
    case 'campaign.archive':
      return 'campaign.archived';
    case 'campaign.unarchive':
      return 'campaign.unarchived';
    case 'campaign.update':
      return state === 'draft' ? undefined : 'campaign.changed';
    default:
      return undefined;
  }
}

/** The names of the members that differ, without instants: filters may be long. */
function membersOf(before: object, after: object): readonly string[] {
  const now = difference(before, after)?.after ?? {};
  const former = difference(after, before)?.after ?? {};
  const names = new Set([...Object.keys(now), ...Object.keys(former)]);
  return [...names].filter((name) => !name.endsWith('Ms')).sort();
}
