// One import from another service. The files are read three times: once to judge every record
// before anything is sent, for opt-outs, and for people. Opt-outs are stored before the first
// person, so that an import that is killed leaves nobody reachable who opted out. One batch is
// under way at a time: what was sent is always a prefix, and sending it again changes nothing.

import { createHash } from 'node:crypto';
import { basename } from 'node:path';
import { type ColumnFacts, Survey } from '../../files/column-facts.ts';
import { type AddressNotes, withFlags } from './address-notes.ts';
import {
  type Batch,
  batchBounds,
  batchesOf,
  type RowOrigin,
  type RowSource,
  type TooLarge,
} from './batches.ts';
import type { BroughtOptOut, Draft, LeftOut } from './draft.ts';
import { ErrorsFile } from './errors-file.ts';
import type { ImportClient } from './import-client.ts';
import { otherImport, StateWriter } from './import-state.ts';
import { type LeftColumns, type MapOptions, mapRecord } from './map-record.ts';
import type { Service } from './origin.ts';
import { type FileOptions, type ReadRecord, serviceRecords } from './origin-records.ts';
import {
  noProgress,
  readServiceState,
  type ServiceIdentity,
  type ServiceProgress,
} from './origin-state.ts';
import type { ServiceSummary, WrongLine } from './origin-summary.ts';
import { type TopicMode, topicKeys } from './origin-topics.ts';
import type { PersonRow } from './person.ts';
import { countUp } from './summary.ts';
import type { ReadMeter } from './unpacked.ts';

export interface ServiceJob {
  readonly service: Service;
  readonly paths: readonly string[];
  readonly file: FileOptions;
  readonly map: MapOptions;
  readonly topics: TopicMode;
  readonly identity: ServiceIdentity;
  readonly statePath: string;
  readonly errorsPath?: string;
  readonly isDry: boolean;
  readonly client: Pick<ImportClient, 'send' | 'sendOptOuts' | 'makeTopics' | 'retries'>;
  /** Stops after the batch under way; the summary is then incomplete. */
  readonly signal: AbortSignal;
  readonly onStep?: (text: string) => void;
}

const optOutsInBatch = 2_000;
const wrongLinesTold = 20;

/** What the first reading found. */
interface Judged {
  readonly sha256: string;
  /** By path. */
  readonly facts: ReadonlyMap<string, readonly ColumnFacts[]>;
  readonly topics: ReadonlySet<string>;
  readonly records: number;
  readonly people: number;
  readonly optOuts: number;
}

/** Throws one sentence if it cannot go on; the state file has what was acknowledged. */
export async function runServiceImport(job: ServiceJob): Promise<ServiceSummary> {
  return await new ServiceImport(job).run();
}

class ServiceImport {
  readonly #job: ServiceJob;
  readonly #began = performance.now();
  readonly #wrong: WrongLine[] = [];
  #wrongLines = 0;
  readonly #left: Partial<Record<LeftOut, number>> = {};
  readonly #leftColumns: LeftColumns = {};
  readonly #reasons: Record<string, number> = {};
  #errors: ErrorsFile | undefined;
  #writer: StateWriter<ServiceProgress> | undefined;
  #done: ServiceProgress = noProgress;
  #addresses: AddressNotes = {};

  constructor(job: ServiceJob) {
    this.#job = job;
  }

  async run(): Promise<ServiceSummary> {
    const { statePath, identity, errorsPath, isDry, signal } = this.#job;
    const state = isDry ? undefined : readServiceState(statePath, identity);
    if (errorsPath !== undefined) this.#errors = new ErrorsFile(errorsPath, state?.errorsBytes);
    try {
      const judged = await this.#judge();
      if (state !== undefined && state.sha256 !== judged.sha256)
        throw otherImport(statePath, 'the contents of the files');
      const keys = topicKeys(judged.topics, this.#job.topics);
      const made = await this.#makeTopics(keys);
      if (!isDry) this.#writer = new StateWriter(statePath, { ...identity, sha256: judged.sha256 });
      this.#done = state ?? noProgress;
      const resumedAt = { optOuts: this.#done.optOuts, rows: this.#done.rows };
      await this.#sendOptOuts(judged);
      if (!signal.aborted) await this.#sendPeople(judged, keys);
      if (!signal.aborted) await this.#writer?.remove();
      return this.#summary(judged, keys, made, resumedAt);
    } finally {
      await this.#writer?.settled();
      this.#errors?.close();
    }
  }

  /** A map names topics that are there. */
  async #makeTopics(keys: ReadonlyMap<string, string>): Promise<readonly string[]> {
    const { isDry, topics, client } = this.#job;
    return isDry || topics.kind !== 'create' ? [] : await client.makeTopics(keys);
  }

  /** Reads everything once, and sends nothing. */
  async #judge(): Promise<Judged> {
    const { service } = this.#job;
    const hash = createHash('sha256');
    const facts = new Map<string, readonly ColumnFacts[]>();
    const topics = new Set<string>();
    const counts = { records: 0, people: 0, optOuts: 0 };
    for (const path of this.#job.paths) {
      const survey = new Survey();
      let columns = 0;
      const meter: ReadMeter = { bytes: 0 };
      for await (const read of this.#read(path, 'reading', meter)) {
        counts.records++;
        if ('record' in read) {
          const { record, cells } = read;
          if (columns === 0) {
            const refusal = service.refuses(record.file);
            if (refusal !== undefined)
              throw new Error(`${record.file.name}: ${refusal} Nothing was imported.`);
          }
          columns = Math.max(columns, record.names.length);
          survey.addCells(record.line, cells);
        }
        const draft = this.#draftOf(path, read, [], true);
        if (draft !== undefined) {
          if (draft.isPerson) counts.people++;
          counts.optOuts += draft.optOuts.length;
          if (draft.problem === undefined) for (const name of draft.topics.keys()) topics.add(name);
        }
      }
      hash.update(meter.sha256 ?? '');
      facts.set(path, survey.facts(columns));
    }
    return { sha256: hash.digest('hex'), facts, topics, ...counts };
  }

