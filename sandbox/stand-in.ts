// The interface of every stand-in. An HTTP stand-in maps a request to a verdict; the shell
// (http-shell.ts) plays faults, records and responds. Other protocols listen themselves. A new
// provider is one file that returns a StandIn and one line in providers.ts.

import type { IncomingHttpHeaders } from 'node:http';
import type { Millis } from '../engine/base/brand.ts';
import type { Clock } from '../engine/time/clock.ts';
import type { ControlRoute } from './control-route.ts';
import type { Zone } from './dns/zone.ts';
import type { FaultRules, FaultSource, NamedFault } from './faults.ts';
import type { Ledger } from './ledger.ts';
import type { Look, ReceivedMessage } from './message.ts';

export interface World {
  readonly ledger: Ledger;
  readonly faults: FaultRules;
  readonly clock: Clock;
  /** The records of the stand-in resolver. */
  readonly zone: Zone;
  /** Where the product receives bounces. */
  readonly bounceAddress?: { readonly host: string; readonly port: number };
  /** Where stand-ins keep what a restart must not forget; absent: nowhere. */
  readonly kept?: { readonly directory: string; readonly log: (line: string) => void };
  /** Where the product receives Stripe's events, and the secret that signs them. */
  readonly stripeWebhook?: { readonly url?: string; readonly secret: string };
  /** The product that started it, for the page to try the web SDK. */
  readonly tryPlace?: TryPlace;
  /** The sandbox's base URL without a final slash, known once it listens. */
  url(): string;
}

/** What the sandbox knows of the product that started it. */
export interface TryPlace {
  /** `http://127.0.0.1:8400`. */
  readonly engageUrl: string;
  /** Where the product keeps the id and the key of its demo app; it may not be there. */
  readonly envFile: string;
}

export interface Received {
  readonly method: string;
  /** After the mount, without the query: `/v1/projects/p/messages:send`. */
  readonly path: string;
  /** Without the question mark; may be empty. */
  readonly query: string;
  readonly headers: IncomingHttpHeaders;
  /** At most `bodyBytesMax` of the stand-in. */
  readonly body: Buffer;
  /** Scheme, host and port that the caller used. */
  readonly origin: string;
  readonly nowMs: Millis;
}

/** `headers` names are lower case; the shell adds the length. */
export interface StandInResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
  /** A 200 whose body is a refusal, as some providers send. */
  readonly isRefusal?: true;
}

export interface Verdict {
  /** Sent unless a fault replaces it; faults replace only acceptances. */
  readonly answer: StandInResponse;
  /** For fault rules; absent if refused before it is known. */
  readonly to?: string;
  /** The part of `to` that may name a fault: a local part, a subscription's id. */
  readonly name?: string;
  /** For the inbox; absent for calls that are no messages to people. */
  readonly message?: Pick<ReceivedMessage, 'sendId' | 'deviceId' | 'read'> &
    Partial<Pick<ReceivedMessage, 'look'>>;
  /** Further recipients of a call with several, each a message of its own in the inbox. */
  readonly others?: readonly Required<Pick<Verdict, 'to' | 'message'>>[];
  /** Called when the call took effect: accepted, or read but unanswered. Not for a refusal. */
  readonly taken?: () => void;
  /** Called once `answer` was sent; not if a fault replaced it. */
  readonly accepted?: () => void;
}

/** A provider on HTTP/1.1, mounted below the sandbox's one port. */
export interface HttpStandIn extends FaultSource<StandInResponse> {
  readonly transport: 'http';
  /** Absent, like the label, if no call is a message to a person. */
  readonly look?: Look;
  /** The channel's name on the inbox page. */
  readonly label?: string;
  /** One path segment with its slash: `/fcm`. The stand-in owns all below it. */
  readonly mount: string;
  /** If two share a mount: whether it owns this path. */
  readonly owns?: (path: string) => boolean;
  /** Base paths by the X of `ENGAGE_X_URL`. */
  readonly urls: Readonly<Record<string, string>>;
  readonly bodyBytesMax: number;
  readonly namedFaults: readonly NamedFault<StandInResponse>[];
  receive(received: Received): Verdict | Promise<Verdict>;
  readonly controls?: readonly ControlRoute[];
  readonly close?: () => void;
}

/** A provider with its own protocol (SMTP, HTTP/2). */
export interface ListeningStandIn {
  readonly transport: 'listener';
  readonly channel: string;
  readonly look: Look;
  readonly label: string;
  /** The X of `ENGAGE_X_URL`. */
  readonly urlName: string;
  readonly namedFaults: readonly NamedFault<unknown>[];
  /** `port` 0 picks a free one. Rejects if the port is in use. */
  listen(host: string, port: number): Promise<{ readonly url: string; close(): Promise<void> }>;
  readonly controls?: readonly ControlRoute[];
}

export type StandIn = HttpStandIn | ListeningStandIn;

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
