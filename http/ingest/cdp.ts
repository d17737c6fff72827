// `POST /i/cdp/:appId`, for Segment's and RudderStack's libraries. Outside the pipeline: callers
// send a write key, any content type, and gzip. The key is checked before inflating, unless it is
// in the body, as libraries in apps send it; and by the app's actor with every part. A partly
// accepted batch is a success: the sender could only drop or repeat it all.

import { setImmediate as breath } from 'node:timers/promises';
import { type CallType, callTypes, mapCall } from '../../actors/events/cdp/call.ts';
import {
  type CdpCall,
  type CdpError,
  type CdpReply,
  callsMax,
} from '../../actors/events/cdp/protocol.ts';
import { fault } from '../../actors/faults.ts';
import type { Answer } from '../../engine/actor/message.ts';
import { slotOf } from '../../engine/actor/placement.ts';
import { type Fault, FaultError } from '../../engine/base/fault.ts';
import { parseId } from '../../engine/base/id.ts';
import { basicOf } from '../call/admission/authenticate.ts';
import { callerKey } from '../call/admission/gate.ts';
import { answerHeaders, jsonType } from '../call/answer/answer-headers.ts';
import type { AnsweredCall } from '../call/answer/answered-call.ts';
import { errorAnswer } from '../call/answer/errors.ts';
import type { Edge } from '../call/edge.ts';
import {
  namedHash,
  noWriteKey,
  type PresentedKey,
  presentedHash,
  WriteKeyMemory,
} from '../call/keys/write-keys.ts';
import { OrgLine } from '../call/org-line.ts';
import type { Special } from '../call/pipeline.ts';
import { canonicalZone, isTimeZone } from '../call/schemas/schemas.ts';
import type { BodySink, HttpRequest, HttpResponder } from '../server/exchange.ts';
import { type CdpBody, inflated, readCalls } from './cdp-body.ts';

export const cdpPath = '/i/cdp/:appId';

/** The libraries append `/v1/batch`, `/b` and the like to the configured address. */
const pathForm = /^\/i\/cdp\/([^/]+?)(?:(?:\/v1)?\/([a-z]+))?\/?$/;
export const segmentPath = '/compat/segment/v1/:call';
const segmentForm =
  /^\/compat\/segment\/v1\/(identify|track|page|screen|group|alias|batch|import)\/?$/;

interface Named {
  readonly appId: string;
  /** Of the call, if the path names one. */
  readonly type: CallType | undefined;
  /** In place of the request's. */
  readonly authorization?: string;
}

const batchPaths: readonly (string | undefined)[] = [undefined, 'batch', 'b', 'import'];

/** Bodies read at a time and bodies waiting: at most 32 MiB and 256 MiB. Orgs take turns. */
const bodiesOfAll = {
  runningMax: 4,
  runningOfOwnerMax: 4,
  waitingMax: 256,
  waitingOfOwnerMax: 128,
  waitMs: 30_000,
};
const errorsShownMax = 100;

/** Serves customer-data platforms; `onAnswered` as for a route. */
export function cdpSpecial(edge: Edge, onAnswered: (call: AnsweredCall) => void): Special {
  const keys = new WriteKeyMemory(edge);
  const line = new OrgLine(
    bodiesOfAll,
    'too many batches are being read; nothing was stored and it is safe to retry',
  );
  return (request, response, requestId) => {
    if (request.method !== 'POST') return undefined;
    const named = namedIn(request.path) ?? segmentCall(request);
    if (named === undefined) return undefined;
    const startedMs = edge.clock.monotonic();
    const answer: Answering = (status, headers, body) => {
      response.send(status, [...answerHeaders(edge, requestId), ...headers, jsonType], body);
      const durMs = edge.clock.monotonic() - startedMs;
      const route = named.authorization === undefined ? cdpPath : segmentPath;
      onAnswered({ route, method: 'POST', status, lane: 'none', durMs });
    };
    const form = named.authorization === undefined ? 'own' : 'segment';
    const shown = named.authorization ?? request.header('authorization');
    return { sink: begin({ edge, keys, line, answer, requestId, form }, request, named, shown) };
  };
}

export function isCdpPath(path: string): boolean {
  return namedIn(path) !== undefined;
}

export function isSegmentPath(path: string): boolean {
  return segmentForm.test(path);
}