  async *#read(
    path: string,
    step: string,
    meter: ReadMeter = { bytes: 0 },
  ): AsyncGenerator<ReadRecord> {
    let records = 0;
    for await (const piece of serviceRecords(path, this.#job.file, meter)) {
      for (const read of piece) {
        records++;
        yield read;
      }
      this.#job.signal.throwIfAborted();
      this.#job.onStep?.(`${step} ${basename(path)}: ${records.toLocaleString('en-US')} lines`);
    }
  }

  /** `undefined` for a line that is no record. The first reading tells wrong ones. */
  #draftOf(
    path: string,
    read: ReadRecord,
    facts: readonly ColumnFacts[],
    isFirst: boolean,
  ): Draft | undefined {
    const { service, map } = this.#job;
    const tell = (line: number, error: string) => {
      if (isFirst) this.#tellWrong({ file: basename(path), line, error }, 'wrong_line');
    };
    if ('problem' in read) {
      tell(read.line, read.problem);
      return undefined;
    }
    const left = isFirst ? this.#leftColumns : undefined;
    const draft = mapRecord(service, read.record, facts, map, left);
    if (draft.problem !== undefined) tell(read.record.line, draft.problem);
    if (isFirst) this.#count(draft);
    return draft;
  }

  #count({ left, optOuts, problem }: Draft): void {
    if (problem === undefined) for (const one of left) countUp(this.#left, one);
    for (const { channel, reason } of optOuts) {
      const what = `${channel}: ${reason}`;
      if (what in this.#reasons || Object.keys(this.#reasons).length < 200)
        this.#reasons[what] = (this.#reasons[what] ?? 0) + 1;
    }
  }

  #tellWrong(wrong: WrongLine, reason: string): void {
    if (reason === 'wrong_line') this.#wrongLines++;
    if (this.#wrong.length < wrongLinesTold) this.#wrong.push(wrong);
    const { file, line, error } = wrong;
    if (reason !== 'wrong_line' || this.#errors?.isContinued === false)
      this.#errors?.add({ file, line, reason, error });
  }

  async #sendOptOuts({ facts, optOuts: all }: Judged): Promise<void> {
    const { paths, signal, isDry } = this.#job;
    let skip = this.#done.optOuts;
    let waiting: (RowOrigin & { readonly optOut: BroughtOptOut })[] = [];
    const send = async () => {
      const batch = waiting;
      waiting = [];
      await this.#sendOptOutBatch(batch);
      this.#job.onStep?.(`opt-outs: ${this.#done.optOuts} of ${all}`);
    };
    for (const path of paths) {
      for await (const read of this.#read(path, 'opt-outs of')) {
        const draft = this.#draftOf(path, read, facts.get(path) ?? [], false);
        if (draft === undefined || !('record' in read)) continue;
        for (const optOut of draft.optOuts) {
          if (skip-- > 0) continue;
          waiting.push({ line: read.record.line, lines: 1, file: basename(path), optOut });
          if (waiting.length === optOutsInBatch) await send();
          if (signal.aborted) return;
        }
      }
    }
    if (waiting.length > 0) await send();
    if (!isDry && this.#done.optOuts !== all && !signal.aborted)
      throw new Error('the files changed while they were read; run the same command again.');
  }

  async #sendOptOutBatch(
    batch: readonly (RowOrigin & { readonly optOut: BroughtOptOut })[],
  ): Promise<void> {
    const { identity, isDry, client } = this.#job;
    const rows = batch.map(({ optOut }) => optOut);
    const body = JSON.stringify({ appId: identity.appId, rows, dryRun: isDry });
    const result = await client.sendOptOuts(body, rows.length);
    for (const { row, error } of result.errors) {
      const { file = '', line = 0 } = batch[row] ?? {};
      this.#tellWrong({ file, line, error: `opt-out: ${error}` }, 'opt_out_refused');
    }
    const done = this.#done;
    this.#note({
      ...done,
      optOuts: done.optOuts + rows.length,
      added: done.added + result.added,
      known: done.known + result.known,
      optOutsFailed: done.optOutsFailed + result.failed,
    });
  }

  #note(progress: ServiceProgress): void {
    const errorsBytes = this.#errors?.sync();
    this.#done = { ...progress, ...(errorsBytes === undefined ? {} : { errorsBytes }) };
    this.#writer?.note(this.#done);
  }

  async #sendPeople(
    { facts, people: all }: Judged,
    keys: ReadonlyMap<string, string>,
  ): Promise<void> {
    const { paths, signal } = this.#job;
    let skip = this.#done.rows;
    let waiting: RowSource[] = [];
    const {
      identity: { appId },
      map: { consent },
    } = this.#job;
    const send = async () => {
      const people = waiting;
      waiting = [];
      for (const batch of batchesOf(appId, people, batchBounds, consent)) {
        if (signal.aborted) return;
        await this.#sendBatch(batch);
        this.#job.onStep?.(`people: ${this.#done.rows} of ${all}`);
      }
    };
    for (const path of paths) {
      for await (const read of this.#read(path, 'people of')) {
        const draft = this.#draftOf(path, read, facts.get(path) ?? [], false);
        const row = draft?.row((name) => keys.get(name));
        if (row === undefined || !('record' in read)) continue;
        if (skip-- > 0) continue;
        waiting.push(source(row, basename(path), read.record.line));
        if (waiting.length === 1_000) await send();
        if (signal.aborted) return;
      }
    }
    await send();
  }

  async #sendBatch(batch: Batch | TooLarge): Promise<void> {
    const { client, isDry } = this.#job;
    const origins = 'tooLarge' in batch ? [batch.tooLarge] : batch.origins;
    const tooLarge = { row: 0, error: 'the record is too large' };
    const result =
      'tooLarge' in batch
        ? { created: 0, updated: 0, failed: 1, keptOut: 0, errors: [tooLarge] }
        : await client.send(isDry ? asDry(batch.body) : batch.body, origins.length);
    if ('addressFlags' in result)
      this.#addresses = withFlags(this.#addresses, result.addressFlags, origins);
    let devicesFailed = 0;
    for (const one of result.errors) {
      const { file = '', line = 0 } = origins[one.row] ?? {};
      const isDevice = 'device' in one;
      if (isDevice) devicesFailed++;
      const reason = isDevice ? 'device_refused' : 'refused';
      this.#tellWrong({ file, line, error: one.error }, reason);
    }
    const done = this.#done;
    this.#note({
      ...done,
      rows: done.rows + origins.length,
      created: done.created + result.created,
      updated: done.updated + result.updated,
      failed: done.failed + result.failed,
      devicesFailed: done.devicesFailed + devicesFailed,
      keptOut: done.keptOut + (result.keptOut ?? 0),
    });
  }

  #summary(
    judged: Judged,
    keys: ReadonlyMap<string, string>,
    made: readonly string[],
    resumedAt: ServiceSummary['resumedAt'],
  ): ServiceSummary {
    const { optOuts, added, known, optOutsFailed } = this.#done;
    const { created, updated, failed, devicesFailed, keptOut } = this.#done;
    const { service, identity, signal, isDry, client } = this.#job;
    return {
      service: service.id,
      appId: identity.appId,
      dryRun: isDry,
      complete: !signal.aborted,
      lines: judged.records,
      wrongLines: this.#wrongLines,
      optOuts: { total: optOuts, added, known, failed: optOutsFailed, reasons: this.#reasons },
      subscribers: { created, updated, failed },
      devicesRefused: devicesFailed,
      addresses: this.#addresses,
      topics: {
        found: [...judged.topics].sort(),
        imported: Object.fromEntries(keys),
        created: made,
        keptOut,
      },
      valuesLeftOut: this.#left,
      columnsLeftOut: this.#leftColumns,
      errors: this.#wrong,
      resumedAt,
      retries: client.retries,
      seconds: Math.round(performance.now() - this.#began) / 1000,
    };
  }
}

function source(row: PersonRow, file: string, line: number): RowSource {
  return { line, lines: 1, file, row: () => row };
}

function asDry(body: string): string {
  return `${body.slice(0, -1)},"dryRun":true}`;
}
