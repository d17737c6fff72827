// The story of one send: accepted, calls, receipts, and the status of what is left. Pure. A receipt
// is the answer of the last call, so only the calls before it are listed besides.

import type { Millis } from '../../../engine/base/brand.ts';
import type { SendOutcomeRow, SendTryRow } from '../../../storage/tables/send.ts';
import { checksOf } from './checks.ts';
import type { StoryCode } from './codes.ts';
import type {
  CampaignSendDetails,
  ExplainedSend,
  OpenTarget,
  SendDetails,
  StoryEntry,
} from './protocol.ts';

/** Oldest first, with the current status last. */
export function storyOfSend(
  explained: ExplainedSend,
  sendId: string,
  readMs: Millis,
): readonly StoryEntry[] {
  switch (explained.kind) {
    case 'unknown':
      return [{ kind: 'state', code: 'unknown_send', atMs: readMs, sendId }];
    case 'campaign':
      return [ofCampaign(explained.of, sendId)];
    case 'send': {
      const { send } = explained;
      const happened = [
        ...callsOf(send),
        ...receiptsOf(send),
        ...redrivesOf(send),
        ...deferralsOf(send),
        ...readsOf(send),
      ];
      // Stable, so that entries of one instant keep their order.
      happened.sort((a, b) => a.atMs - b.atMs);
      const story = [...happened, ...statusOf(send, readMs)];
      return send.isErased === true ? story.map(withoutDevice) : story;
    }
  }
}

function withoutDevice({ deviceId: _gone, ...entry }: StoryEntry): StoryEntry {
  return entry;
}

/** Accepted, and the calls before its receipts; its receipts are events. */
export function callsOf(send: SendDetails): readonly StoryEntry[] {
  const { acceptedMs: atMs, channels, sendId } = send;
  const accepted: StoryEntry = {
    kind: 'send',
    code: 'accepted',
    atMs,
    sendId,
    channels,
    ...referencesOf(send),
    ...(send.attachments === undefined ? {} : { attachments: send.attachments }),
  };
  const calls = [...send.outcomes, ...send.open].flatMap((target) =>
    (target.tries ?? []).map((one, i) => callOf(send, target, one, i === 0)),
  );
  return [accepted, ...calls];
}

function statusOf(send: SendDetails, readMs: Millis): readonly StoryEntry[] {
  return send.open.flatMap((target) => {
    const status = statusOfTarget(send, target, readMs);
    if (status === undefined) return [];
    const { deviceId, channel } = target;
    const base = { kind: 'state', atMs: readMs, sendId: send.sendId, deviceId, channel } as const;
    return [{ ...base, ...namedIn(target), ...referencesOf(send), ...status }];
  });
}

function statusOfTarget(
  { held, isMarketing }: SendDetails,
  target: OpenTarget,
  readMs: Millis,
): Pick<StoryEntry, 'code' | 'next' | 'attempt'> | undefined {
  const { state, dueMs, tries, attempts, pausedUntilMs, isSlowed, isRefused, isUnreached } = target;
  const isPaused = pausedUntilMs > readMs;
  const attempt = attempts === 0 ? {} : { attempt: attempts };
  if (state === 'done') return undefined;
  if (state === 'started') return { code: 'under_way', ...attempt };
  if (held === 'restored') return { code: 'held_by_restore', next: { code: 'by_operator' } };
  if (held === 'campaign_paused')
    return { code: 'campaign_is_paused', next: { code: 'by_author' }, ...attempt };
  if (state === 'waiting') {
    // A waiting target has had a call that says why, unless policy held it before its first.
    if (isMarketing && tries.length === 0)
      return { code: 'waiting_for_hours', next: { code: 'recheck', atMs: dueMs } };
    const waitsForPause = isSlowed && isPaused && tries.at(-1)?.answer === 'pause';
    if (waitsForPause && pausedUntilMs >= dueMs)
      return { code: 'channel_paused', next: { code: 'resume', atMs: pausedUntilMs }, ...attempt };
    return { code: 'waiting_for_retry', next: { code: 'retry', atMs: dueMs }, ...attempt };
  }
  if (isRefused || isUnreached)
    return {
      code: isRefused ? 'channel_refused' : 'channel_unreached',
      next: isPaused ? { code: 'probe', atMs: pausedUntilMs } : { code: 'probe' },
      ...attempt,
    };
  if (isPaused)
    return { code: 'channel_paused', next: { code: 'resume', atMs: pausedUntilMs }, ...attempt };
  if (isSlowed) return { code: 'channel_paused', next: { code: 'resume' }, ...attempt };
  return { code: 'in_line', next: { code: 'start' }, ...attempt };
}

function callOf(
  send: SendDetails,
  { deviceId, channel }: Pick<SendOutcomeRow, 'deviceId' | 'channel'>,
  { atMs, attempt, answer, said, relayName }: SendTryRow,
  isFirst: boolean,
): StoryEntry {
  const checks = { checks: checksOf({ isMarketing: send.isMarketing, channel, attempts: 1 }) };
  return {
    kind: 'attempt',
    code: answers[answer],
    atMs,
    attempt,
    sendId: send.sendId,
    deviceId,
    channel,
    ...namedIn({ relayName }),
    ...referencesOf(send),
    ...splitRefusal(said),
    ...(isFirst ? checks : {}),
  };
}

