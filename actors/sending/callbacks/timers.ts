// The timers of what providers report later.

import type { TimerSet } from '../../../engine/actor/machine.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';
import { idOfRef, idRef, sendOfRef, sendRef } from '../transactional/send-key.ts';

const receiptRecheck = 8;
const receiptsRetell = 20;

/** What a provider reported of a send before it answered the call is due to be read again. */
export function receiptRecheckTimer(owner: Ordinal, sendId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: receiptRecheck, dueMs, ref: sendRef(sendId) };
}

/** Reports about a device's messages whose names nobody knew yet are due to be read again. */
export function receiptsRetellTimer(owner: Ordinal, deviceId: string, dueMs: Millis): TimerSet {
  const ref = idRef('dev', deviceId);
  return { kind: 'timer.set', owner, timer: receiptsRetell, dueMs, ref };
}

export const callbacksTimers: AreaTimers = {
  [receiptRecheck]: (ref) => ({ kind: 'callback.recheck', sendId: sendOfRef(ref) }),
  [receiptsRetell]: (ref) => ({ kind: 'callback.retell', deviceId: idOfRef('dev', ref) }),
};
