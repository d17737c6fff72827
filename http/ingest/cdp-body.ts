// Splits a platform's body into calls: gzip or not, a batch, a list or a single call. It may
// inflate to 8 MiB, which would block the thread if parsed at once, so a scanner cuts it and each
// call is parsed alone, with pauses. Invalid JSON refuses the whole body before anything is stored;
// excess depth or a forbidden key is that call's error only.

import { setImmediate as breath } from 'node:timers/promises';
import { promisify } from 'node:util';
import { gunzip } from 'node:zlib';
import { nestingMax } from '../../actors/events/ingest/event-schema.ts';
import { fault } from '../../actors/faults.ts';
import { limits } from '../../actors/limits.ts';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import { FaultError } from '../../engine/base/fault.ts';
import { parseInstant } from '../../engine/time/instant.ts';
import { guardJson } from '../call/body/json-guard.ts';

/** Source: contract, section 10. */
const inflatedBytesMax: Bytes = 8 * 1_048_576;

/** Bytes parsed between two pauses: about 2 ms. */
const sliceBytes: Bytes = 256 * 1024;

/** One call of a body: its value, or its problem. */
type ReadCall = { readonly value: unknown } | { readonly problem: string };

export interface CdpBody {
  readonly calls: readonly ReadCall[];
  /** By the sender's clock. */
  readonly sentAtMs: Millis | undefined;
  /** Libraries in apps send it here, without a header. */
  readonly writeKey: unknown;
}

const inflate = promisify(gunzip);

/** Throws a fault. */
export async function inflated(
  body: Buffer,
  encoding: string,
  bytesMax: Bytes = inflatedBytesMax,
): Promise<Buffer> {
  const isGzip = body.length > 1 && body[0] === 0x1f && body[1] === 0x8b;
  if (!/^(|identity|gzip|x-gzip)$/i.test(encoding.trim())) {
    throw new FaultError(
      fault('unsupported_media_type', 'content-encoding: expected gzip, or none'),
    );
  }
  if (!isGzip) {
    if (!/gzip$/i.test(encoding.trim())) return body;
    throw malformed('content-encoding is gzip, but the body is not gzip');
  }
  try {
    return await inflate(body, { maxOutputLength: bytesMax });
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') {
      throw new FaultError(fault('body_too_large', `body: expands to more than ${bytesMax} bytes`));
    }
    throw malformed('corrupt gzip data');
  }
}

/** Throws a fault if it is not JSON, or nothing that a platform sends. */
export async function readCalls(bytes: Buffer): Promise<CdpBody> {
  const reader = new BodyReader(bytes);
  if (reader.startsWith(openBracket)) {
    const calls = await reader.list();
    reader.end();
    return { calls, sentAtMs: undefined, writeKey: undefined };
  }
  const start = reader.place;
  const { calls, sentAt, writeKey } = await reader.object();
  const end = reader.place;
  reader.end();
  const sentAtMs = typeof sentAt === 'string' ? parseInstant(sentAt) : undefined;
  return { calls: calls ?? [reader.parse(start, end)], sentAtMs, writeKey };
}

const quote = 0x22;
const backslash = 0x5c;
const comma = 0x2c;
const colon = 0x3a;
const openBracket = 0x5b;
const closeBracket = 0x5d;
const openBrace = 0x7b;
const closeBrace = 0x7d;

/** Walks the outermost list or object, and passes its values to the parser. */
class BodyReader {
  readonly #bytes: Buffer;
  #at = 0;
  #sinceBreath = 0;

  constructor(bytes: Buffer) {
    this.#bytes = bytes;
    this.#skipSpace();
  }

  get place(): number {
    return this.#at;
  }

  startsWith(byte: number): boolean {
    return this.#bytes[this.#at] === byte;
  }

