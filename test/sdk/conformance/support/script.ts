// The conformance scripts as the runner reads them. `sdk/conformance/script.schema.json` says the
// same to editors and to SDKs in other languages; the test holds every script against it.

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { root } from '../../../support/places.ts';

export type Json = null | boolean | number | string | readonly Json[] | JsonObject;
export interface JsonObject {
  readonly [name: string]: Json;
}

/** What the server answers; as a pattern for a real one, in which unlisted members are free. */
interface AnswerPattern {
  readonly status: number;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /** A real server is not asked: what answers is a proxy, a limit, or a state out of reach. */
  readonly given?: true;
}

/** A call that the SDK must make, and what it gets. */
export interface Exchange {
  readonly request: string;
  readonly query?: Readonly<Record<string, string>>;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: Json;
  /**
   * `unreachable`: the server never hears it. `lost`: it does, and the SDK gets no answer. `never`:
   * the SDK still waits when its process ends.
   */
  readonly answer: AnswerPattern | 'unreachable' | 'lost' | 'never';
}

/** A call with an API key, which only a real server gets. */
export interface ServerCall {
  readonly request: string;
  readonly body?: Json;
  /** 2xx if absent. */
  readonly status?: number;
  /** Asked again until it holds. */
  readonly answer?: Json;
}

export interface Outcome {
  readonly value?: Json;
  readonly error?: JsonObject;
}

export type Step =
  | ({
      readonly call: string;
      readonly with?: JsonObject;
      readonly as?: string;
      readonly times?: number;
    } & Outcome)
  | { readonly http: readonly Exchange[] }
  | ({ readonly ends: string } & Outcome)
  | { readonly heard: string; readonly value: Json }
  | { readonly pass: number }
  | { readonly restart: true }
  | { readonly device: JsonObject }
  | { readonly state: JsonObject }
  | { readonly server: readonly ServerCall[] };

export interface Script {
  readonly title: string;
  /** What the SDK must be able to do beyond the core. */
  readonly needs?: readonly string[];
  /** Settings of the app. */
  readonly settings?: JsonObject;
  readonly steps: readonly Step[];
}

const folder = join(root, 'sdk/conformance/scripts');

/** By name, without the ending. */
export function allScripts(): readonly (readonly [name: string, script: Script])[] {
  return readdirSync(folder)
    .sort()
    .map((file) => [file.replace('.json', ''), parsed(join(folder, file))] as const);
}

function parsed(path: string): Script {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Script;
  } catch (error) {
    throw new Error(`${path}: ${(error as Error).message}`);
  }
}

/** How long the whole script takes by the clock of the device. */
export function passingMs({ steps }: Script): number {
  return steps.reduce((sum, step) => sum + ('pass' in step ? step.pass : 0), 0);
}
