// Which number stands for which kind of timer at rest, and the message that one becomes. Append
// only: the numbers are in checkpoints and logs.

import type { TimerRef, TimerSet } from '../engine/actor/machine.ts';
import type { Message } from '../engine/actor/message.ts';
import type { Millis, Ordinal } from '../engine/base/brand.ts';
import { channelIds } from './channels/catalog.ts';
import { idOfRef, idRef, sendOfRef, sendRef } from './sending/transactional/send-key.ts';

const kinds = {
  sendWake: 1,
  channelResume: 2,
  sendsSweep: 3,
  restoredAbandon: 4,
  appSweep: 5,
  erasureScrub: 6,
  dryRunSweep: 7,
  receiptRecheck: 8,
  receiptsRetell: 20,
  resultsPoll: 21,
} as const;

/** A send has a target to try again. */
export function sendWakeTimer(owner: Ordinal, sendId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: kinds.sendWake, dueMs, ref: sendRef(sendId) };
}

/** A paused channel may go on. */
export function channelResumeTimer(
  owner: Ordinal,
  channel: (typeof channelIds)[number],
  dueMs: Millis,
): TimerSet {
  return {
    kind: 'timer.set',
    owner,
    timer: kinds.channelResume,
    dueMs,
    ref: [channelIds.indexOf(channel), 0, 0, 0],
  };
}

/** Rows of sends past the app's retention are due to go, from `after` on or from the first. */
export function sendsSweepTimer(owner: Ordinal, dueMs: Millis, after?: string): TimerSet {
  const ref: TimerRef = after === undefined ? [0, 0, 0, 0] : sendRef(after);
  return { kind: 'timer.set', owner, timer: kinds.sendsSweep, dueMs, ref };
}

/** Sends that a restore gave up still lack their receipts. */
export function restoredAbandonTimer(owner: Ordinal, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: kinds.restoredAbandon, dueMs, ref: [0, 0, 0, 0] };
}

/**
 * Sends are due to be looked through for people who were erased, from `after` on or from the first.
 */
export function erasureScrubTimer(owner: Ordinal, dueMs: Millis, after?: string): TimerSet {
  const ref: TimerRef = after === undefined ? [0, 0, 0, 0] : sendRef(after);
  return { kind: 'timer.set', owner, timer: kinds.erasureScrub, dueMs, ref };
}

/** A dry run has been kept for its time. */
export function dryRunSweepTimer(owner: Ordinal, dryRunId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: kinds.dryRunSweep, dueMs, ref: idRef('dry', dryRunId) };
}

/** What a provider told of a send before it answered is due to be looked at again. */
export function receiptRecheckTimer(owner: Ordinal, sendId: string, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: kinds.receiptRecheck, dueMs, ref: sendRef(sendId) };
}

/**
 * What a provider told of a device's messages by names that nobody knew yet is due to be looked at
 * again.
 */
export function receiptsRetellTimer(owner: Ordinal, deviceId: string, dueMs: Millis): TimerSet {
  const ref = idRef('dev', deviceId);
  return { kind: 'timer.set', owner, timer: kinds.receiptsRetell, dueMs, ref };
}

/** A provider that tells nothing by itself is due to be asked what became of messages. */
export function resultsPollTimer(
  owner: Ordinal,
  channel: (typeof channelIds)[number],
  dueMs: Millis,
): TimerSet {
  const ref = [channelIds.indexOf(channel), 0, 0, 0] as const;
  return { kind: 'timer.set', owner, timer: kinds.resultsPoll, dueMs, ref };
}

/** Documents of a deleted app are due to go. */
export function appSweepTimer(owner: Ordinal, dueMs: Millis): TimerSet {
  return { kind: 'timer.set', owner, timer: kinds.appSweep, dueMs, ref: [0, 0, 0, 0] };
}

/** The message for the owner's actor. */
export function messageOfTimer(timer: number, ref: TimerRef): Message {
  switch (timer) {
    case kinds.sendWake:
      return { kind: 'transactional.wake', by: -1, sendId: sendOfRef(ref) } as Message;
    case kinds.channelResume:
      return { kind: 'dispatch.resume', by: -1, channel: channelIds[ref[0]] } as Message;
    case kinds.sendsSweep:
      return {
        ...{ kind: 'transactional.sweep', by: -1 },
        ...(ref[0] === 0 ? {} : { after: sendOfRef(ref) }),
      } as Message;
    case kinds.restoredAbandon:
      return { kind: 'restored.abandon', by: -1 } as Message;
    case kinds.appSweep:
      return { kind: 'app.sweep', by: -1 } as Message;
    case kinds.dryRunSweep:
      return { kind: 'dry_run.sweep', by: -1, dryRunId: idOfRef('dry', ref) } as Message;
    case kinds.receiptRecheck:
      return { kind: 'callback.recheck', by: -1, sendId: sendOfRef(ref) } as Message;
    case kinds.receiptsRetell:
      return { kind: 'callback.retell', by: -1, deviceId: idOfRef('dev', ref) } as Message;
    case kinds.resultsPoll:
      return { kind: 'callback.poll', by: -1, channel: channelIds[ref[0]] } as Message;
    case kinds.erasureScrub: {
      const after = ref[0] === 0 ? null : sendOfRef(ref);
      return { kind: 'erasure.scrub', by: -1, after } as Message;
    }
    default:
      throw new Error(`no timer has the number ${timer}`);
  }
}
