// Folds accepted and redriven sends.

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { type Words4, wordsOfBytes } from '../../../engine/base/words.ts';
import { freshTarget } from '../outbox/job.ts';
import { countSend } from '../outbox/reads.ts';
import { partsOfRef, sendRef } from '../outbox/send-key.ts';
import type { TransactionalMemory } from './memory.ts';
import type { TransactionalEntry } from './protocol.ts';
import { claimWords } from './queued-batch.ts';

export const transactionalApplies: Applies<TransactionalEntry, TransactionalMemory> = {
  'send.queued': (
    state,
    { owner, sendId, person, atMs, expiresMs, targets, claim, copies = 0 },
  ) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    if (claim !== null) {
      state.idempotency.claim(claim, sendRef(sendId), atMs, state.ages);
    }
    countSend(state, app.record.org, atMs, 1 + copies);
    if (targets.length === 0) return;
    app.outbox.add({
      sendId,
      person,
      acceptedMs: atMs,
      expiresMs,
      targets: targets.map(freshTarget),
      open: targets.length,
    });
    state.ready.add(owner);
  },

  'creation.claimed': (state, { claim, object, atMs }) =>
    state.idempotency.claim(claim, object, atMs, state.ages),

  'batch.queued': (state, { owner, run, people, atMs, expiresMs, targets, claims }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    if (claims !== undefined) claimAll(state, wordsOfBytes(claims), run, atMs);
    countSend(state, app.record.org, atMs, targets.counts.length);
    app.outbox.addRun({ run: partsOfRef(run), acceptedMs: atMs, expiresMs, people, targets });
    state.ready.add(owner);
  },

  'send.redriven': (state, { owner, sendId, person, atMs, targets, origin }) => {
    const app = state.apps.get(owner);
    app?.outbox.add({
      sendId,
      person,
      acceptedMs: atMs,
      expiresMs: null,
      targets: targets.map(({ deadLetter, ...target }) => ({ ...freshTarget(target), deadLetter })),
      open: targets.length,
      ...(origin === undefined ? {} : { origin }),
      ...(app.campaigns.isPaused(origin?.campaignId) ? { paused: true } : {}),
    });
    state.ready.add(owner);
  },
};

/** Claims the keys of a run's sends; zeros are no claim. */
function claimAll(
  { idempotency, ages }: TransactionalMemory,
  words: Uint32Array,
  [ordinal, high, middle, low32]: Words4,
  atMs: Millis,
): void {
  const word = (at: number) => words[at] as number;
  for (let at = 0, place = 0; at < words.length; at += claimWords, place++) {
    const key: Words4 = [word(at), word(at + 1), word(at + 2), word(at + 3)];
    if ((key[0] | key[1] | key[2] | key[3]) === 0) continue;
    const claim = { key, fingerprint: [word(at + 4), word(at + 5)] as const };
    idempotency.claim(claim, [ordinal, high, middle, low32 + place], atMs, ages);
  }
}
