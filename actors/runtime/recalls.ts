// What the dispatchers must not begin any more after a decision: rows of people who can be reached
// in fewer ways, of campaigns that pause or end, of journeys that are off, of deleted apps. Only
// what is in flight matters: what is still due, the gate judges when it starts.

import type { Effect, Entry } from '../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../engine/base/brand.ts';
import type { SegmentsEntry } from '../audiences/segments/protocol.ts';
import type { CampaignsEntry } from '../programs/campaigns/entries.ts';
import type { JourneysEntry } from '../programs/journeys/entries.ts';
import type { DispatchRecall } from '../sending/dispatch/protocol.ts';
import type { ErasureEntry } from './erasure-protocol.ts';
import type { AppState, PartitionState } from './state.ts';

/** One for each recall; the host thread passes them to all dispatchers. */
export function recallsOf(state: PartitionState, entries: readonly Entry[]): readonly Effect[] {
  let effects: Effect[] | undefined;
  for (const entry of entries) {
    const recall = recallOf(state, entry);
    if (recall === undefined) continue;
    effects ??= [];
    effects.push({ port: 'host', message: recall });
  }
  return effects ?? none;
}

const none: readonly Effect[] = [];

function recallOf({ apps }: PartitionState, entry: Entry): DispatchRecall | undefined {
  const { owner: app } = entry;
  const kind = 'dispatch.recall';
  switch (entry.kind) {
    case 'traits.changed': {
      const state = apps.get(app);
      const people = state && inFlight(state, reachChanged(entry as TraitsChanged));
      return people && { kind, app, people };
    }
    case 'subscriber.erased': {
      const state = apps.get(app);
      const { person } = entry as Erased;
      const people = state && (inFlight(state, [person]) ?? inWebhooks(state, person));
      return people && { kind, app, people };
    }
    case 'campaign.saved': {
      const { id: campaignId, state } = (entry as CampaignSaved).campaign;
      return state === 'paused' || state === 'canceled' ? { kind, app, campaignId } : undefined;
    }
    case 'campaign.deleted':
      return { kind, app, campaignId: (entry as CampaignDeleted).id };
    case 'journey.saved': {
      const { id: journeyId, active } = (entry as JourneySaved).journey;
      const wasActive = apps.get(app)?.journeys.get(journeyId)?.record.active === true;
      return wasActive && !active ? { kind, app, journeyId } : undefined;
    }
    case 'app.deleted':
      return { kind, app };
    default:
      return undefined;
  }
}

type TraitsChanged = Extract<SegmentsEntry, { readonly kind: 'traits.changed' }>;
type Erased = Extract<ErasureEntry, { readonly kind: 'subscriber.erased' }>;
type CampaignSaved = Extract<CampaignsEntry, { readonly kind: 'campaign.saved' }>;
type JourneySaved = Extract<JourneysEntry, { readonly kind: 'journey.saved' }>;
type CampaignDeleted = Extract<CampaignsEntry, { readonly kind: 'campaign.deleted' }>;

function* reachChanged({ people }: TraitsChanged): Generator<PersonOrdinal> {
  for (const { person, tags: _, ...contact } of people)
    if (Object.keys(contact).length > 0) yield person;
}

/** The ordinals, former ones too, of those with a call in flight. */
function inFlight(app: AppState, people: Iterable<PersonOrdinal>): PersonOrdinal[] | undefined {
  if (app.outbox.jobs.size === 0 && app.sending.waves.size === 0) return undefined;
  let found: PersonOrdinal[] | undefined;
  for (const person of people) {
    const names = [person, ...app.people.aliasesOf(person)];
    if (!isBegun(app, person) && !names.some((name) => app.sending.isInFlight(name))) continue;
    found ??= [];
    found.push(...names);
  }
  return found;
}

/** All their ordinals, if there may be a delivery about them that has not begun. */
function inWebhooks({ webhooks, people }: AppState, person: PersonOrdinal) {
  const isAnyOpen = [...webhooks.destinations.values()].some(({ open }) => open > 0);
  return isAnyOpen ? [person, ...people.aliasesOf(person)] : undefined;
}

function isBegun({ outbox }: AppState, person: PersonOrdinal): boolean {
  return outbox
    .begunOf(person)
    .some(({ targets }) => targets.some(({ state }) => state === 'started'));
}
