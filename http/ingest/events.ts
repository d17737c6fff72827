// `POST /e`, outside the pipeline as the hottest path: find the app, pass the bytes to its owner,
// answer once the accepted events are durable. Calls with a key have no limit, calls without one
// the limits per address. A client token is no key: it only proves who the person is.

import { findAppId, hasNoAppId } from '../../actors/events/ingest/find-app-id.ts';
import { notAnObject } from '../../actors/events/ingest/slow-path.ts';
import type { IngestReply } from '../../actors/events/protocol.ts';
import { fault, notFound } from '../../actors/faults.ts';
import { limits } from '../../actors/limits.ts';
import { isClientTokenForm } from '../../actors/people/identity/client-token.ts';
import type { KeylessQuota } from '../../actors/people/keyless.ts';
import { requestBoundsMs } from '../../actors/runtime/metrics.ts';
import type { KeyGrant } from '../../actors/tenants/accounts/protocol.ts';
import type { Answer } from '../../engine/actor/message.ts';
import { type Fault, FaultError, fieldFault } from '../../engine/base/fault.ts';
import { parseId } from '../../engine/base/id.ts';
import { type Durations, noDurations, noteDuration } from '../../engine/observe/durations.ts';
import { bearer } from '../call/admission/authenticate.ts';
import { callerKey, unlisted, wrongKey } from '../call/admission/gate.ts';
import { roomOf } from '../call/admission/held-room.ts';
import { answerHeaders, jsonType, openToPages } from '../call/answer/answer-headers.ts';
import { errorAnswer, namedBy } from '../call/answer/errors.ts';
import { present } from '../call/answer/present.ts';
import { warningsHeader } from '../call/answer/warnings.ts';
import { isStrict, parseJson } from '../call/body/input.ts';
import type { Edge } from '../call/edge.ts';
import type { Special } from '../call/pipeline.ts';
import type { BodySink, HeaderList, HttpRequest, HttpResponder } from '../server/exchange.ts';
import { JoinedEvents } from './joined-events.ts';

export interface IngestFigures {
  /** Responses by status. */
  readonly counts: Map<number, number>;
  readonly times: Durations;
}

export function noIngestFigures(): IngestFigures {
  return { counts: new Map(), times: noDurations(requestBoundsMs) };
}

/** Collects figures of the responses. */
export function ingestSpecial(edge: Edge, figures: IngestFigures): Special {
  const joined = new JoinedEvents(edge.router);
  return (request, response, requestId) => {
    if (request.path !== '/e' || request.method !== 'POST') return undefined;
    return { sink: begin(edge, joined, request, counted(edge, response, figures), requestId) };
  };
}

/** Here a metric costs only a count; the numbers are collected when metrics are read. */
function counted(
  { clock }: Edge,
  response: HttpResponder,
  { counts, times }: IngestFigures,
): Answering {
  const startedMs = clock.monotonic();
  return {
    send: (status, headers, body) => {
      counts.set(status, (counts.get(status) ?? 0) + 1);
      noteDuration(times, clock.monotonic() - startedMs);
      response.send(status, headers, body);
    },
  };
}

type Answering = Pick<HttpResponder, 'send'>;

function begin(
  edge: Edge,
  joined: JoinedEvents,
  request: HttpRequest,
  response: Answering,
  requestId: string,
): BodySink | undefined {
  const token = bearer(request.header('authorization'));
  const headers = [...answerHeaders(edge, requestId), ...openToPages, jsonType];
  const refuse = (refusal: Fault) => {
    const answer = errorAnswer(refusal);
    response.send(answer.status, [...headers, ...answer.headers], answer.body);
  };
  const strict = strictness(request);
  if (typeof strict === 'object') {
    refuse(strict);
    return undefined;
  }
  const take = (body: Uint8Array, sender: Sender) =>
    pass(edge, joined, body, { ...sender, strict }, headers, response, refuse);
  const clientToken = isClientTokenForm(token) ? token : undefined;
  if (token === '' || clientToken !== undefined) {
    const who = callerKey(edge, request);
    const refusal = edge.admission.address(who);
    if (refusal !== undefined) {
      refuse(refusal);
      return undefined;
    }
    return (body) => take(body, { keyless: { who, clientToken } });
  }
  const known = edge.authenticator.known(token);
  if (known !== undefined) {
    const refusal =
      known === null ? wrongKey(edge, callerKey(edge, request), token) : scopeProblem(known);
    if (refusal !== undefined) {
      refuse(refusal);
      return undefined;
    }
    return (body) => take(body, { grant: known ?? undefined });
  }
  const who = callerKey(edge, request);
  const answer = unlisted(edge, token, () => who);
  if (answer !== undefined) {
    refuse(answer.refusal ?? wrongKey(edge, who, token));
    return undefined;
  }
  // A wrong key counts at once, since the body may never come.
  const judging = edge.authenticator.look(token).then((grant) => ({
    grant: grant ?? undefined,
    refusal: grant === null ? wrongKey(edge, who, token) : scopeProblem(grant),
  }));
  judging.catch(() => undefined); // it may fail before the body comes; the sink answers it
  return async (body) => {
    try {
      const { grant, refusal } = await judging;
      if (refusal !== undefined) refuse(refusal);
      else take(body, { grant });
    } catch (error) {
      refuse(error instanceof FaultError ? error.fault : fault('internal', 'internal error'));
    }
  };
}

