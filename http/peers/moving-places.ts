// The way to partitions that move between servers: a message waits a little for an owner, is sent
// to it, and is sent again only if nobody has seen it.

import type { Answer } from '../../engine/actor/message.ts';
import type { PlacedAsk, Places } from '../../engine/actor/router.ts';
import { moved, overloaded } from '../../engine/actor/turn-faults.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { PeerClient } from '../../engine/peers/peer-call.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { decodeAnswer, encodeAsk } from './ask-bytes.ts';
import type { Owners, Whereabouts } from './owners.ts';

/** While a partition has no owner. */
const holdMs: Millis = 2_000;
const heldMax = 1_000;
/** A wrong guess is corrected by the next beat of the owner. */
const lookAgainMs: Millis = 100;
/** For the answer, beyond the time for a start. */
const answerMs: Millis = 20_000;
const timeoutMsDefault: Millis = 10_000;

interface MovingPlacesOptions {
  readonly owners: Owners;
  readonly client: Pick<PeerClient, 'ask'>;
  readonly clock: Clock;
  /** Asks a shard thread of this server. */
  readonly askHere: (shard: number, asked: PlacedAsk) => void;
}

/** What another server may have done. */
const unanswered: Answer = {
  ok: false,
  fault: {
    code: 'unanswered',
    message:
      'another server of the cluster took the request and did not answer; it may have been done',
    retryAfterSeconds: 1,
  },
};

interface Held {
  readonly asked: PlacedAsk;
  readonly untilMs: Millis;
  /** Not to be sent where it was refused, before somebody says more. */
  readonly refusedBy?: Whereabouts;
}

export class MovingPlaces implements Places {
  readonly #options: MovingPlacesOptions;
  readonly #held = new Set<Held>();
  #timer: NodeJS.Timeout | undefined;

  constructor(options: MovingPlacesOptions) {
    this.#options = options;
    options.owners.onChange(() => this.#look());
  }

  /** Messages that wait for an owner. */
  get held(): number {
    return this.#held.size;
  }

  ask(asked: PlacedAsk): void {
    const { owners, clock } = this.#options;
    const waitMs = Math.min(holdMs, asked.options.timeoutMs ?? timeoutMsDefault);
    const held = { asked, untilMs: clock.monotonic() + waitMs };
    const place = owners.of(asked.partition);
    if (place === undefined || place.isHeld) this.#hold(held);
    else this.#send(held, place);
  }

  #send(held: Held, place: Whereabouts): void {
    const { asked } = held;
    const { askHere, client } = this.#options;
    if (place.shard !== undefined) {
      // Bytes that a thread was given are gone, so such a message is not asked again.
      const isOnce = asked.options.bytes !== undefined;
      const answer = (value: Answer) =>
        isMoved(value) && !isOnce ? this.#hold(held, place) : asked.answer(value);
      askHere(place.shard, { ...asked, answer });
      return;
    }
    const { partition, to, message, options } = asked;
    const { lane = 'express', timeoutMs = timeoutMsDefault, weight = 0, bytes } = options;
    const body = encodeAsk({ partition, to, message, lane, timeoutMs, weight, bytes });
    const call = { method: 'POST', path: '/ask', body, timeoutMs: timeoutMs + answerMs };
    void client.ask({ address: place.address, ...call }).then((answered) => {
      const status = answered.kind === 'answered' ? answered.status : 0;
      if (answered.kind === 'unsent' || status === 421) this.#hold(held, place);
      else if (answered.kind === 'answered' && status === 200)
        asked.answer(decodeAnswer(answered.body));
      else asked.answer(unanswered);
    });
  }

  #hold(held: Held, refusedBy?: Whereabouts): void {
    const { clock } = this.#options;
    if (clock.monotonic() >= held.untilMs) held.asked.answer({ ok: false, fault: moved });
    else if (this.#held.size >= heldMax) held.asked.answer({ ok: false, fault: overloaded });
    else {
      this.#held.add(refusedBy === undefined ? held : { ...held, refusedBy });
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#look();
      }, lookAgainMs);
    }
  }

  /** After news, and now and then: sends what has an owner, and refuses what waited too long. */
  #look(): void {
    const { owners, clock } = this.#options;
    const nowMs = clock.monotonic();
    const held = [...this.#held];
    this.#held.clear();
    for (const one of held) {
      const { asked, untilMs, refusedBy } = one;
      const place = owners.of(asked.partition);
      const isNews = place?.term !== refusedBy?.term || place?.member !== refusedBy?.member;
      // One that refused may have begun to own it since: it is asked again at the end.
      const isLast = untilMs - nowMs <= lookAgainMs;
      if (nowMs >= untilMs) asked.answer({ ok: false, fault: moved });
      else if (
        place !== undefined &&
        !place.isHeld &&
        (refusedBy === undefined || isNews || isLast)
      )
        this.#send({ asked, untilMs }, place);
      else this.#held.add(one);
    }
    if (this.#held.size > 0)
      this.#timer ??= setTimeout(() => {
        this.#timer = undefined;
        this.#look();
      }, lookAgainMs);
  }
}

function isMoved(answer: Answer): boolean {
  return !answer.ok && answer.fault.code === moved.code;
}
