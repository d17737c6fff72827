// Writes deliveries that changed: their record, their dues, and the calls of those that were called
// more than once or did not succeed.

import type { Context, DocumentReader, DocumentWrite } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import {
  type WebhookTryRow,
  webhookDeliveries,
  webhookDues,
  webhookTries,
} from '../../../storage/tables/webhook.ts';
import { readableRow } from '../../readable-row.ts';
import type { WebhookResult } from './call/attempt.ts';
import {
  type ChunkName,
  type DeliveryName,
  deliveriesKey,
  dueKey,
  triesKey,
} from './delivery-id.ts';
import { type Delivery, DeliveryRows, type DeliveryState } from './delivery-rows.ts';
import { type DestinationHealth, healthAfterRuns } from './destination.ts';
import type { WebhooksEntry } from './protocol.ts';
import { afterAttempt } from './schedule.ts';

/** Calls of a delivery that are shown. */
const triesMax = 10;

interface OpenChunk {
  readonly name: ChunkName;
  readonly rows: DeliveryRows;
  readonly before: ReadonlyMap<Millis, number>;
}

/** Deliveries of one destination in one decision; each record is read and written once. */
export class Settling {
  readonly #destination: number;
  readonly #context: Pick<Context, 'owner' | 'nowMs'> & { readonly documents: DocumentReader };
  readonly #chunks = new Map<string, OpenChunk | undefined>();
  readonly #tries: DocumentWrite[] = [];
  readonly #runs: number[] = [];
  /** By run, deliveries that it ended without a success. */
  readonly #lost: number[] = [];
  #opened = 0;

  constructor(destination: number, context: Context) {
    this.#destination = destination;
    this.#context = context;
  }

  /** The end of an attempt; one of a delivery that is not open any more is dropped. */
  attempted(chunk: ChunkName, place: number, result: WebhookResult): void {
    const { nowMs } = this.#context;
    const change = (before: Delivery): Delivery | undefined => {
      if (before.dueMs === undefined) return undefined;
      const after = afterAttempt(before, result, nowMs);
      // A success at once is shown from the delivery itself; every other attempt is kept.
      if (after.state !== 'delivered' || before.endedMs !== undefined)
        this.#keepTry({ ...chunk, destination: this.#destination, place }, before, result);
      this.#note(after.state);
      return after;
    };
    this.change(chunk, place, change);
  }

  /** False if there is no such delivery, or `change` leaves it as it is. */
  change(
    chunk: ChunkName,
    place: number,
    change: (before: Delivery) => Delivery | undefined,
  ): boolean {
    const rows = this.rowsOf(chunk);
    const i = rows?.indexOf(place) ?? -1;
    if (rows === undefined || i < 0) return false;
    const before = rows.at(i);
    const after = change(before);
    if (after === undefined) return false;
    rows.set(i, after);
    this.#opened += Number(isOpen(after)) - Number(isOpen(before));
    return true;
  }

  rowsOf(name: ChunkName): DeliveryRows | undefined {
    const key = `${name.atMs}|${name.chunk}`;
    if (!this.#chunks.has(key)) {
      const at = deliveriesKey({ ...name, destination: this.#destination });
      const row = readableRow(this.#context.documents, webhookDeliveries, at);
      const rows = row && new DeliveryRows(name.atMs, row);
      this.#chunks.set(key, rows && { name, rows, before: rows.dues() });
    }
    return this.#chunks.get(key)?.rows;
  }

  documents(): readonly DocumentWrite[] {
    const writes: DocumentWrite[] = [...this.#tries];
    for (const one of this.#chunks.values()) {
      if (one === undefined) continue;
      const at = { ...one.name, destination: this.#destination };
      const value = one.rows.row();
      writes.push({ table: webhookDeliveries, key: deliveriesKey(at), value });
      const after = one.rows.dues();
      for (const dueMs of one.before.keys())
        if (!after.has(dueMs))
          writes.push({ table: webhookDues, key: dueKey(at, dueMs), value: undefined });
      for (const [dueMs, count] of after)
        if (!one.before.has(dueMs))
          writes.push({ table: webhookDues, key: dueKey(at, dueMs), value: { count } });
    }
    return writes;
  }

  entry(): WebhooksEntry {
    const { owner, nowMs: atMs } = this.#context;
    return {
      kind: 'webhook.settled',
      owner,
      destination: this.#destination,
      atMs,
      opened: this.#opened,
      runs: this.#runs,
      ...(this.#lost.some((count) => count > 0) ? { lost: this.#lost } : {}),
    };
  }

  /** The health of the destination after these attempts. */
  healthAfter(health: DestinationHealth): DestinationHealth {
    return healthAfterRuns(health, this.#runs, this.#lost, this.#context.nowMs);
  }

  get opened(): number {
    return this.#opened;
  }

  #note(state: DeliveryState): void {
    let last = this.#runs.length - 1;
    const step = state === 'delivered' ? 1 : -1;
    if (last >= 0 && Math.sign(this.#runs[last] as number) === step)
      this.#runs[last] = (this.#runs[last] as number) + step;
    else {
      last = this.#runs.push(step) - 1;
      this.#lost.push(0);
    }
    if (state === 'dead' || state === 'stopped') this.#lost[last] = (this.#lost[last] ?? 0) + 1;
  }

  #keepTry(name: DeliveryName, before: Delivery, result: WebhookResult): void {
    const key = triesKey(name);
    const { documents, nowMs } = this.#context;
    const { status, error, durationMs, answer } = result;
    const kept = readableRow(documents, webhookTries, key)?.tries ?? onlyTry(before);
    const one: WebhookTryRow = {
      atMs: nowMs - durationMs,
      durationMs,
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
      ...(answer === '' ? {} : { answer }),
    };
    const tries = [...kept, one].slice(-triesMax);
    this.#tries.push({ table: webhookTries, key, value: { tries } });
  }
}

/** The one attempt of a delivery that succeeded at once. */
export function onlyTry({
  endedMs,
  durationMs = 0,
  status,
  error,
  answer,
}: Delivery): readonly WebhookTryRow[] {
  if (endedMs === undefined) return [];
  return [
    {
      atMs: endedMs - durationMs,
      durationMs,
      ...(status === undefined ? {} : { status }),
      ...(error === undefined ? {} : { error }),
      ...(answer === undefined ? {} : { answer }),
    },
  ];
}

function isOpen({ state }: Delivery): boolean {
  return state === 'pending' || state === 'retrying';
}
