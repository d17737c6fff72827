// The port every stand-in fills. A stand-in over HTTP is nearly a function: a request in, a verdict
// out; the shell around it (http-shell.ts) plays faults, records the exchange and sends. One with a
// wire of its own listens itself. Adding a provider is one file that returns a StandIn and one line
// in providers.ts.

import type { IncomingHttpHeaders } from 'node:http';
import type { Millis } from '../engine/base/brand.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { ControlRoute } from './control-route.ts';
import type { FaultRules, FaultSource, NamedFault } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Look, ReceivedMessage } from './message.ts';

/** What every stand-in is made with. */
export interface World {
  readonly ledger: Ledger;
  readonly faults: FaultRules;
  readonly clock: Clock;
  /** Where the product takes what comes back of mails. */
  readonly bounceAddress?: { readonly host: string; readonly port: number };
  /** The sandbox's own base URL, without a slash at the end; known once it listens. */
  url(): string;
}

/** A request below a stand-in's mount. */
export interface Received {
  readonly method: string;
  /** What follows the mount, without the query: `/v1/projects/p/messages:send`. */
  readonly path: string;
  /** Without the question mark; empty when there is none. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** At most `bodyBytesMax` of the stand-in. */
  readonly body: Buffer;
  /** Scheme, host and port by which the caller reached the sandbox. */
  readonly origin: string;
  readonly nowMs: Millis;
}

/** An HTTP answer. `headers` names are lower case; the length is added by the shell. */
export interface StandInResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** Set on a 200 that says no in its body, as some providers do. */
  readonly isRefusal?: true;
}

/** What a stand-in makes of a request. */
export interface Verdict {
  /** Sent unless a fault takes its place; only answers that accept are open to faults. */
  readonly answer: StandInResponse;
  /**
   * Whom the call is for, as fault rules match it; absent where a call is refused before that is
   * known.
   */
  readonly to?: string;
  /** The part of `to` that may name a fault: a mail's local part, a subscription's id. */
  readonly name?: string;
  /** For the inbox; absent for calls that are no message to anybody. */
  readonly message?: Pick<ReceivedMessage, 'sendId' | 'deviceId' | 'read'>;
  /**
   * Called when the call was acted on: accepted, or read and left without an answer. A fault's
   * refusal is no such thing.
   */
  readonly taken?: () => void;
  /**
   * Called once `answer` has gone out, for what comes after it; not where a fault took its place.
   */
  readonly accepted?: () => void;
}

/** A provider spoken to over HTTP/1.1, mounted below the sandbox's one port. */
export interface HttpStandIn extends FaultSource<StandInResponse> {
  readonly transport: 'http';
  /** Absent, as the label is, where nothing it takes is a message to anybody. */
  readonly look?: Look;
  /** What the inbox page calls the channel. */
  readonly label?: string;
  /** One path segment with its slash: `/fcm`. Everything below it belongs to the stand-in. */
  readonly mount: string;
  /** Where two share a mount: whether this path below it is its own. */
  readonly owns?: (path: string) => boolean;
  /** Base URLs that the product is configured with, by the X of `ENGAGE_X_URL`, as paths. */
  readonly urls: Readonly<Record<string, string>>;
  readonly bodyBytesMax: number;
  readonly namedFaults: readonly NamedFault<StandInResponse>[];
  receive(received: Received): Verdict | Promise<Verdict>;
  readonly controls?: readonly ControlRoute[];
  /** Ends what it does of its own accord. */
  readonly close?: () => void;
}

/** A provider with a wire of its own (SMTP; HTTP/2). */
export interface ListeningStandIn {
  readonly transport: 'listener';
  readonly channel: string;
  readonly look: Look;
  readonly label: string;
  /** The X of `ENGAGE_X_URL`. */
  readonly urlName: string;
  readonly namedFaults: readonly NamedFault<unknown>[];
  /**
   * Listens on `port` (0: any free one) and answers with its URL. Rejects when the port is taken.
   */
  listen(host: string, port: number): Promise<{ readonly url: string; close(): Promise<void> }>;
  readonly controls?: readonly ControlRoute[];
}

export type StandIn = HttpStandIn | ListeningStandIn;

/** An answer of JSON. */
export function jsonAnswer(
  status: number,
  body: unknown,
  headers: Readonly<Record<string, string>> = {},
): StandInResponse {
  return {
    status,
    headers: { 'content-type': 'application/json; charset=UTF-8', ...headers },
    body: JSON.stringify(body),
  };
}
