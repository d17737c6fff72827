// Folds journeys and their runs into memory.

import type { Applies } from '../../../engine/actor/protocol.ts';
import { Bitset } from '../../../engine/base/bitset.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { unpackOrdinals } from '../../../engine/base/ordinal-list.ts';
import type { ChannelId } from '../../channels/channel-ids.ts';
import { deviceAt } from '../../people/audience/device-columns.ts';
import { journeySendId } from '../../sending/journey-send-id.ts';
import { freshTarget } from '../../sending/outbox/job.ts';
import { countSend } from '../../sending/outbox/reads.ts';
import { stepCopyKey, ttlMsOfStep } from './copies.ts';
import type { JourneysEntry, Move, RunsMoved } from './entries.ts';
import type { Journey } from './journeys.ts';
import type { JourneysMemory, JourneysView } from './memory.ts';
import { stepOf } from './program.ts';

export const journeysApplies: Applies<JourneysEntry, JourneysMemory> = {
  'journey.saved': (state, { owner, journey: record, awaited, replaces }) => {
    const app = state.apps.get(owner);
    const wasActive = app?.journeys.get(record.id)?.record.active === true;
    const journey = app?.journeys.save(record);
    if (wasActive && !record.active) {
      app?.outbox.endJourney(record.id);
      state.ready.add(owner);
    }
    if (awaited !== undefined) journey?.awaited.or(Bitset.restore(awaited));
    if (replaces !== undefined) app?.journeys.takeOver(record.id, replaces);
  },

  'journey.deleted': (state, { owner, id }) => {
    state.apps.get(owner)?.journeys.delete(id);
  },

  'journey.awaited': (state, { owner, journeyId, people }) => {
    const awaited = state.apps.get(owner)?.journeys.get(journeyId)?.awaited;
    for (const person of unpackOrdinals(people)) awaited?.set(person);
  },

  'journey.triggered': (state, { owner, journeyId, atMs, people }) => {
    const triggered = state.apps.get(owner)?.journeys.get(journeyId)?.triggered;
    for (const person of unpackOrdinals(people)) triggered?.note(person, atMs);
  },

  'journey.moved': (state, entry) => {
    const app = state.apps.get(entry.owner);
    const journey = app?.journeys.get(entry.journeyId);
    if (app !== undefined && journey !== undefined) foldMoves(state, app, journey, entry);
  },

  'journeys.released': (state, { owner, ids }) => {
    const journeys = state.apps.get(owner)?.journeys;
    for (const id of ids) {
      const journey = journeys?.get(id);
      if (journey !== undefined) journey.heldMs = 0;
    }
  },
};

function foldMoves(
  state: JourneysMemory,
  app: JourneysView,
  journey: Journey,
  entry: RunsMoved,
): void {
  const { atMs, moves, codes, firstSend, passed } = entry;
  const { flow } = journey;
  const send = sending(state, app, journey, entry);
  let sends = 0;
  unpackOrdinals(entry.people).forEach((person, i) => {
    const code = codes === undefined ? 0 : (codes[i] as number);
    const move = moves[code] as Move;
    foldAnswers(journey, person, move);
    if (move.enrolls) flow.enroll(person, atMs, move);
    else flow.advance(person, move);
    for (const one of move.happened) if (one.kind === 'sent') send(person, one.operation, sends++);
  });
  app.journeys.nextSend = firstSend + sends;
  if (sends > 0) state.ready.add(entry.owner);
  if (passed === undefined) return;
  for (const person of unpackOrdinals(passed)) journey.awaited.clear(person);
  // Skips scanning the emptied set.
  if (journey.awaited.isEmpty()) journey.awaited = new Bitset(0);
}

/** Counts the suppressed sends and the conversion of a move, before it is folded. */
function foldAnswers({ flow, answers, record }: Journey, person: PersonOrdinal, move: Move): void {
  const { program } = record;
  if (move.enrolls) answers.enroll(person);
  for (const one of move.happened) {
    const step = one.kind === 'suppressed' ? stepOf(program, one.operation) : undefined;
    if (one.kind === 'suppressed' && step !== undefined)
      answers.suppressed(step, person, one.reason);
  }
  if (move.outcome.kind !== 'converted') return;
  const run = flow.runs.find(person);
  const goal = run && stepOf(program, run.operation);
  if (goal !== undefined) answers.converted(goal, person);
}

/** Queues and counts the sends of an entry. */
function sending(
  state: JourneysMemory,
  app: JourneysView,
  { record, answers }: Journey,
  { owner, atMs, sends, firstSend, namesSteps }: RunsMoved,
): (person: PersonOrdinal, operation: number, index: number) => void {
  const { caps } = app.settings;
  const { next } = app.traits;
  let device = 0;
  return (person, index, place) => {
    const operation = record.program.operations[index];
    if (operation?.kind !== 'send' || sends === undefined) return;
    const { message, step, topic, stream } = operation;
    const to = device + (sends.counts[place] as number);
    const targets = [];
    const reached = new Set<ChannelId>();
    for (; device < to; device++) {
      const target = deviceAt(owner, sends, device);
      if (!reached.has(target.channel)) {
        const count = app.caps.counter(caps, target.channel, next);
        count?.(person, reached.size === 0, atMs);
        reached.add(target.channel);
      }
      targets.push(freshTarget(target));
    }
    countSend(state, app.record.org, atMs);
    const ttlMs = ttlMsOfStep(record.ttlMs, step);
    answers.sent(step, person);
    const named = { journey: record.number, step: namesSteps ? answers.numberOf(step) : 0 };
    app.outbox.add({
      sendId: journeySendId(owner, atMs, firstSend + place, named),
      person,
      acceptedMs: atMs,
      expiresMs: ttlMs === undefined ? null : atMs + ttlMs,
      targets,
      open: targets.length,
      origin: {
        copy: stepCopyKey(record, step),
        journeyId: record.id,
        ...('messageId' in message ? { messageId: message.messageId } : {}),
        ...(topic === undefined ? {} : { topic }),
        ...(stream === undefined ? {} : { stream }),
      },
    });
  };
}
