// The way to partitions that move between servers: a message waits a little for an owner, is sent
// to it, and is sent again only if nobody has seen it.

import type { Answer } from '../../engine/actor/message.ts';
import type { PlacedAsk, Places } from '../../engine/actor/router.ts';
import { moved, unanswered } from '../../engine/actor/turn-faults.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { PeerClient } from '../../engine/peers/peer-call.ts';
import type { Clock } from '../../engine/time/clock.ts';
import { decodeAnswer, encodeAsk } from './ask-bytes.ts';
import { type HeldRequests, holdMs } from './held-requests.ts';
import type { Whereabouts } from './owners.ts';

/** For the answer, beyond the time for a start. */
const answerMs: Millis = 20_000;
const timeoutMsDefault: Millis = 10_000;

interface MovingPlacesOptions {
  readonly held: Pick<HeldRequests, 'wait'>;
  readonly client: Pick<PeerClient, 'ask'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  /** Asks a shard thread of this server. */
  readonly askHere: (shard: number, asked: PlacedAsk) => void;
}

export class MovingPlaces implements Places {
  readonly #options: MovingPlacesOptions;

  constructor(options: MovingPlacesOptions) {
    this.#options = options;
  }

  ask(asked: PlacedAsk): void {
    const waitMs = Math.min(holdMs, asked.options.timeoutMs ?? timeoutMsDefault);
    this.#wait(asked, this.#options.clock.monotonic() + waitMs);
  }

  #wait(asked: PlacedAsk, untilMs: Millis, refusedBy?: Whereabouts): void {
    const { partition, options, answer } = asked;
    const bytes = (options.bytes?.byteLength ?? 0) + (options.weight ?? 0);
    const then = (place: Whereabouts) => this.#send(asked, untilMs, place);
    const over = (fault: typeof moved) => answer({ ok: false, fault });
    this.#options.held.wait({ partition, bytes, untilMs, then, over }, refusedBy);
  }

  #send(asked: PlacedAsk, untilMs: Millis, place: Whereabouts): void {
    const { askHere, client } = this.#options;
    const { partition, to, message, options } = asked;
    const again = () => this.#wait(asked, untilMs, place);
    if (place.shard !== undefined) {
      // Bytes that a thread was given are gone, so such a message is not asked again.
      const isOnce = options.bytes !== undefined;
      const answer = (value: Answer) => (isMoved(value) && !isOnce ? again() : asked.answer(value));
      askHere(place.shard, { ...asked, answer });
      return;
    }
    const { lane = 'express', timeoutMs = timeoutMsDefault, weight = 0, bytes } = options;
    const body = encodeAsk({ partition, to, message, lane, timeoutMs, weight, bytes });
    const call = { method: 'POST', path: '/ask', body, timeoutMs: timeoutMs + answerMs };
    void client.ask({ address: place.address, ...call }).then((answered) => {
      const status = answered.kind === 'answered' ? answered.status : 0;
      if (answered.kind === 'unsent' || status === 421) again();
      else if (answered.kind === 'answered' && status === 200)
        asked.answer(decodeAnswer(answered.body));
      else asked.answer({ ok: false, fault: unanswered });
    });
  }
}

function isMoved(answer: Answer): boolean {
  return !answer.ok && answer.fault.code === moved.code;
}
