// Folds what happened in other areas into journeys: receipts of their sends, opens and clicks. An
// event finds its step by the send's id; what names no send counts for none.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { partOfCopyKey } from '../../../storage/tables/content-copy.ts';
import { TrackedFacts } from '../../events/facts.ts';
import type { EntryFacts } from '../../events/log/entry-facts.ts';
import { isMarkedMachine } from '../../events/log/machine-mark.ts';
import { namedStep } from '../../sending/journey-send-id.ts';
import { SettledFacts, senderIn } from '../../sending/outbox/facts.ts';
import type { Journey } from './journeys.ts';
import type { JourneysView } from './memory.ts';

export function foldJourneyFacts(app: JourneysView, facts: EntryFacts): void {
  if (app.journeys.size === 0) return;
  if (facts instanceof TrackedFacts) foldAnswers(app, facts);
  else if (facts instanceof SettledFacts) foldSettled(app, facts);
}

interface Found {
  readonly journey: Journey;
  readonly step: string;
}

function foldAnswers(app: JourneysView, facts: TrackedFacts): void {
  const batch = facts.rows();
  if (!batch.names.some((name) => name === 'opened' || name === 'clicked')) return;
  const needsProof = app.settings.keylessEvents?.countEngagement === false;
  for (let row = 0; row < batch.count; row++) {
    const name = batch.name(row);
    if (name !== 'opened' && name !== 'clicked') continue;
    if (isMarkedMachine(batch.metaJson(row))) continue;
    const person = app.people.canonical(batch.person(row));
    if (needsProof && !facts.isVouched(person)) continue;
    const found = app.journeys.stepOfSend(batch.reference(row, 'sendId'));
    found?.journey.answers.answered(found.step, person, name);
  }
}

function foldSettled(app: JourneysView, { entry, ended }: SettledFacts): void {
  for (const { sendId, settlement, origin, isRedriven, isLate, wasAccepted } of ended) {
    const found = stepOfOrigin(app, sendId, origin);
    const tally = found?.journey.answers.tallyOf(found.step);
    if (tally === undefined) continue;
    const { status, reason } = settlement.receipt;
    const person: PersonOrdinal = app.people.canonical(settlement.receipt.person);
    if (wasAccepted === true && (status === 'delivered' || status === 'bounced')) {
      if (tally.awaits(person)) tally.reported(person, status, undefined);
    } else if (isLate === true && isRedriven !== true) {
      if (tally.has(person, 'delivered')) tally.takeBack(person, undefined);
    } else if (status !== 'suppressed') {
      if (status === 'accepted') tally.accept(person, undefined);
      else tally.mark(person, status, undefined);
      tally.mark(person, 'sent', undefined);
      const sender = senderIn(entry, settlement.receipt);
      if (sender !== undefined) found?.journey.answers.mailed(found.step, person, sender);
    } else {
      tally.suppress(person, reason ?? status, undefined);
      if (!tally.hasOutcome(person) && !app.outbox.jobs.has(sendId))
        tally.unmark(person, 'sent', undefined);
    }
  }
}

/** By the send's id; sends of earlier builds only by what their origin names. */
function stepOfOrigin(
  app: JourneysView,
  sendId: string,
  origin: { readonly journeyId?: string; readonly copy?: string } | undefined,
): Found | undefined {
  if (origin?.journeyId === undefined) return undefined;
  const journey = app.journeys.get(origin.journeyId);
  if (journey === undefined) return undefined;
  const step =
    journey.answers.stepAt(namedStep(sendId)?.step ?? 0) ??
    partOfCopyKey(origin.journeyId, origin.copy);
  return step === undefined ? undefined : { journey, step };
}
