// The timers of callbacks.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';
import { idOfRef, idRef, sendOfRef, sendRef } from '../outbox/send-key.ts';

const receiptRecheck = 8;
const receiptsRetell = 20;

/** Reads again what a provider reported of a send before it answered the call. */
export function receiptRecheckTimer(owner: Ordinal, sendId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: receiptRecheck, dueMs, ref: sendRef(sendId) };
}

/** Reads again reports of a device's messages whose names were unknown. */
export function receiptsRetellTimer(owner: Ordinal, deviceId: string, dueMs: Millis): TimerSet {
  const ref = idRef('dev', deviceId);
  return { kind: 'timer.set', owner, timer: receiptsRetell, dueMs, ref };
}

export const callbacksTimers: AreaTimers = {
  [receiptRecheck]: (ref) => ({ kind: 'callback.recheck', sendId: sendOfRef(ref) }),
  [receiptsRetell]: (ref) => ({ kind: 'callback.retell', deviceId: idOfRef('dev', ref) }),
};
