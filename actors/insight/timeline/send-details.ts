// What is known of one send: its stored row, and its job while a target is open. The actor has
// both, the pool only rows.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { providerReceipts } from '../../../storage/tables/provider-receipt.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { isChannelId } from '../../channels/channel-ids.ts';
import { droppedOn } from '../../channels/dropped.ts';
import { readableRow } from '../../readable-row.ts';
import { isUnreached } from '../../sending/outbox/circuit.ts';
import { erasedOutcomes, isErased } from '../../sending/outbox/erased.ts';
import type { Job } from '../../sending/outbox/job.ts';
import { letterAt } from '../../sending/outbox/letter-at.ts';
import { readableSend } from '../../sending/outbox/readable-send.ts';
import type { SendContent } from '../../sending/outbox/records.ts';
import { relayNamed } from '../../sending/outbox/relay-rules.ts';
import { sendKey } from '../../sending/outbox/send-key.ts';
import { isSlowed } from '../../sending/outbox/slowdown.ts';
import { titleOfSend } from '../../sending/transactional/list-sends.ts';
import type { TimelineView } from './memory.ts';
import type { OpenTarget, SendDetails } from './protocol.ts';

/** From the stored row alone. */
export function detailsOfRow(row: SendRow, reads: SendDetails['reads'] = []): SendDetails {
  const title = titleOfSend(row);
  return {
    sendId: row.id,
    acceptedMs: row.acceptedMs,
    isMarketing: false,
    channels: channelsOf(row.targets),
    outcomes: row.outcomes,
    open: [],
    reads,
    ...filesOf(row),
    ...droppedOf(row),
    ...(title === undefined ? {} : { title }),
    ...(row.test === undefined ? {} : { test: row.test }),
  };
}

function filesOf({ content }: SendRow): Pick<SendDetails, 'attachments'> {
  const files = (content as Partial<SendContent>).plain?.mail?.attachments;
  if (files === undefined) return {};
  return {
    attachments: files.map(({ filename, contentType, bytes }) => ({
      filename,
      contentType,
      bytes,
    })),
  };
}

/** Without the addresses, which decide about pictures by SMS alone. */
function droppedOf({ content, targets }: SendRow): Pick<SendDetails, 'dropped'> {
  const { plain } = content as Partial<SendContent>;
  if (plain === undefined) return {};
  const dropped = channelsOf(targets)
    .filter(isChannelId)
    .map((channel) => [channel, droppedOn(channel, plain, { lane: 'express' })] as const)
    .filter(([, list]) => list.length > 0);
  return dropped.length === 0 ? {} : { dropped: Object.fromEntries(dropped) };
}

/** From row, job, or both; `undefined` without either. */
export function sendDetailsOf(
  app: TimelineView,
  sendId: string,
  documents: DocumentReader,
): SendDetails | undefined {
  const owner = app.record.ordinal;
  const job = app.outbox.jobs.get(sendId);
  const row = readableSend(documents, owner, sendId);
  if (row === undefined) return job === undefined ? undefined : detailsOfJob(app, job);
  const isHidden = isErased(app.people, row.person);
  const outcomes = isHidden ? erasedOutcomes(row.outcomes) : row.outcomes;
  const redrives = redrivesOf(owner, row, documents);
  const { title, attachments, ...known } = detailsOfRow(row, readsOf(owner, row, documents));
  const deferrals = deferralsOf(owner, row, documents);
  const details = {
    ...known,
    outcomes,
    ...(isHidden || title === undefined ? {} : { title }),
    ...(isHidden || attachments === undefined ? {} : { attachments }),
    ...(isHidden ? { isErased: true as const } : {}),
    ...(redrives.length === 0 ? {} : { redrives }),
    ...(deferrals.length === 0 ? {} : { deferrals }),
  };
  return job === undefined ? details : { ...details, ...statusOfJob(app, job) };
}

function detailsOfJob(app: TimelineView, job: Job): SendDetails {
  const { campaignId, journeyId, messageId } = job.origin ?? {};
  return {
    sendId: job.sendId,
    acceptedMs: job.acceptedMs,
    isMarketing: job.origin !== undefined,
    channels: channelsOf(job.targets),
    outcomes: [],
    reads: [],
    ...(campaignId === undefined ? {} : { campaignId }),
    ...(journeyId === undefined ? {} : { journeyId }),
    ...(messageId === undefined ? {} : { messageId }),
    ...statusOfJob(app, job),
  };
}

function statusOfJob(app: TimelineView, job: Job): Pick<SendDetails, 'open' | 'held'> {
  const open = job.targets
    .filter(({ state }) => state !== 'done')
    .map(({ deviceId, channel, state, attempts, dueMs, tries = [], relay }): OpenTarget => {
      const { relayName } = state === 'started' ? relayNamed(app, relay) : {};
      const health = app.outbox.health(channel);
      return {
        deviceId,
        channel,
        state,
        attempts,
        dueMs,
        tries,
        ...(relayName === undefined ? {} : { relayName }),
        pausedUntilMs: health.pausedUntilMs,
        isSlowed: isSlowed(health),
        isRefused: health.configFailures > 0,
        isUnreached: isUnreached(health),
      };
    });
  if (job.held === true) return { open, held: 'restored' };
  return job.paused === true ? { open, held: 'campaign_paused' } : { open };
}

function redrivesOf(
  owner: Ordinal,
  { id, outcomes }: SendRow,
  documents: DocumentReader,
): NonNullable<SendDetails['redrives']> {
  return outcomes.flatMap((outcome) => {
    if (outcome.status !== 'failed') return [];
    const atMs = letterAt(documents, owner, id, outcome)?.redrivenMs;
    const { deviceId, channel } = outcome;
    return atMs === undefined ? [] : [{ deviceId, channel, atMs }];
  });
}

/** What a relay reports of mails that it keeps trying. */
function deferralsOf(
  owner: Ordinal,
  row: SendRow,
  documents: DocumentReader,
): NonNullable<SendDetails['deferrals']> {
  const [key] = sendKey(owner, row.id) ?? [];
  if (key === undefined) return [];
  return row.targets.flatMap(({ deviceId, channel }) => {
    const receipt = readableRow(documents, providerReceipts, [key, deviceId]);
    const { deferred: first, relayName } = receipt ?? {};
    const by = relayName === undefined ? {} : { relayName };
    return first === undefined ? [] : [{ deviceId, channel, ...first, ...by }];
  });
}

/** Read receipts that came later. */
function readsOf(owner: Ordinal, row: SendRow, documents: DocumentReader): SendDetails['reads'] {
  const [key] = sendKey(owner, row.id) ?? [];
  if (key === undefined) return [];
  return row.targets.flatMap(({ deviceId, channel }) => {
    const receipt = readableRow(documents, providerReceipts, [key, deviceId]);
    const atMs: Millis | undefined = receipt?.read === true ? receipt.readMs : undefined;
    const by = receipt?.relayName === undefined ? {} : { relayName: receipt.relayName };
    return atMs === undefined ? [] : [{ deviceId, channel, atMs, ...by }];
  });
}

function channelsOf(targets: readonly { readonly channel: string }[]): readonly string[] {
  return [...new Set(targets.map(({ channel }) => channel))];
}
