// Lists what became of each person of an occurrence, by ordinal. Known while the occurrence counts
// answers; afterwards only its figures are kept, and the event stream has the rest.

import type { Context, DocumentReader } from '../../../engine/actor/message.ts';
import type { MessageOf } from '../../../engine/actor/protocol.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { fault, notFound, unknownPart } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { listCursor, placeOfCursor } from '../../list-cursor.ts';
import type { CountedPage } from '../../people/audience/protocol.ts';
import { readableRow } from '../../readable-row.ts';
import { variantFor } from './bucketing.ts';
import { noFunnel } from './funnel.ts';
import type { CampaignsView } from './memory.ts';
import { type Occurrence, planOf } from './occurrence.ts';
import type { CampaignRecipient, CampaignsProtocol, RecipientFilter } from './protocol.ts';
import type { CampaignPlan, CampaignRecord } from './records.ts';
import type { PersonOutcome } from './tally.ts';

/** A place in a walk: the occurrence, and the ordinal to go on from. */
const occurrenceStep = 2 ** 32;

export function recipientsPage(
  app: CampaignsView,
  campaign: CampaignRecord,
  asked: MessageOf<CampaignsProtocol, 'campaign.recipients'>,
  { owner, documents }: Pick<Context, 'owner' | 'documents'>,
): CountedPage<CampaignRecipient> | { readonly fault: Fault } {
  const { cursor, limit } = asked;
  const place = cursor === undefined ? 0 : placeOfCursor('recipients', owner, cursor);
  if (place === undefined) return { fault: fieldFault('cursor', 'invalid cursor for this list') };
  const named = place > 0 ? Math.floor(place / occurrenceStep) : asked.occurrence;
  const number = named ?? campaign.occurrences;
  const occurrence = number === undefined ? undefined : app.sending.find(campaign.id, number);
  if (number !== undefined && occurrence === undefined)
    return { fault: whyUnknown(app, campaign, number) };
  const plan = occurrence === undefined ? campaign : planOf(campaign, occurrence);
  const unknown = unknownVariant(plan, asked.variant);
  if (unknown !== undefined) return { fault: unknown };
  if (number === undefined || occurrence === undefined)
    return { items: [], nextCursor: null, total: 0 };
  const walk = new Walk(plan, occurrence, asked, documents);
  const next = walk.from(place % occurrenceStep, limit);
  const nextCursor =
    next < 0 ? null : listCursor('recipients', owner, number * occurrenceStep + next);
  return { items: walk.items, nextCursor, total: totalOf(occurrence, asked) };
}

/** Of the occurrence that is listed: a recurring campaign may have had others. */
function unknownVariant(
  { variants = [] }: Pick<CampaignPlan, 'variants'>,
  asked: string | undefined,
): Fault | undefined {
  if (asked === undefined) return undefined;
  const ids = variants.map(({ id }) => id);
  return unknownPart('variant', asked, ids, 'this campaign');
}

function whyUnknown({ sending }: CampaignsView, { id }: CampaignRecord, number: number): Fault {
  if (!sending.past(id).some((one) => one.number === number))
    return { ...notFound('occurrence: occurrence'), field: 'occurrence' };
  return fault(
    'wrong_state',
    'who got this is kept for 30 days after the end; list its events with GET /v1/apps/:appId/events?campaignId=',
  );
}

/** From the counters. People who were erased since are in it, and in no page. */
function totalOf(
  { tally, groups }: Occurrence,
  { outcome, variant }: { readonly outcome?: RecipientFilter; readonly variant?: string },
): number {
  if (outcome === 'holdout') return variant === undefined ? (groups?.counts().held.size ?? 0) : 0;
  const counts = variant === undefined ? tally.people : (tally.variants.get(variant) ?? noFunnel());
  const { sent, delivered, bounced, failed, suppressed } = counts;
  const decided = Math.max(sent, delivered + bounced + failed);
  if (outcome === undefined) return decided + suppressed;
  return outcome === 'pending' ? decided - delivered - bounced - failed : counts[outcome];
}

class Walk {
  readonly items: CampaignRecipient[] = [];
  readonly #plan: CampaignPlan;
  readonly #occurrence: Occurrence;
  readonly #wanted: { readonly outcome?: RecipientFilter; readonly variant?: string };
  readonly #documents: DocumentReader;

  constructor(
    plan: CampaignPlan,
    occurrence: Occurrence,
    wanted: { readonly outcome?: RecipientFilter; readonly variant?: string },
    documents: DocumentReader,
  ) {
    this.#plan = plan;
    this.#occurrence = occurrence;
    this.#wanted = wanted;
    this.#documents = documents;
  }

  /** Where the next page goes on; -1 at the end. Ends early after many who are not wanted. */
  from(start: PersonOrdinal, limit: number): PersonOrdinal | -1 {
    let person = this.#next(start);
    for (let seen = 0; person >= 0; person = this.#next(person + 1), seen++) {
      if (seen === limits.recipientsWalkedMax) return person;
      const one = this.#of(person);
      if (one === undefined) continue;
      if (this.items.length === limit) return person;
      this.items.push(one);
    }
    return -1;
  }

  #next(from: PersonOrdinal): PersonOrdinal | -1 {
    const { tally, groups } = this.#occurrence;
    if (this.#wanted.outcome === 'holdout') return groups?.nextHeld(from) ?? -1;
    return tally.next(from);
  }

  #of(person: PersonOrdinal): CampaignRecipient | undefined {
    const { outcome, variant: wanted } = this.#wanted;
    const isHeld = outcome === 'holdout';
    const variant = isHeld ? undefined : variantFor(this.#plan, this.#occurrence, person);
    if (wanted !== undefined && variant !== wanted) return undefined;
    const found = this.#occurrence.tally.outcomeOf(person);
    if (!isHeld && !isWanted(found, outcome)) return undefined;
    const row = readableRow(this.#documents, subscribers, [person]);
    if (row === undefined) return undefined;
    const { number } = this.#occurrence;
    return {
      subscriberId: row.id,
      ...(row.externalUserId === undefined ? {} : { externalUserId: row.externalUserId }),
      ...(isHeld ? this.#held(person) : found),
      ...(variant === undefined ? {} : { variant }),
      occurrence: number,
    };
  }

  #held(person: PersonOrdinal) {
    const converted = this.#occurrence.groups?.hasConverted(person) === true;
    const none = { opened: false, clicked: false, unsubscribed: false, complained: false } as const;
    return { outcome: 'holdout', ...none, converted } as const;
  }
}

function isWanted(found: PersonOutcome, outcome: RecipientFilter | undefined): boolean {
  switch (outcome) {
    case undefined:
      return true;
    case 'opened':
    case 'clicked':
    case 'converted':
    case 'unsubscribed':
    case 'complained':
      return found[outcome];
    default:
      return found.outcome === outcome;
  }
}
