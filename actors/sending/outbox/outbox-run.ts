// Sends of a batch that have not started, kept as columns: objects and map entries would be made
// long before their turn. A send leaves the run when it becomes a job or is forgotten; its place
// remains. A fold of entries.

import type { Rebase } from '../../../engine/actor/machine.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { IdParts } from '../../../engine/base/id.ts';
import { bytesOfWords, wordsOfBytes } from '../../../engine/base/words.ts';
import { type ChannelId, channelIds } from '../../channels/channel-ids.ts';
import { type DeviceColumns, deviceAt } from '../../people/audience/device-columns.ts';
import { freshTarget, type Job, type Target } from './job.ts';
import { idInRun, runKeyOf, type SendRun } from './send-chunk.ts';

export interface RunColumns {
  readonly run: SendRun;
  readonly acceptedMs: Millis;
  readonly expiresMs: Millis | null;
  /** The person of each send, 32 bits. */
  readonly people: Uint8Array;
  readonly targets: DeviceColumns;
}

/** How far the queue of a channel has come in a run. */
interface Place {
  /** The next device to look at, over all channels. */
  next: number;
  /** Devices of the channel from `next` on. */
  left: number;
}

export interface RunSnapshot extends RunColumns {
  /** 1 for each send that has left. */
  readonly gone: Uint8Array;
  readonly held: boolean;
  readonly places: readonly (readonly [ChannelId, number, number])[];
}

export class OutboxRun {
  readonly run: SendRun;
  readonly key: string;
  #acceptedMs: Millis;
  #expiresMs: Millis | null;
  readonly #people: Uint32Array;
  readonly #targets: DeviceColumns;
  /** First device of each send; one more at the end. */
  readonly #firstDevice: Uint32Array;
  readonly #gone: Uint8Array;
  readonly #places = new Map<ChannelId, Place>();
  #left: number;
  /** See `Job.held`. */
  held = false;

  get acceptedMs(): Millis {
    return this.#acceptedMs;
  }

