// The way of a request to the server that owns its partition. One for this server takes no other
// way than without a cluster. A request is sent again only if nobody has seen it.

import { unanswered } from '../../engine/actor/turn-faults.ts';
import type { Millis } from '../../engine/base/brand.ts';
import type { Fault } from '../../engine/base/fault.ts';
import type { PeerCall, PeerClient } from '../../engine/peers/peer-call.ts';
import type { Clock } from '../../engine/time/clock.ts';
import type { BodySink, HttpHandler, HttpRequest, HttpResponder } from '../server/exchange.ts';
import { asBytes, headersToOwner } from './forwarded-head.ts';
import { HeldRequests, holdMs } from './held-requests.ts';
import type { Owners, Whereabouts } from './owners.ts';
import { RelayedAnswer } from './relayed-answer.ts';

/** Until the head of an answer, and between two parts of one: live streams say something sooner. */
const silenceMs: Millis = 120_000;

/** Whose answers last: live streams and exports. */
const longPath = /\/(?:live|export)$|\/dry-runs\//;

interface ForwardingOptions {
  readonly owners: Owners;
  readonly client: Pick<PeerClient, 'call'>;
  readonly clock: Pick<Clock, 'monotonic'>;
  readonly after: (ms: Millis, then: () => void) => () => void;
  /** The partition that a request is for; `undefined` if any server may serve it. */
  partitionOf(request: HttpRequest): number | undefined;
  /** Answers what no owner has answered. */
  refuse(request: HttpRequest, response: HttpResponder, refusal: Fault): void;
}

interface ForwardingFigures {
  /** Requests sent to another server. */
  forwarded: number;
  /** Of them, refused there. */
  misdirected: number;
  /** Requests that waited for an owner. */
  held: number;
  /** Refused, since no owner was found in time or too many waited. */
  refused: number;
  /** Sent and not answered: what became of them is not known. */
  unanswered: number;
}

export class Forwarding {
  readonly figures: ForwardingFigures = {
    forwarded: 0,
    misdirected: 0,
    held: 0,
    refused: 0,
    unanswered: 0,
  };
  readonly options: ForwardingOptions;
  readonly held: HeldRequests;

  constructor(options: ForwardingOptions) {
    this.options = options;
    this.held = new HeldRequests(options);
  }

  /** `handler` serves what is for this server. `bodyBytesMaxOf`: as far as it is not the usual. */
  over(
    handler: HttpHandler,
    bodyBytesMaxOf: (request: HttpRequest) => number | undefined = () => undefined,
  ): HttpHandler {
    const { owners, partitionOf } = this.options;
    return (request, response) => {
      const partition = partitionOf(request);
      if (partition === undefined) return handler(request, response);
      const place = owners.of(partition);
      if (place?.shard !== undefined && !place.isHeld) return handler(request, response);
      const bytesMax = bodyBytesMaxOf(request);
      if (bytesMax !== undefined) response.bodyBytesMax = bytesMax;
      const passage = { forwarding: this, handler, request, response, partition };
      const forwarded = new ForwardedCall(passage);
      return (body) => forwarded.begin(body);
    };
  }
}

interface Passage {
  readonly forwarding: Forwarding;
  readonly handler: HttpHandler;
  readonly request: HttpRequest;
  readonly response: HttpResponder;
  readonly partition: number;
}

class ForwardedCall {
  readonly #passage: Passage;
  /** Read at once: who has gone has no address. */
  readonly #headers: Readonly<Record<string, string>>;
  readonly #untilMs: Millis;
  #body: Buffer = Buffer.alloc(0);
  #stopWaiting = (): void => undefined;
  #served: (result: ReturnType<BodySink>) => void = () => undefined;

  constructor(passage: Passage) {
    const { request, partition, forwarding, response } = passage;
    this.#passage = passage;
    this.#headers = headersToOwner(request, partition);
    this.#untilMs = forwarding.options.clock.monotonic() + holdMs;
    response.onAborted(() => {
      this.#stopWaiting();
      this.#served(undefined);
    });
  }

  /** Resolves once another server serves it, rejects where this one failed to. */
  begin(body: Buffer): Promise<void> {
    this.#body = body;
    return new Promise((resolve, reject) => {
      this.#served = (result) => {
        if (result instanceof Promise) result.then(resolve, reject);
        else resolve();
      };
      this.#wait();
    });
  }

  #wait(refusedBy?: Whereabouts): void {
    const { forwarding, request, response, partition } = this.#passage;
    const { figures, held } = forwarding;
    if (response.aborted) return;
    const before = held.count;
    this.#stopWaiting = held.wait(
      {
        partition,
        bytes: this.#body.byteLength,
        untilMs: this.#untilMs,
        then: (place) => this.#send(place),
        over: (refusal) => {
          figures.refused++;
          forwarding.options.refuse(request, response, refusal);
          this.#served(undefined);
        },
      },
      refusedBy,
    );
    if (held.count > before) figures.held++;
  }

  #send(place: Whereabouts): void {
    const { forwarding, handler, request, response } = this.#passage;
    const { figures, options } = forwarding;
    if (place.shard !== undefined) {
      this.#serveHere(handler);
      return;
    }
    figures.forwarded++;
    const answer = new RelayedAnswer(request.method, response, {
      relayed: () => this.#served(undefined),
      unseen: () => {
        figures.misdirected++;
        this.#wait(place);
      },
      unanswered: () => {
        figures.unanswered++;
        options.refuse(request, response, unanswered);
        this.#served(undefined);
      },
    });
    options.client.call(this.#callTo(place), answer);
  }

  #serveHere(handler: HttpHandler): void {
    const { request, response } = this.#passage;
    try {
      this.#served(handler(request, response)?.(this.#body));
    } catch (error) {
      this.#served(Promise.reject(error));
    }
  }

  #callTo({ address }: Whereabouts): PeerCall {
    const { method, path, query } = this.#passage.request;
    const target = asBytes(query === '' ? path : `${path}?${query}`);
    const bodiless = method === 'GET' || method === 'HEAD' || this.#body.byteLength === 0;
    return {
      address,
      // The length of what HEAD does not send is that of GET.
      method: method === 'HEAD' ? 'GET' : method,
      path: target,
      headers: this.#headers,
      ...(bodiless ? {} : { body: this.#body }),
      timeoutMs: silenceMs,
      isLong: longPath.test(path),
    };
  }
}