/** An API key's owner, or an address with an optional client token. */
interface Sender {
  readonly grant?: KeyGrant | undefined;
  readonly keyless?: { readonly who: string; readonly clientToken: string | undefined };
}

interface NamedApp {
  readonly ordinal: number;
  readonly id?: string;
}

function scopeProblem(grant: KeyGrant): Fault | undefined {
  return grant.scopes.includes('write')
    ? undefined
    : fault('forbidden', 'this key lacks the scope write');
}

/** Whether unknown members are refused, or a fault. */
function strictness(request: HttpRequest): boolean | Fault {
  try {
    return isStrict(request);
  } catch (error) {
    if (error instanceof FaultError) return error.fault;
    throw error;
  }
}

function pass(
  edge: Edge,
  joined: JoinedEvents,
  body: Uint8Array,
  { grant, keyless, strict }: Sender & { readonly strict: boolean },
  headers: HeaderList,
  response: Answering,
  refuse: (refusal: Fault) => void,
): void {
  const app = appOf(body, grant);
  if ('code' in app) {
    refuse(app);
    return;
  }
  const { admission } = edge;
  const tooMuch = keyless && admission.keylessBytes(keyless.who, app.ordinal, body.byteLength);
  if (tooMuch) {
    refuse(tooMuch);
    return;
  }
  const message = {
    kind: 'events.ingest',
    by: grant?.org ?? -1,
    ...(app.id === undefined ? {} : { namedApp: app.id }),
    keyless: keyless !== undefined,
    ...(strict ? { strict } : {}),
    ...(keyless?.clientToken === undefined ? {} : { clientToken: keyless.clientToken }),
    ...(keyless && present({ names: admission.nameQuota(keyless.who, app.ordinal) })),
  };
  const ask = (room: KeylessQuota | undefined, onAnswer: (created: number) => void) => {
    const answered = (answer: Answer) => {
      onAnswer(answer.ok ? (answer.value as IngestReply).keylessCreated : 0);
      if (answer.ok) {
        const reply = answer.value as IngestReply;
        if (reply.repeated > 0) edge.countDuplicates?.('event_id', reply.repeated);
        if (keyless) admission.countEvents(keyless.who, app.ordinal, reply);
        response.send(202, replyHeaders(headers, reply), replyText(reply));
      } else refuse(app.id === undefined ? answer.fault : namedBy('appId', 'app', answer.fault));
    };
    if (!keyless && !strict && joined.add(app.ordinal, message, body, answered)) return;
    const asked = { ...message, ...(room === undefined ? {} : { room }) };
    edge.router.askThen(app.ordinal, asked, { lane: 'bulk', bytes: body }, answered);
  };
  const people = keyless === undefined ? 0 : peopleAtMost(body);
  if (keyless === undefined || people === 0) ask(undefined, nothing);
  else
    admission.holdPeople(keyless.who, app.ordinal, people, (hold) =>
      ask(roomOf(hold), (created) => admission.releasePeople(hold, created)),
    );
}

const nothing = () => undefined;
const externalKey = Buffer.from('"externalUserId"');
const backslash = 0x5c;

/**
 * How many people a body's events could create, up to the address limit per minute. A person named
 * twice counts twice. An escape may hide a field's name, so it allows any number.
 */
function peopleAtMost(body: Uint8Array): number {
  const bytes = Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  if (bytes.includes(backslash)) return limits.keylessPeoplePerAddress;
  let count = 0;
  for (let at = bytes.indexOf(externalKey); at >= 0; at = bytes.indexOf(externalKey, at + 1)) {
    if (++count === limits.keylessPeoplePerAddress) break;
  }
  return count;
}

/** The app from the body, else the key's own. The app's actor checks that the key may reach it. */
function appOf(body: Uint8Array, grant: KeyGrant | undefined): NamedApp | Fault {
  let id = findAppId(body);
  const ownApp = grant?.app ?? null;
  // The owner checks each event alone; parsed here, one bad number would refuse the whole body.
  if (id === undefined && ownApp !== null && hasNoAppId(body)) return { ordinal: ownApp };
  if (id === undefined) {
    try {
      const parsed = parseJson(body);
      if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed))
        return fieldFault('body', notAnObject(parsed));
      const appId = 'appId' in parsed ? (parsed.appId ?? undefined) : undefined;
      if (typeof appId === 'string') id = appId;
      else if (appId !== undefined) return fieldFault('appId', 'expected an app id');
    } catch (error) {
      if (error instanceof FaultError) return error.fault;
      throw error;
    }
  }
  if (id === undefined) {
    if (ownApp !== null) return { ordinal: ownApp };
    return fieldFault('appId', 'expected an app id; only an app-scoped key may omit it');
  }
  const parts = parseId('app', id);
  const isTheirs = grant === undefined || grant.app === null || grant.app === parts?.ordinal;
  if (parts === undefined || !isTheirs) return namedBy('appId', 'app', notFound('app'));
  return { ordinal: parts.ordinal, id };
}

function replyText(reply: IngestReply): string {
  const { accepted, rejected, errors, unknown } = reply;
  if (errors.length === 0 && unknown === undefined)
    return `{"accepted":${accepted},"rejected":0,"errors":[]}\n`;
  const warnings = unknown?.map(({ field, warning }) => ({ field, warning }));
  return `${JSON.stringify({ accepted, rejected, errors, warnings })}\n`;
}

function replyHeaders(headers: HeaderList, { unknown }: IngestReply): HeaderList {
  if (unknown === undefined) return headers;
  return [...headers, [warningsHeader, String(unknown.length)]];
}