  constructor({ run, acceptedMs, expiresMs, people, targets }: RunColumns) {
    this.run = run;
    this.key = runKeyOf(run);
    this.#acceptedMs = acceptedMs;
    this.#expiresMs = expiresMs;
    this.#people = wordsOfBytes(people);
    // Copies: the entry's bytes lie in one buffer of a thousand entries.
    const counts = new Uint8Array(targets.counts);
    const channels = new Uint8Array(targets.channels);
    this.#targets = { counts, channels, devices: new Uint8Array(targets.devices) };
    this.#left = counts.length;
    this.#gone = new Uint8Array(counts.length);
    this.#firstDevice = new Uint32Array(counts.length + 1);
    for (let place = 0; place < counts.length; place++)
      this.#firstDevice[place + 1] =
        (this.#firstDevice[place] as number) + (counts[place] as number);
    const onChannel = new Uint32Array(channelIds.length);
    for (const channel of channels) (onChannel[channel] as number)++;
    onChannel.forEach((left, channel) => {
      if (left > 0) this.#places.set(channelIds[channel] as ChannelId, { next: 0, left });
    });
  }

  /** Sends still in the run. */
  get left(): number {
    return this.#left;
  }

  get channels(): Iterable<ChannelId> {
    return this.#places.keys();
  }

  /** Devices of a channel that its queue has not come to. */
  leftOn(channel: ChannelId): number {
    return this.#places.get(channel)?.left ?? 0;
  }

  /** Whether all sends have left and every queue has passed it. */
  get isOver(): boolean {
    if (this.#left > 0) return false;
    for (const { left } of this.#places.values()) if (left > 0) return false;
    return true;
  }

  /** The place of an id that is still in the run; −1 otherwise. */
  placeOf({ low32 }: IdParts): number {
    const place = low32 - this.run.low32;
    return this.has(place) ? place : -1;
  }

  has(place: number): boolean {
    return this.#gone[place] === 0;
  }

  /** The send at a place, as a new job: changes to it have no effect on the run. */
  jobAt(place: number): Job {
    const targets: Target[] = [];
    const end = this.#firstDevice[place + 1] as number;
    for (let at = this.#firstDevice[place] as number; at < end; at++)
      targets.push(freshTarget(deviceAt(this.run.ordinal, this.#targets, at)));
    return {
      sendId: idInRun(this.run, place),
      person: this.#people[place] as PersonOrdinal,
      acceptedMs: this.#acceptedMs,
      expiresMs: this.#expiresMs,
      targets,
      open: targets.length,
      ...(this.held ? { held: true } : {}),
    };
  }

  *jobs(): Generator<Job> {
    for (let place = 0; place < this.#gone.length; place++)
      if (this.has(place)) yield this.jobAt(place);
  }

  rebase(to: Rebase): void {
    const acceptedMs = to.stamp(this.#acceptedMs);
    if (this.#expiresMs !== null) this.#expiresMs -= this.#acceptedMs - acceptedMs;
    this.#acceptedMs = acceptedMs;
  }

  /** The send at a place leaves the run. */
  remove(place: number): void {
    this.#gone[place] = 1;
    this.#left--;
  }

  placesOf(person: PersonOrdinal): number[] {
    const found: number[] = [];
    for (let at = this.#people.indexOf(person); at >= 0; at = this.#people.indexOf(person, at + 1))
      if (this.has(at)) found.push(at);
    return found;
  }

  addOpenAmong(people: ReadonlySet<PersonOrdinal>, open: Set<PersonOrdinal>): void {
    for (let place = 0; place < this.#people.length; place++) {
      const person = this.#people[place] as PersonOrdinal;
      if (people.has(person) && this.has(place)) open.add(person);
    }
  }

  reassign(from: PersonOrdinal, into: PersonOrdinal): void {
    for (const place of this.placesOf(from)) this.#people[place] = into;
  }

  /** Devices of a channel that its queue has not passed: the send's place, the device's index. */
  *devicesOn(channel: ChannelId): Generator<readonly [place: number, index: number]> {
    const from = this.#places.get(channel);
    if (from === undefined) return;
    const { channels } = this.#targets;
    const code = channelIds.indexOf(channel);
    let place = this.#sendOf(from.next);
    for (let at = from.next; at < channels.length; at++) {
      while (at >= (this.#firstDevice[place + 1] as number)) place++;
      if (channels[at] === code) yield [place, at - (this.#firstDevice[place] as number)];
    }
  }

  /** The channel's queue has passed this device and all before it. */
  passOn(channel: ChannelId, place: number, index: number): void {
    const passed = this.#places.get(channel);
    if (passed === undefined) return;
    passed.next = (this.#firstDevice[place] as number) + index + 1;
    passed.left--;
  }

  /** Binary search. */
  #sendOf(device: number): number {
    let low = 0;
    let high = this.#firstDevice.length - 1;
    while (low + 1 < high) {
      const middle = (low + high) >>> 1;
      if ((this.#firstDevice[middle] as number) <= device) low = middle;
      else high = middle;
    }
    return low;
  }

  snapshot(): RunSnapshot {
    return {
      run: this.run,
      acceptedMs: this.#acceptedMs,
      expiresMs: this.#expiresMs,
      people: bytesOfWords(this.#people.slice()),
      targets: this.#targets,
      gone: this.#gone.slice(),
      held: this.held,
      places: [...this.#places].map(([channel, { next, left }]) => [channel, next, left] as const),
    };
  }

  static restore({ gone, held, places, ...columns }: RunSnapshot): OutboxRun {
    const run = new OutboxRun(columns);
    run.#gone.set(gone);
    run.#left = gone.reduce((left, isGone) => left - isGone, gone.length);
    run.held = held;
    for (const [channel, next, left] of places) run.#places.set(channel, { next, left });
    return run;
  }
}