  /** Only whitespace may follow. */
  end(): void {
    this.#skipSpace();
    if (this.#at < this.#bytes.length)
      throw malformed('not valid JSON: unexpected data after the end');
  }

  async list(): Promise<ReadCall[]> {
    const calls: ReadCall[] = [];
    this.#take(openBracket);
    if (this.#isNext(closeBracket)) return calls;
    do {
      const start = this.#at;
      this.#skipValue();
      calls.push(this.parse(start, this.#at));
      await this.#breathe(this.#at - start);
    } while (this.#another(closeBracket));
    return calls;
  }

  /** The batch fields of the object here. The last of repeated fields counts. */
  async object(): Promise<{
    readonly calls: readonly ReadCall[] | undefined;
    readonly sentAt: unknown;
    readonly writeKey: unknown;
  }> {
    let calls: readonly ReadCall[] | undefined;
    let sentAt: unknown;
    let writeKey: unknown;
    const others: (readonly [start: number, end: number])[] = [];
    this.#take(openBrace);
    if (this.#isNext(closeBrace)) return { calls, sentAt, writeKey };
    do {
      const keyStart = this.#at;
      if (!this.startsWith(quote)) throw malformed('not valid JSON');
      this.#skipValue();
      const key = this.#parseOwn(keyStart, this.#at);
      this.#skipSpace();
      this.#take(colon);
      if (key === 'batch' && this.startsWith(openBracket)) {
        calls = await this.list();
        continue;
      }
      const start = this.#at;
      this.#skipValue();
      if (key === 'batch') throw malformed('expected an array of calls', 'batch');
      if (key === 'sentAt') sentAt = this.#parseOwn(start, this.#at);
      else if (key === 'writeKey') writeKey = this.#parseOwn(start, this.#at);
      else others.push([start, this.#at]);
    } while (this.#another(closeBrace));
    // Without a batch the object is a call itself.
    if (calls !== undefined) for (const [start, end] of others) this.#parseOwn(start, end);
    return { calls, sentAt, writeKey };
  }

  /** A slice's value. Throws for invalid JSON; what breaks our own rules is that call's problem. */
  parse(start: number, end: number): ReadCall {
    const slice = this.#bytes.subarray(start, end);
    const guarded = guardJson(slice, { depth: nestingMax + 1, nodes: limits.jsonNodesMax });
    if (!guarded.ok) {
      if (guarded.problem === 'not valid UTF-8') throw malformed(guarded.problem);
      return { problem: `event: ${guarded.problem}` };
    }
    return { value: parsed(slice) };
  }

  #parseOwn(start: number, end: number): unknown {
    const slice = this.#bytes.subarray(start, end);
    const guarded = guardJson(slice, { depth: limits.jsonDepthMax, nodes: limits.jsonNodesMax });
    if (!guarded.ok) throw malformed(guarded.problem);
    return parsed(slice);
  }

  async #breathe(bytes: number): Promise<void> {
    this.#sinceBreath += bytes;
    if (this.#sinceBreath < sliceBytes) return;
    this.#sinceBreath = 0;
    await breath();
  }

  #take(byte: number): void {
    if (this.#bytes[this.#at] !== byte) throw malformed('not valid JSON');
    this.#at++;
    this.#skipSpace();
  }

  #isNext(byte: number): boolean {
    if (this.#bytes[this.#at] !== byte) return false;
    this.#at++;
    return true;
  }

  /** True for a comma, false for `close`. */
  #another(close: number): boolean {
    this.#skipSpace();
    if (this.#isNext(close)) return false;
    this.#take(comma);
    return true;
  }

  /** Skips the value here. The parser checks its inside. */
  #skipValue(): void {
    const bytes = this.#bytes;
    let depth = 0;
    const start = this.#at;
    for (let at = start; at < bytes.length; at++) {
      const byte = bytes[at] as number;
      if (byte === quote) {
        for (at++; at < bytes.length && bytes[at] !== quote; at++)
          if (bytes[at] === backslash) at++;
        if (depth > 0) continue;
        this.#at = Math.min(at + 1, bytes.length);
        return;
      }
      if (byte === openBrace || byte === openBracket) depth++;
      else if (byte === closeBrace || byte === closeBracket) {
        depth--;
        if (depth > 0) continue;
        this.#at = depth === 0 ? at + 1 : at;
        if (this.#at === start) throw malformed('not valid JSON');
        return;
      } else if (depth === 0 && (byte === comma || isSpace(byte))) {
        this.#at = at;
        if (at === start) throw malformed('not valid JSON');
        return;
      }
    }
    if (depth > 0 || start === bytes.length) throw malformed('not valid JSON: unexpected end');
    this.#at = bytes.length;
  }

  #skipSpace(): void {
    while (this.#at < this.#bytes.length && isSpace(this.#bytes[this.#at] as number)) this.#at++;
  }
}

function isSpace(byte: number): boolean {
  return byte === 0x20 || byte === 0x0a || byte === 0x0d || byte === 0x09;
}

function parsed(slice: Buffer): unknown {
  try {
    return JSON.parse(slice.toString('utf8'));
  } catch {
    throw malformed('not valid JSON');
  }
}

function malformed(problem: string, field = 'body'): FaultError {
  return new FaultError(fault('invalid_json', `${field}: ${problem}`, { field }));
}
