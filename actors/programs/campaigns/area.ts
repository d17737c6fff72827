// The area of campaigns: one message to many people.

import { contentCopies } from '../../../storage/tables/content-copy.ts';
import { dryRunParts, dryRuns } from '../../../storage/tables/dry-run.ts';
import type { Area, Editable } from '../../area.ts';
import type { RecallsBy } from '../../recall.ts';
import { campaignsApplies } from './apply.ts';
import { CampaignClock, type CampaignClockRules } from './clock.ts';
import { answerCost, costDecisions } from './cost.ts';
import { type CampaignsRules, campaignsDecisions } from './decide.ts';
import { answerDryRun } from './dry-run.ts';
import type { CampaignsEntry } from './entries.ts';
import { campaignsFacts } from './facts.ts';
import { heldByRestore } from './held-by-restore.ts';
import { type CampaignsMemory, type CampaignsView, campaignsOfApp } from './memory.ts';
import { nextOf } from './next-start.ts';
import { campaignsNotes } from './notes.ts';
import { answerCampaignPreview, campaignPreviewDecisions } from './preview.ts';
import { campaignEtag } from './records.ts';
import { campaignsTimers } from './timers.ts';
import { type WavesRules, wavesDecisions } from './waves.ts';

export const campaignsArea = {
  name: 'campaigns',
  app: campaignsOfApp,
  clock: (rules: CampaignClockRules) => new CampaignClock(rules),
  decide: (rules: CampaignsRules & WavesRules) => ({
    ...campaignsDecisions(rules),
    ...wavesDecisions(rules),
    ...campaignPreviewDecisions,
    ...costDecisions,
  }),
  apply: campaignsApplies,
  facts: campaignsFacts,
  silent: [
    'campaign.deleted',
    'dry_run.written',
    'dry_run.swept',
    'campaign.started',
    'campaign.released',
    'campaign.won',
    'campaign.fallback_awaited',
    'campaign.fallback_began',
    'campaign.answered_for_good',
  ],
  edits: {
    'campaign.update': campaignOf,
    'campaign.send': campaignOf,
    'campaign.unschedule': campaignOf,
    'campaign.pause': campaignOf,
    'campaign.resume': campaignOf,
    'campaign.cancel': campaignOf,
    'campaign.archive': campaignOf,
    'campaign.unarchive': campaignOf,
  },
  ends: {
    'campaign.delete': campaignOf,
  },
  notes: campaignsNotes,
  recalls: {
    'campaign.saved': (_state, { campaign: { id: campaignId, state } }) =>
      state === 'paused' || state === 'canceled' ? { campaignId } : undefined,
    'campaign.deleted': (_state, { id: campaignId }) => ({ campaignId }),
  } satisfies RecallsBy<CampaignsEntry, CampaignsMemory>,
  inFlight: ({ sending }) =>
    sending.waves.size === 0
      ? undefined
      : (names) => names.some((name) => sending.isInFlight(name)),
  asks: {
    'campaign.cost': answerCost,
    'campaign.dry_run': answerDryRun,
    'campaign.preview': answerCampaignPreview,
  },
  stores: {
    'campaign.archive': 'copies',
    'campaign.dry_run': 'copies',
    'campaign.resume': 'copies',
    'campaign.send': 'copies',
    'campaign.unarchive': 'copies',
  },
  whenDiskIsFull: [
    'campaign.read',
    'campaign.list',
    'campaign.stats',
    'campaign.links',
    'campaign.preview_facts',
    'campaign.cost_facts',
    'campaign.recipients',
    'campaign.export',
    'dry_run.people',
    'dispatch.wave_report',
    'campaign.unschedule',
    'campaign.pause',
    'campaign.cancel',
    'campaign.delete',
  ],
  stored: {
    tables: [
      ['copies', contentCopies],
      ['copies', dryRuns],
      ['copies', dryRunParts],
    ],
    sums: [['content', ({ campaigns }) => campaigns.bytes]],
    growth: {
      'campaign.saved': (
        { campaigns },
        { campaign }: Extract<CampaignsEntry, { kind: 'campaign.saved' }>,
      ) => campaigns.growth(campaign),
    },
  },
  tables: [contentCopies, dryRuns, dryRunParts],
  timers: campaignsTimers,
  on: {
    personErased: ({ sending, readingHours, outbox }, { person, names }) => {
      sending.forget(names, outbox.of(person));
      readingHours.forget(person);
    },
    peopleExpired: ({ sending, readingHours }, people) => {
      sending.forget([...people], []);
      for (const person of people) readingHours.forget(person);
    },
    personMerged: ({ sending, readingHours, campaigns }, { person, into }) => {
      sending.merge(person, into, campaigns);
      readingHours.merge(person, into);
    },
    clockRebased: ({ apps }, to) => {
      for (const { sending, campaigns } of apps.values()) {
        sending.rebase(to);
        for (const record of [...campaigns.unfinishedRecords()]) {
          // The wrong clock chose it; occurrences between the two were not missed.
          const isChosen = record.nextMs !== undefined && record.nextMs >= to.sinceMs;
          const nextMs = isChosen ? nextOf(record, to.toMs) : undefined;
          if (nextMs !== undefined) campaigns.save({ ...record, nextMs });
        }
      }
    },
    restoreBackup: heldByRestore,
    backupRestored: ({ sending }) => sending.hold(),
  },
} as const satisfies Area<never, CampaignsMemory, CampaignsView, object>;

/**
 * What counts as a change of a campaign for those who edit it: what they choose, and its state.
 * The progress of its occurrences makes no edit stale.
 */
function campaignOf(
  { apps }: CampaignsMemory,
  { id }: { readonly id: string },
  { owner }: { readonly owner: number },
): Editable | undefined {
  const record = apps.get(owner)?.campaigns.get(id);
  return record && { key: id, etag: campaignEtag(record), changedMs: record.updatedMs };
}