/** Splits a stored `reason: detail`; without a leading code all is detail. */
function splitRefusal(text: string | undefined): Pick<StoryEntry, 'reason' | 'detail'> {
  if (text === undefined || text === '') return {};
  const [, reason, detail] = /^([a-z][a-z0-9_]*)(?:: (.*))?$/s.exec(text) ?? [];
  if (reason === undefined) return { detail: text };
  return detail === undefined ? { reason } : { reason, detail };
}

const answers: Readonly<Record<SendTryRow['answer'], StoryCode>> = {
  pause: 'attempt_paused',
  none: 'attempt_unanswered',
  not_now: 'attempt_not_taken',
};

function receiptsOf(send: SendDetails): readonly StoryEntry[] {
  const reached = new Set<string>();
  return send.outcomes.map((outcome) => {
    const { deviceId, channel, status, reason, detail, providerMessageId, attempts, tries, atMs } =
      outcome;
    const isLate = reached.has(deviceId) && lateCodes[status] !== undefined;
    if (status === 'delivered' || status === 'accepted') reached.add(deviceId);
    const endedBy = status === 'suppressed' ? reason : undefined;
    const { isMarketing } = send;
    const checks =
      isLate || tries !== undefined ? [] : checksOf({ isMarketing, channel, attempts, endedBy });
    return {
      kind: 'receipt',
      code: (isLate ? lateCodes[status] : undefined) ?? (status === 'accepted' ? 'sent' : status),
      atMs,
      sendId: send.sendId,
      ...referencesOf(send),
      ...(deviceId === '' ? {} : { deviceId }),
      ...(channel === '' ? {} : { channel }),
      ...(attempts === 0 ? {} : { attempt: attempts }),
      ...(reason === undefined ? {} : { reason }),
      ...(detail === undefined ? {} : { detail }),
      ...(providerMessageId === undefined ? {} : { providerMessageId }),
      ...namedIn(outcome),
      ...(isLate ? {} : droppedThere(send, channel, status)),
      ...(checks.length === 0 ? {} : { checks }),
    } as const;
  });
}

/** Of what a provider reports on a message that it had accepted. */
const lateCodes: Readonly<Partial<Record<string, StoryCode>>> = {
  bounced: 'bounced_later',
  delivered: 'delivered_later',
};

/** Told once, where the message was sent. */
function droppedThere(
  { dropped }: SendDetails,
  channel: string,
  status: string,
): Pick<StoryEntry, 'dropped'> {
  const isTaken = status === 'delivered' || status === 'accepted';
  const list = isTaken ? dropped?.[channel] : undefined;
  return list === undefined ? {} : { dropped: list };
}

function redrivesOf(send: SendDetails): readonly StoryEntry[] {
  return (send.redrives ?? []).map((redrive) => ({
    kind: 'send',
    code: 'redriven',
    sendId: send.sendId,
    ...redrive,
    ...referencesOf(send),
  }));
}

/** The first that a relay reports of each device. */
function deferralsOf(send: SendDetails): readonly StoryEntry[] {
  return (send.deferrals ?? []).map(({ deviceId, channel, atMs, detail, relayName }) => ({
    ...{ kind: 'receipt', code: 'deferred_later', atMs, sendId: send.sendId, deviceId, channel },
    ...namedIn({ relayName }),
    ...(detail === undefined ? {} : { detail }),
  }));
}

function readsOf(send: SendDetails): readonly StoryEntry[] {
  return send.reads.map(({ deviceId, channel, atMs, relayName }) => ({
    kind: 'receipt',
    code: 'read',
    atMs,
    sendId: send.sendId,
    deviceId,
    channel,
    ...namedIn({ relayName }),
  }));
}

/** The relay, if it has a name. */
function namedIn({
  relay,
  relayName,
}: {
  readonly relay?: string;
  readonly relayName?: string | undefined;
}): Pick<StoryEntry, 'relay' | 'relayName'> {
  if (relayName === undefined) return {};
  return relay === undefined ? { relayName } : { relay, relayName };
}

function ofCampaign(
  { campaignId, subscriberId, channel, startedMs }: CampaignSendDetails,
  sendId: string,
): StoryEntry {
  const base = { kind: 'send', code: 'campaign_send', atMs: startedMs, sendId } as const;
  return { ...base, campaignId, channel, ...(subscriberId === null ? {} : { name: subscriberId }) };
}

function referencesOf({
  campaignId,
  journeyId,
  messageId,
  title,
  test,
}: SendDetails): Partial<StoryEntry> {
  return {
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(journeyId === undefined ? {} : { journeyId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...(title === undefined ? {} : { title }),
    ...(test === undefined ? {} : { test }),
  };
}
