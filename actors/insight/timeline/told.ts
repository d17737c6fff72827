// What is known of one send: its row as it is stored, and its job while something of it is open.
// Here alone the two are put together, for the actor that has both and for the pool that has rows
// only.

import type { DocumentReader } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { providerReceipts } from '../../../storage/tables/provider-receipt.ts';
import type { SendRow } from '../../../storage/tables/send.ts';
import { erasedOutcomes } from '../../sending/transactional/erased.ts';
import type { Job } from '../../sending/transactional/job.ts';
import { letterAt } from '../../sending/transactional/letter-at.ts';
import { readableRow, readableSend } from '../../sending/transactional/read-row.ts';
import { sendKey } from '../../sending/transactional/send-key.ts';
import type { OpenTarget, SendTold } from './protocol.ts';
import type { TimelineView } from './view.ts';

/** What is stored of a transactional send, without its job. */
export function toldOfRow(row: SendRow, reads: SendTold['reads'] = []): SendTold {
  return {
    sendId: row.id,
    acceptedMs: row.acceptedMs,
    isMarketing: false,
    channels: channelsOf(row.targets),
    outcomes: row.outcomes,
    open: [],
    reads,
    ...(row.test === undefined ? {} : { test: row.test }),
  };
}

/** The stored send of this id, with its row; `undefined` where there is none that can be read. */
export function rowOfSend(
  documents: DocumentReader,
  owner: Ordinal,
  sendId: string,
): SendRow | undefined {
  return readableSend(documents, owner, sendId);
}

/**
 * All that is known of a send, from its row, its job, or both; `undefined` where there is neither.
 */
export function toldOf(
  app: TimelineView,
  sendId: string,
  documents: DocumentReader,
): SendTold | undefined {
  const owner = app.record.ordinal;
  const job = app.outbox.jobs.get(sendId);
  const row = rowOfSend(documents, owner, sendId);
  if (row === undefined) return job === undefined ? undefined : toldOfJob(app, job);
  const isErased = app.people.erased.has(row.person);
  const outcomes = isErased ? erasedOutcomes(row.outcomes) : row.outcomes;
  const redrives = redrivesOf(owner, row, documents);
  const told = {
    ...toldOfRow(row, readsOf(owner, row, documents)),
    outcomes,
    ...(redrives.length === 0 ? {} : { redrives }),
  };
  return job === undefined ? told : { ...told, ...standingOfJob(app, job) };
}

function toldOfJob(app: TimelineView, job: Job): SendTold {
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
    ...standingOfJob(app, job),
  };
}

function standingOfJob(app: TimelineView, job: Job): Pick<SendTold, 'open' | 'held'> {
  const open = job.targets
    .filter(({ state }) => state !== 'done')
    .map(({ deviceId, channel, state, attempts, dueMs, tries = [] }): OpenTarget => {
      const { pausedUntilMs, configFailures } = app.outbox.health(channel);
      const isRefused = configFailures > 0;
      return { deviceId, channel, state, attempts, dueMs, tries, pausedUntilMs, isRefused };
    });
  if (job.held === true) return { open, held: 'restored' };
  return job.paused === true ? { open, held: 'campaign_paused' } : { open };
}

/** Which failures were sent again on request, and when. */
function redrivesOf(
  owner: Ordinal,
  { id, outcomes }: SendRow,
  documents: DocumentReader,
): NonNullable<SendTold['redrives']> {
  return outcomes.flatMap((outcome) => {
    if (outcome.status !== 'failed') return [];
    const atMs = letterAt(documents, owner, id, outcome)?.redrivenMs;
    const { deviceId, channel } = outcome;
    return atMs === undefined ? [] : [{ deviceId, channel, atMs }];
  });
}

/** Who read it, where the provider said so later. */
function readsOf(owner: Ordinal, row: SendRow, documents: DocumentReader): SendTold['reads'] {
  const [key] = sendKey(owner, row.id) ?? [];
  if (key === undefined) return [];
  return row.targets.flatMap(({ deviceId, channel }) => {
    const receipt = readableRow(documents, providerReceipts, [key, deviceId]);
    const atMs: Millis | undefined = receipt?.read === true ? receipt.readMs : undefined;
    return atMs === undefined ? [] : [{ deviceId, channel, atMs }];
  });
}

function channelsOf(targets: readonly { readonly channel: string }[]): readonly string[] {
  return [...new Set(targets.map(({ channel }) => channel))];
}
