// The timers of sends.

import type { TimerRef, TimerSet } from '../../../engine/actor/machine.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import type { AreaTimers } from '../../area.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { idOfRef, idRef, sendOfRef, sendRef } from './send-key.ts';

const sendWake = 1;
const channelResume = 2;
const sendsSweep = 3;
const restoredAbandon = 4;
const resultsPoll = 21;
const gatewayAsk = 22;

export function sendWakeTimer(owner: Ordinal, sendId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: sendWake, dueMs, ref: sendRef(sendId) };
}

export function channelResumeTimer(owner: Ordinal, channel: ChannelId, dueMs: Millis): TimerSet {
  const ref: TimerRef = [channelIds.indexOf(channel), 0, 0, 0];
  return { kind: 'timer.set', owner, timer: channelResume, dueMs, ref };
}

/** Continues retention after the send `after`, or from the oldest. */
export function sendsSweepTimer(owner: Ordinal, dueMs: Millis, after?: string): TimerSet {
  const ref: TimerRef = after === undefined ? [0, 0, 0, 0] : sendRef(after);
  return { kind: 'timer.set', owner, timer: sendsSweep, dueMs, ref };
}

/** Writes more receipts of sends that a restore gave up. */
export function restoredAbandonTimer(owner: Ordinal, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: restoredAbandon, dueMs, ref: [0, 0, 0, 0] };
}

/** Polls a provider that reports nothing by itself. */
export function resultsPollTimer(owner: Ordinal, channel: ChannelId, dueMs: Millis): TimerSet {
  const ref: TimerRef = [channelIds.indexOf(channel), 0, 0, 0];
  return { kind: 'timer.set', owner, timer: resultsPoll, dueMs, ref };
}

/** Asks a gateway that reports nothing by itself. */
export function gatewayAskTimer(owner: Ordinal, relayId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: gatewayAsk, dueMs, ref: idRef('rel', relayId) };
}

export const outboxTimers: AreaTimers = {
  [sendWake]: (ref) => ({ kind: 'transactional.wake', sendId: sendOfRef(ref) }),
  [channelResume]: (ref) => ({ kind: 'dispatch.resume', channel: channelIds[ref[0]] }),
  [sendsSweep]: (ref) => ({
    kind: 'transactional.sweep',
    ...(ref[0] === 0 ? {} : { after: sendOfRef(ref) }),
  }),
  [restoredAbandon]: () => ({ kind: 'restored.abandon' }),
  [resultsPoll]: (ref) => ({ kind: 'callback.poll', channel: channelIds[ref[0]] }),
  [gatewayAsk]: (ref) => ({ kind: 'callback.ask_gateway', relayId: idOfRef('rel', ref) }),
};
