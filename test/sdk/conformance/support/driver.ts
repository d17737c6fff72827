// How the runner drives an SDK, in whatever language: one command at a time, each answered once the
// SDK has nothing more to do without an answer of the server or without time that passes.

import type { Json, JsonObject } from './script.ts';

export interface MadeRequest {
  readonly id: number;
  readonly method: string;
  readonly url: string;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body?: string;
}

/** What the SDK did since the last command. */
export interface Report {
  readonly requests: readonly MadeRequest[];
  /** Calls that ended, by the name that the command gave them. */
  readonly ends: readonly {
    readonly as: string;
    readonly value?: Json;
    readonly error?: JsonObject;
  }[];
  readonly heard: readonly { readonly name: string; readonly value: Json }[];
}

/** What the server answered; `null` if nobody did. */
export interface GivenAnswer {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly text: string;
}

export interface Driver {
  /** Begins a process of the SDK, with what an earlier one of this device has stored. */
  open(): Promise<Report>;
  call(as: string, name: string, named: JsonObject): Promise<Report>;
  answer(id: number, answer: GivenAnswer | null): Promise<Report>;
  /** Lets time pass: timers that are due fire, each at its time. */
  pass(ms: number): Promise<Report>;
  /** Something happens to the device: `{online: true}`, `{clockMs: 86400000}`, `{token: …}`. */
  device(change: JsonObject): Promise<Report>;
  /** `{subscriberId, externalUserId, waiting}` as stored, without asking anybody. */
  state(): Promise<JsonObject>;
  end(): Promise<void>;
}

export interface Device {
  /** The device's clock at its start, in milliseconds since 1970. */
  readonly startMs: number;
  readonly appId: string;
}

/** An SDK that scripts can be run on. */
export interface Sdk {
  readonly name: string;
  readonly can: ReadonlySet<string>;
  start(device: Device): Promise<Driver>;
}
