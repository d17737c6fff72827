// One import: spools the whole export by person, then merges and sends it part by part. Sends
// nothing before the end: only then is it known to be complete and to match its state file.

import { dirname } from 'node:path';
import { type AddressNotes, withFlags } from './address-notes.ts';
import { AddressWinners, type Winners } from './address-winners.ts';
import { type Batch, batchBounds, batchesOf, type RowOrigin, type TooLarge } from './batches.ts';
import { type Omission, readEndpoint, type SkipReason } from './endpoint-line.ts';
import { ErrorsFile } from './errors-file.ts';
import { exportLines } from './export-lines.ts';
import type { BatchResult, ImportClient } from './import-client.ts';
import {
  checkSource,
  type ImportIdentity,
  type ImportProgress,
  readState,
  StateWriter,
} from './import-state.ts';
import { inOrder } from './in-order.ts';
import { type DeviceOmission, Person } from './person.ts';
import type { ImportStep } from './progress-text.ts';
import { partCount, Spool } from './spool.ts';
import { packEndpoint, unpackEndpoint } from './spooled-endpoint.ts';
import { type Counts, countUp, type ImportSummary } from './summary.ts';
import { textHash } from './text-hash.ts';
import type { ReadMeter } from './unpacked.ts';

/** Batches in flight. More would only wait for the server's threads. */
const inFlightMax = 4;

export interface ImportJob {
  readonly source: AsyncIterable<Uint8Array>;
  /** Length of the source, if known. */
  readonly sourceBytes?: number;
  readonly identity: Omit<ImportIdentity, 'sha256'>;
  readonly statePath: string;
  readonly errorsPath?: string;
  readonly client: Pick<ImportClient, 'send' | 'retries'>;
  /** Stops after the batches in flight; the summary is then incomplete. */
  readonly signal: AbortSignal;
  readonly onStep?: (step: ImportStep) => void;
}

interface Tally {
  lines: number;
  imported: number;
  withoutUserId: number;
  devices: number;
  readonly skipped: Counts<SkipReason>;
  readonly left: Counts<Omission>;
  readonly devicesLeft: Counts<DeviceOmission>;
  readonly disabled: Counts<'inactive' | 'voip'>;
  /** Imported, and perhaps wrong. */
  addresses: AddressNotes;
}

/** Throws a one-sentence error if it cannot continue; the state file has what was acknowledged. */
export async function runImport(job: ImportJob): Promise<ImportSummary> {
  const began = performance.now();
  const state = readState(job.statePath, job.identity);
  const errors = job.errorsPath && new ErrorsFile(job.errorsPath, state?.errorsBytes);
  const spool = new Spool(dirname(job.statePath));
  const tally: Tally = {
    lines: 0,
    imported: 0,
    withoutUserId: 0,
    devices: 0,
    skipped: {},
    left: {},
    devicesLeft: {},
    disabled: {},
    addresses: {},
  };
  try {
    const { sha256, winners } = await readAll(job, spool, tally, errors || undefined);
    if (state !== undefined) checkSource(job.statePath, state, sha256);
    const writer = new StateWriter(job.statePath, { ...job.identity, sha256 });
    const from: ImportProgress = state ?? { rows: 0, created: 0, updated: 0, failed: 0 };
    const people = peopleOf(spool, winners, job.identity.includeOptOut, tally);
    const done = await sendAll(job, people, from, tally, writer, errors || undefined);
    const complete = !job.signal.aborted;
    if (complete) await writer.remove();
    const { created, updated, failed } = done;
    return {
      appId: job.identity.appId,
      complete,
      lines: tally.lines,
      imported: tally.imported,
      skipped: { total: tally.lines - tally.imported, reasons: tally.skipped },
      subscribers: { created, updated, failed },
      withoutUserId: tally.withoutUserId,
      devices: {
        imported: tally.devices,
        disabled: tally.disabled,
        leftOut: tally.devicesLeft,
      },
      valuesLeftOut: tally.left,
      addresses: tally.addresses,
      resumedAt: from.rows,
      retries: job.client.retries,
      seconds: Math.round(performance.now() - began) / 1000,
    };
  } finally {
    spool.close();
    if (errors) errors.close();
  }
}

