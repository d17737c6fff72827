// Joins small requests of one tick to one app into one message: a message costs several times what
// an event does, on this thread and on the shard's. Where the actor cannot answer them together,
// each is asked by itself. Their events keep the order of the requests.

import { acceptedReply } from '../../actors/events/ingest/accepted-reply.ts';
import type { IngestReply } from '../../actors/events/protocol.ts';
import type { Asker } from '../../engine/actor/asker.ts';
import type { Answer, Message } from '../../engine/actor/message.ts';
import type { Bytes, Ordinal } from '../../engine/base/brand.ts';
import { atTickEnd } from '../../engine/thread/tick-end.ts';

/** Longer bodies gain little: their events outweigh their message. */
const partBytesMax: Bytes = 2 * 1024;
/** A message this long leaves before the tick ends, so that the shard can start. */
const partsMax = 32;
/** Requests of an app that are asked one by one after some that had to be. */
const apartNext = 256;
/** Apps that are remembered for that. */
const apartAppsMax = 1_000;

/** A keyed call of `/e` whose body is the message's bytes. */
interface KeyedIngest extends Message {
  readonly by: Ordinal;
  readonly namedApp?: string;
}

interface Joined {
  readonly to: Ordinal;
  readonly message: KeyedIngest;
  readonly bodies: Uint8Array[];
  readonly answers: ((answer: Answer) => void)[];
}

export class JoinedEvents {
  readonly #asker: Asker;
  readonly #defer: (flush: () => void) => void;
  /** Of this tick, one for each app and caller. */
  #waiting: Joined[] = [];
  /** By app: how many of its requests to ask one by one. */
  readonly #apart = new Map<Ordinal, number>();

  constructor(asker: Asker, defer: (flush: () => void) => void = atTickEnd) {
    this.#asker = asker;
    this.#defer = defer;
  }

  /** False if the request must be asked by itself. */
  add(
    to: Ordinal,
    message: KeyedIngest,
    body: Uint8Array,
    answer: (answer: Answer) => void,
  ): boolean {
    if (body.byteLength > partBytesMax || this.#isApart(to)) return false;
    let joined = this.#waiting.find((one) => one.to === to && isSame(one.message, message));
    if (joined === undefined) {
      joined = { to, message, bodies: [], answers: [] };
      if (this.#waiting.length === 0) this.#defer(this.#flush);
      this.#waiting.push(joined);
    }
    joined.bodies.push(body);
    joined.answers.push(answer);
    if (joined.bodies.length < partsMax) return true;
    this.#waiting.splice(this.#waiting.indexOf(joined), 1);
    this.#ask(joined);
    return true;
  }

  readonly #flush = (): void => {
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const joined of waiting) this.#ask(joined);
  };

  #ask(joined: Joined): void {
    const { to, message, bodies, answers } = joined;
    if (bodies.length === 1) {
      this.#askEach(joined);
      return;
    }
    const parts = bodies.map(({ byteLength }) => byteLength);
    const options = { lane: 'bulk', bytes: Buffer.concat(bodies) } as const;
    this.#asker.askThen(to, { ...message, parts } as Message, options, (answer) => {
      const reply = answer.ok ? (answer.value as IngestReply) : undefined;
      // A bug may be of one request alone.
      if (reply?.isApart || (!answer.ok && answer.fault.code === 'internal')) {
        this.#keepApart(to);
        this.#askEach(joined);
      } else
        for (const [at, tell] of answers.entries())
          tell(reply === undefined ? answer : acceptedOf(reply.each?.[at] as number));
    });
  }

  /** A caller whose events often repeat, or have unknown members, would be asked twice. */
  #keepApart(app: Ordinal): void {
    if (this.#apart.size >= apartAppsMax) this.#apart.clear();
    this.#apart.set(app, apartNext);
  }

  #isApart(app: Ordinal): boolean {
    if (this.#apart.size === 0) return false;
    const left = this.#apart.get(app);
    if (left === undefined) return false;
    if (left > 1) this.#apart.set(app, left - 1);
    else this.#apart.delete(app);
    return true;
  }

  #askEach({ to, message, bodies, answers }: Joined): void {
    for (const [at, bytes] of bodies.entries())
      this.#asker.askThen(
        to,
        message,
        { lane: 'bulk', bytes },
        answers[at] as (answer: Answer) => void,
      );
  }
}

function acceptedOf(events: number): Answer {
  return { ok: true, value: acceptedReply(events) };
}

function isSame(one: KeyedIngest, other: KeyedIngest): boolean {
  return one.by === other.by && one.namedApp === other.namedApp;
}
