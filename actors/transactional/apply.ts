// Folds accepted sends and what becomes of them into memory.

import type { Applies } from '../../engine/actor/protocol.ts';
import { dayMs, type Millis, type PersonOrdinal } from '../../engine/base/brand.ts';
import { parseId } from '../../engine/base/id.ts';
import type { ChannelId } from '../channels/catalog.ts';
import type { AppState, PartitionState } from '../state.ts';
import type { Target } from './outbox.ts';
import type { Receipt, TransactionalEntry } from './protocol.ts';

/** A receipt: an event, activity of what was done to somebody, and the meter. */
export function foldReceipt(
  state: PartitionState,
  app: AppState,
  channel: ChannelId,
  person: PersonOrdinal,
  status: Receipt['status'],
  atMs: Millis,
): void {
  app.nextEvent++;
  app.traits.track(person, status, atMs);
  if (status !== 'delivered') return;
  app.monthlyActive.touch(person, atMs);
  if (channel === 'email') countEmail(state, app.record.org, atMs);
}

export const transactionalApplies: Applies<TransactionalEntry, PartitionState> = {
  'send.queued': (state, { owner, sendId, person, atMs, expiresMs, targets, claim }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    if (claim !== null) {
      const parts = parseId('ntf', sendId);
      if (parts !== undefined) state.idempotency.claim(claim, parts, atMs);
    }
    countSend(state, app.record.org, atMs);
    if (targets.length === 0) {
      app.traits.track(person, 'suppressed', atMs);
      app.nextEvent++; // its receipt, `suppressed: no_device`
      return;
    }
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

  'attempts.started': (state, { owner, items }) => {
    const outbox = state.apps.get(owner)?.outbox;
    for (const [sendId, target] of items) outbox?.start(sendId, target);
  },

  'attempts.settled': (state, { owner, channel, atMs, standing, items }) => {
    const app = state.apps.get(owner);
    if (app === undefined) return;
    const { outbox } = app;
    if (standing !== null) Object.assign(outbox.queue(channel), standing);
    for (const { sendId, target, settlement, isLate } of items) {
      switch (settlement.next) {
        case 'due':
          outbox.giveBack(sendId, target);
          break;
        case 'waiting':
          outbox.wait(sendId, target, settlement, atMs);
          break;
        case 'done': {
          const { person, status } = settlement.receipt;
          if (isLate === undefined) outbox.finish(sendId, target);
          foldReceipt(state, app, channel, person, status, atMs);
          break;
        }
      }
    }
    state.ready.add(owner);
  },

  'send.woken': (state, { owner, sendId, atMs }) => {
    state.apps.get(owner)?.outbox.wake(sendId, atMs);
    state.ready.add(owner);
  },

  'channel.resumed': (state, { owner }) => {
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

export function freshTarget({ deviceId, channel }: Pick<Target, 'deviceId' | 'channel'>): Target {
  return { deviceId, channel, state: 'due', attempts: 0, dueMs: 0, ambiguous: 0 };
}

export function countSend(state: PartitionState, org: number, atMs: number, sends = 1): void {
  const kept = state.orgs.get(org);
  if (kept === undefined) return;
  const day = Math.floor(atMs / dayMs);
  if (kept.sendsDay !== day) {
    kept.sendsDay = day;
    kept.sendsToday = 0;
  }
  kept.sendsToday += sends;
}

/** Delivered emails of the UTC month, which the allowance is measured against. */
function countEmail(state: PartitionState, org: number, atMs: number): void {
  const kept = state.orgs.get(org);
  kept?.meter.countEmail(atMs, kept.record.emailAllowance);
}