/** First pass: spools every line and finds the winners of addresses. */
async function readAll(
  job: ImportJob,
  spool: Spool,
  tally: Tally,
  errors: ErrorsFile | undefined,
): Promise<{ readonly sha256: string; readonly winners: Winners }> {
  const addresses = new AddressWinners();
  const meter: ReadMeter = { bytes: 0 };
  const { encoding } = job.identity;
  const note = (line: number, reason: SkipReason) => {
    if (errors?.isContinued === false) errors.add({ line, reason });
  };
  const skip = (line: number, reason: SkipReason) => {
    if (reason === 'not_utf8' && encoding === undefined) throw notUtf8(line);
    countUp(tally.skipped, reason);
    note(line, reason);
  };
  for await (const lines of exportLines(job.source, meter, encoding)) {
    job.signal.throwIfAborted();
    for (const read of lines) {
      tally.lines++;
      if ('unreadable' in read) {
        skip(read.line, read.unreadable);
        continue;
      }
      const mapped = readEndpoint(read.text, read.isTorn);
      if ('skipped' in mapped) {
        skip(read.line, mapped.skipped);
        continue;
      }
      const { endpoint, left } = mapped;
      for (const omission of left) countUp(tally.left, omission);
      if (endpoint.lacks !== undefined) note(read.line, endpoint.lacks);
      tally.imported++;
      if (endpoint.user === undefined) tally.withoutUserId++;
      addresses.enter(read.line, endpoint);
      const part = textHash(endpoint.user ?? `line ${read.line}`).low % partCount;
      spool.add(part, packEndpoint(read.line, endpoint));
    }
    const { sourceBytes: of } = job;
    job.onStep?.({
      step: 'reading',
      bytes: meter.bytes,
      lines: tally.lines,
      ...(of === undefined ? {} : { of }),
    });
  }
  if (meter.sha256 === undefined) throw new Error('the export was not read to its end.');
  return { sha256: meter.sha256, winners: addresses.winners() };
}

function notUtf8(line: number): Error {
  return new Error(
    `line ${line} is not UTF-8. Nothing was imported. Name the encoding of the file, such as --encoding windows-1252; with --encoding utf-8 the lines that are not UTF-8 are skipped.`,
  );
}

/** Second pass: people in an order of the export alone, one part in memory at a time. */
function* peopleOf(
  spool: Spool,
  winners: Winners,
  includeOptOut: boolean,
  tally: Tally,
): Generator<Person> {
  for (let part = 0; part < partCount; part++) {
    const people: Person[] = [];
    const byUser = new Map<string, Person>();
    for (const record of spool.records(part)) {
      const endpoint = unpackEndpoint(record);
      const { line, user } = endpoint;
      let person = user === undefined ? undefined : byUser.get(user);
      if (person === undefined) {
        person = new Person(line, user);
        people.push(person);
        if (user !== undefined) byUser.set(user, person);
      }
      const left = person.enter(endpoint, winners.has(line), includeOptOut);
      if (left !== undefined) countUp(tally.devicesLeft, left);
    }
    for (const person of people) {
      const { devices, voip, inactive } = person.deviceCounts();
      tally.devices += devices;
      if (voip > 0) tally.disabled.voip = (tally.disabled.voip ?? 0) + voip;
      if (inactive > 0) tally.disabled.inactive = (tally.disabled.inactive ?? 0) + inactive;
      yield person;
    }
  }
}

async function sendAll(
  job: ImportJob,
  people: Iterable<Person>,
  from: ImportProgress,
  tally: Tally,
  writer: StateWriter,
  errors: ErrorsFile | undefined,
): Promise<ImportProgress> {
  let done = from;
  let linesSent = 0;
  const send = async (batch: Batch | TooLarge): Promise<BatchResult> =>
    'tooLarge' in batch
      ? {
          created: 0,
          updated: 0,
          failed: 1,
          errors: [{ row: 0, error: 'the record is too large' }],
        }
      : job.client.send(batch.body, batch.origins.length);
  const report = (batch: Batch | TooLarge, result: BatchResult) => {
    const origins = 'tooLarge' in batch ? [batch.tooLarge] : batch.origins;
    for (const { row, error, device } of result.errors)
      addRefusal(errors, origins[row], error, device === undefined ? 'refused' : 'device_refused');
    tally.addresses = withFlags(tally.addresses, result.addressFlags, origins);
    done = {
      rows: done.rows + origins.length,
      created: done.created + result.created,
      updated: done.updated + result.updated,
      failed: done.failed + result.failed,
      ...(errors === undefined ? {} : { errorsBytes: errors.sync() }),
    };
    writer.note(done);
    for (const { lines } of origins) linesSent += lines;
    job.onStep?.({
      step: 'sending',
      lines: linesSent,
      of: tally.imported,
      subscribers: done.rows,
    });
  };
  const onSkipped = ({ lines }: RowOrigin) => {
    linesSent += lines;
  };
  const { appId, consent } = job.identity;
  const left = skipping(people, from.rows, onSkipped);
  const batches = batchesOf(appId, left, batchBounds, consent);
  try {
    await inOrder(batches, inFlightMax, send, report, () => job.signal.aborted);
  } catch (error) {
    if (!job.signal.aborted) throw error; // else it is a wait that was cut short
  } finally {
    await writer.settled();
  }
  return done;
}

/** Skips acknowledged people. */
function* skipping(
  people: Iterable<Person>,
  count: number,
  onSkipped: (person: Person) => void,
): Generator<Person> {
  let left = count;
  for (const person of people) {
    if (left > 0) {
      left--;
      onSkipped(person);
    } else yield person;
  }
}

function addRefusal(
  errors: ErrorsFile | undefined,
  origin: RowOrigin | undefined,
  error: string,
  reason: 'refused' | 'device_refused',
): void {
  if (origin === undefined) return;
  const { line, lines } = origin;
  errors?.add({ line, reason, ...(lines === 1 ? {} : { lines }), error });
}
