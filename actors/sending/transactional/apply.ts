// Folds sends and their outcomes. Receipts are events, which are folded elsewhere
// (`runtime/subscribers.ts`).

import type { Applies } from '../../../engine/actor/protocol.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import type { Words4 } from '../../../engine/base/words.ts';
import { wordsOfBytes } from '../../../engine/base/words.ts';
import { countSend } from './folds.ts';
import { freshTarget } from './job.ts';
import type { TransactionalEntry } from './protocol.ts';
import { claimWords } from './queued-batch.ts';
import { partsOfRef, sendRef } from './send-key.ts';
import type { SendsMemory } from './view.ts';

export const transactionalApplies: Applies<TransactionalEntry, SendsMemory> = {
  'send.queued': (state, { owner, sendId, person, atMs, expiresMs, targets, claim }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    if (claim !== null) {
      state.idempotency.claim(claim, sendRef(sendId), atMs, state.ages);
    }
    countSend(state, app.record.org, atMs);
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

  'attempts.started': (state, { owner, channel, atMs, items, probed = [] }) => {
    const outbox = state.apps.get(owner)?.outbox;
    for (const [sendId, target] of items) outbox?.start(sendId, target);
    for (const account of probed) outbox?.probe(channel, account, atMs);
  },

  'attempts.settled': (state, { owner, channel, atMs, standing, items }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const { outbox } = app;
    if (standing !== null) outbox.stand(channel, standing);
    for (const { sendId, target, settlement, isLate } of items) {
      switch (settlement.next) {
        case 'due':
          outbox.giveBack(sendId, target);
          break;
        case 'waiting':
          outbox.wait(sendId, target, settlement, atMs);
          break;
        case 'done':
          if (isLate === undefined) outbox.finish(sendId, target);
          break;
      }
    }
    state.ready.add(owner);
  },

  'send.woken': (state, { owner, sendId, atMs }) => {
    state.apps.get(owner)?.outbox.wake(sendId, atMs);
    state.ready.add(owner);
  },

  'channel.resumed': (state, { owner, channel, now }) => {
    if (now === true) state.apps.get(owner)?.outbox.probeNow(channel);
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

  'sends.swept': () => {},
};

/** Claims the keys of a run's sends; zeros are no claim. */
function claimAll(
  { idempotency, ages }: SendsMemory,
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