/**
 * A call of Segment's own paths, which name no app: the write key that its libraries are given is
 * the app id, a dot and our write key.
 */
function segmentCall(request: HttpRequest): Named | undefined {
  const tail = segmentForm.exec(request.path)?.[1];
  if (tail === undefined) return undefined;
  const { name } = basicOf(request.header('authorization'));
  const at = name.indexOf('.');
  const key = at < 0 ? '' : name.slice(at + 1);
  return {
    appId: name.slice(0, Math.max(0, at)),
    type: callTypes.find((known) => known === tail),
    authorization: `Basic ${Buffer.from(`${key}:`).toString('base64')}`,
  };
}

/** The app of a path, and the type of its call if named; undefined for other paths. */
function namedIn(path: string): Named | undefined {
  const match = pathForm.exec(path);
  if (match === null) return undefined;
  const [, appId = '', tail] = match;
  const type = callTypes.find((known) => known === tail);
  const isOurs = batchPaths.includes(tail) || type !== undefined;
  return isOurs ? { appId, type } : undefined;
}

type Answering = (
  status: number,
  headers: Parameters<HttpResponder['send']>[1],
  body: string,
) => void;

interface Desk {
  readonly edge: Edge;
  readonly keys: WriteKeyMemory;
  readonly line: OrgLine;
  readonly requestId: string;
  readonly answer: Answering;
  /** Of errors. */
  readonly form: 'own' | 'segment';
}

function begin(
  desk: Desk,
  request: HttpRequest,
  { appId, type }: Named,
  authorization: string,
): BodySink | undefined {
  const { edge, keys } = desk;
  const who = callerKey(edge, request);
  const ordinal = parseId('app', appId)?.ordinal;
  if (ordinal !== undefined && ordinal !== 0 && authorization === '')
    return keyInBody(desk, { ordinal, id: appId }, who, type, request.header('content-encoding'));
  const secretHash = presentedHash(authorization);
  if (ordinal === undefined || ordinal === 0 || secretHash === undefined) {
    refuse(desk, noWriteKey());
    return undefined;
  }
  const key: PresentedKey = { app: { ordinal, id: appId }, secretHash };
  const tooOften = keys.isKnown(key) ? undefined : unlisted(edge, who, key);
  if (tooOften !== undefined) {
    refuse(desk, tooOften);
    return undefined;
  }
  // A wrong key counts at once, since the body may never come.
  const judging = keys.isKnown(key)
    ? undefined
    : keys.look(key).then((isRight) => (isRight ? undefined : wrongKey(edge, who, key)));
  judging?.catch(() => undefined); // it may fail before the body comes; the sink answers it
  const encoding = request.header('content-encoding');
  return async (body) => {
    try {
      const refusal = await judging;
      if (refusal !== undefined) {
        refuse(desk, refusal);
        return;
      }
      const errors = await desk.line.run({ org: slotOf(ordinal) }, async () => {
        const bytes = await inflated(body, encoding);
        return take(desk, key, type, await readCalls(bytes), bytes.length);
      });
      desk.answer(200, [], answerText(errors));
    } catch (error) {
      refuseError(desk, key, who, error);
    }
  };
}

/** Of a body that is read before its key is known: as much as `/e` takes. */
const unprovenBytesMax = 1_048_576;

/** Reads a body for the key in it, within what its address may send without a key. */
function keyInBody(
  desk: Desk,
  app: PresentedKey['app'],
  who: string,
  type: CallType | undefined,
  encoding: string,
): BodySink {
  const { edge, keys } = desk;
  let key: PresentedKey = { app, secretHash: noHash };
  const judged = async (body: Buffer): Promise<Fault | readonly CdpError[]> => {
    const tooOften =
      edge.admission.failedTooOften(who, app.id) ??
      edge.admission.keylessBytes(who, app.ordinal, body.length);
    if (tooOften !== undefined) return tooOften;
    const bytes = await inflated(body, encoding, unprovenBytesMax);
    const read = await readCalls(bytes);
    const secretHash = namedHash(read.writeKey);
    if (secretHash === undefined) return noWriteKey();
    key = { app, secretHash };
    const unknown = keys.isKnown(key) ? undefined : unlisted(edge, who, key);
    if (unknown !== undefined) return unknown;
    if (!keys.isKnown(key) && !(await keys.look(key))) return wrongKey(edge, who, key);
    const org = slotOf(app.ordinal);
    return desk.line.run({ org }, () => take(desk, key, type, read, bytes.length));
  };
  return async (body) => {
    try {
      const result = await judged(body);
      if ('code' in result) refuse(desk, result);
      else desk.answer(200, [], answerText(result));
    } catch (error) {
      refuseError(desk, key, who, error);
    }
  };
}

