// Writes queued recipients as one entry of columns and a record per 32. Sends without a device,
// with another time to live, long content or copies are written as single sends.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import type { Millis } from '../../../engine/base/brand.ts';
import { bytesOfWords } from '../../../engine/base/words.ts';
import { deviceColumns } from '../../people/audience/device-columns.ts';
import { copiesGiven } from '../outbox/copies.ts';
import { chunksOf, fitsChunk, newSendRun, type SendRun } from '../outbox/send-chunk.ts';
import { refOfParts } from '../outbox/send-key.ts';
import type { TransactionalEntry } from './protocol.ts';
import { queuedSend, type SettledSend } from './queue-send.ts';

/** A claim: four words of key, two of fingerprint. */
export const claimWords = 6;

export class QueuedBatch {
  readonly #run: SendRun;
  readonly #context: Context;
  readonly #inRun: SettledSend[] = [];
  readonly #entries: Entry[] = [];
  readonly #documents: DocumentWrite[] = [];
  #expiresMs: Millis | null = null;

  constructor(context: Context) {
    this.#context = context;
    this.#run = newSendRun(context.owner, context.nowMs, context.rng);
  }

  get run(): SendRun {
    return this.#run;
  }

  get count(): number {
    return this.#inRun.length + this.#entries.length;
  }

  /** Queues a send. Returns its place in the run, or its id if it is written by itself. */
  add(send: SettledSend): number | string {
    const { ttlSeconds } = send.options;
    const expiresMs = ttlSeconds === undefined ? null : this.#run.atMs + ttlSeconds * 1000;
    if (this.#inRun.length === 0) this.#expiresMs = expiresMs;
    const isAlone = send.targets.length === 0 || expiresMs !== this.#expiresMs;
    if (isAlone || !fitsChunk(send.content) || copiesGiven(send.content) > 0)
      return this.#alone(send);
    this.#inRun.push(send);
    return this.#inRun.length - 1;
  }

  #alone(send: SettledSend): string {
    const { id, entry, document } = queuedSend(send, this.#context);
    this.#entries.push(entry);
    this.#documents.push(document);
    return id;
  }

  entries(): readonly Entry[] {
    if (this.#inRun.length === 0) return this.#entries;
    const people = Uint32Array.from(this.#inRun, ({ person }) => person.person);
    const claims = claimsOf(this.#inRun);
    const entry: TransactionalEntry = {
      kind: 'batch.queued',
      owner: this.#run.ordinal,
      atMs: this.#run.atMs,
      expiresMs: this.#expiresMs,
      run: refOfParts(this.#run),
      people: bytesOfWords(people),
      targets: deviceColumns(this.#inRun.map(({ targets }) => targets)),
      ...(claims === undefined ? {} : { claims }),
    };
    return [entry, ...this.#entries];
  }

  documents(): readonly DocumentWrite[] {
    const rows = this.#inRun.map(({ person, targets, content }) => ({
      person: person.person,
      targets,
      content,
    }));
    const templateId = this.#inRun[0]?.templateId;
    return [...chunksOf(this.#run, rows, templateId), ...this.#documents];
  }
}

function claimsOf(queued: readonly SettledSend[]): Uint8Array | undefined {
  if (queued.every(({ claim }) => claim === null)) return undefined;
  const words = new Uint32Array(queued.length * claimWords);
  for (const [place, { claim }] of queued.entries()) {
    if (claim === null) continue;
    words.set(claim.key, place * claimWords);
    words.set(claim.fingerprint, place * claimWords + 4);
  }
  return bytesOfWords(words);
}