const noHash = new Uint8Array(32);

/** Why a key that nobody is known to have is not looked up. */
function unlisted({ admission, credentials }: Edge, who: string, key: PresentedKey) {
  if (credentials.has(key.app.id, key.secretHash)) return undefined;
  return admission.failedTooOften(who, key.app.id) ?? admission.lookUp(who);
}

/** Counts a wrong key of the app for its address. */
function wrongKey({ admission }: Edge, who: string, { app }: PresentedKey): Fault {
  const tooOften = admission.failedTooOften(who, app.id);
  if (tooOften === undefined) admission.countFailure(who, app.id);
  return tooOften ?? noWriteKey();
}

/** Passes a body's calls to the app in parts, each durable before the next. */
async function take(
  { edge }: Desk,
  key: PresentedKey,
  type: CallType | undefined,
  { calls: read, sentAtMs }: CdpBody,
  bytes: number,
): Promise<readonly CdpError[]> {
  const receivedMs = edge.clock.now();
  const calls: CdpCall[] = [];
  const errors: CdpError[] = [];
  for (const [index, one] of read.entries()) {
    if (index % callsMax === callsMax - 1) await breath();
    if ('problem' in one) {
      errors.push({ index, error: one.problem });
      continue;
    }
    const mapped = mapCall(one.value, { index, type, receivedMs, sentAtMs, zoneNamed });
    if (mapped.outcome === 'ignored') errors.push({ index, error: mapped.error });
    if (mapped.outcome !== 'accepted') continue;
    calls.push(mapped.call);
    for (const error of mapped.skipped) errors.push({ index, error });
  }
  const bytesEach = Math.ceil(bytes / Math.max(1, read.length));
  for (let from = 0; from < calls.length; ) {
    const part = calls.slice(from, from + callsMax);
    const { app, secretHash } = key;
    const message = { kind: 'cdp.take', by: -1, namedApp: app.id, secretHash, calls: part };
    const options = { lane: 'bulk', weight: bytesEach * part.length } as const;
    const taken = valueIn<CdpReply>(await edge.router.ask(app.ordinal, message, options));
    errors.push(...taken.errors);
    from += taken.handled;
  }
  return errors.sort((a, b) => a.index - b.index);
}

function zoneNamed(text: string): string | undefined {
  return isTimeZone(text) ? canonicalZone(text) : undefined;
}

function valueIn<Value>(answer: Answer): Value {
  if (!answer.ok) throw new FaultError(answer.fault);
  return answer.value as Value;
}

/** What these services answer; further fields only if there are errors. */
function answerText(errors: readonly CdpError[]): string {
  if (errors.length === 0) return '{"success":true}\n';
  const shown = errors.slice(0, errorsShownMax);
  return `${JSON.stringify({ success: true, problems: errors.length, errors: shown })}\n`;
}

function refuseError(desk: Desk, key: PresentedKey, who: string, error: unknown): void {
  const { edge, keys, requestId } = desk;
  if (!(error instanceof FaultError)) {
    const fields = { evt: 'http.bug', route: cdpPath, requestId, err: error };
    edge.log.error(fields, 'processing a customer data platform batch threw');
    refuse(desk, fault('internal', 'something went wrong inside Engage'));
    return;
  }
  const { code } = error.fault;
  if (code === 'unauthorized' || code === 'not_found') {
    // The key or the app was deleted after the first check.
    keys.forget(key);
    refuse(desk, wrongKey(edge, who, key));
  } else refuse(desk, error.fault);
}

function refuse(desk: Desk, refusal: Fault): void {
  const form = { success: false, message: refusal.message };
  const { status, headers, body } = errorAnswer(
    refusal,
    'Basic',
    desk.form === 'segment' ? form : {},
  );
  desk.answer(status, headers, body);
}
