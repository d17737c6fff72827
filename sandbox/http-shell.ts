// Serves HTTP stand-ins: reads, asks, plays a fault, responds, records. Hot in benchmarks.

import type { IncomingMessage, ServerResponse } from 'node:http';
import { chooseFault } from './faults.ts';
import type { HttpStandIn, StandInResponse, Verdict, World } from './stand-in.ts';

/** Lower statuses count as accepted. */
const refusedFrom = 300;

/** `path` and `query` follow the mount. Resolves once answered or failed; rejects for a bug. */
export async function serveStandIn(
  standIn: HttpStandIn,
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  path: string,
  query: string,
): Promise<void> {
  const body = await readBody(request, standIn.bodyBytesMax);
  if (body === 'aborted') return;
  if (body === 'too_large') {
    response.shouldKeepAlive = false;
    sendAnswer(response, standIn.refusal(413, undefined));
    world.ledger.counts.addCall(standIn.channel, 'refused');
    return;
  }
  const verdict = await standIn.receive({
    method: request.method ?? 'GET',
    path,
    query,
    headers: request.headers,
    body,
    origin: `http://${request.headers.host ?? ''}`,
    nowMs: world.clock.now(),
  });
  if (verdict.to === undefined || refuses(verdict.answer)) {
    finish(standIn, world, request, response, body, verdict, verdict.answer, undefined);
    return;
  }
  const played = chooseFault(standIn, world.faults, verdict.to, verdict.name ?? '');
  const fault = played?.fault;
  switch (played?.effect.kind) {
    case undefined:
      finish(standIn, world, request, response, body, verdict, verdict.answer, fault);
      return;
    case 'reply':
      finish(standIn, world, request, response, body, verdict, played.effect.reply, fault);
      return;
    case 'slow':
      await pause(played.effect.delayMs, response);
      finish(
        standIn,
        world,
        request,
        response,
        body,
        verdict,
        response.destroyed ? undefined : verdict.answer,
        fault,
      );
      return;
    case 'drop':
      request.socket.destroy();
      finish(standIn, world, request, response, body, verdict, undefined, fault);
      if (played.effect.isTaken) verdict.accepted?.();
      return;
    case 'hang':
      finish(standIn, world, request, response, body, verdict, undefined, fault);
      return;
  }
}

export function sendAnswer(
  response: ServerResponse,
  answer: Omit<StandInResponse, 'body'> & { readonly body: string | Uint8Array },
): void {
  response.writeHead(answer.status, {
    ...answer.headers,
    'content-length': Buffer.byteLength(answer.body),
  });
  response.end(answer.body);
}

/** The body, or `too_large` (reading stops) or `aborted` (the caller disconnected). */
export function readBody(
  request: IncomingMessage,
  bytesMax: number,
): Promise<Buffer | 'too_large' | 'aborted'> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let bytes = 0;
    request.on('data', (chunk: Buffer) => {
      bytes += chunk.length;
      if (bytes <= bytesMax) chunks.push(chunk);
      else resolve('too_large');
    });
    request.on('end', () => {
      const [first] = chunks;
      resolve(chunks.length === 1 && first ? first : Buffer.concat(chunks));
    });
    request.on('close', () => resolve('aborted'));
  });
}

function finish(
  standIn: HttpStandIn,
  world: World,
  request: IncomingMessage,
  response: ServerResponse,
  body: Buffer,
  verdict: Verdict,
  answer: StandInResponse | undefined,
  fault: string | undefined,
): void {
  const { to, message } = verdict;
  if (answer === undefined || !refuses(answer)) verdict.taken?.();
  if (answer) sendAnswer(response, answer);
  if (answer === verdict.answer && !refuses(answer)) verdict.accepted?.();
  const outcome = answer ? (refuses(answer) ? 'refused' : 'accepted') : 'unanswered';
  if (message === undefined) {
    world.ledger.counts.addCall(standIn.channel, outcome);
    return;
  }
  const exchange = {
    request: `${request.method} ${request.url} HTTP/${request.httpVersion}`,
    requestHeaders: request.rawHeaders,
    requestBody: body,
    ...(answer && { answer }),
  };
  for (const one of [{ to: to ?? '(nobody)', message }, ...(verdict.others ?? [])]) {
    const { sendId, deviceId, read, look = standIn.look ?? 'chat' } = one.message;
    void world.ledger.record({
      channel: standIn.channel,
      look,
      to: one.to,
      ...(sendId === undefined ? undefined : { sendId }),
      ...(deviceId === undefined ? undefined : { deviceId }),
      outcome,
      ...(fault === undefined ? undefined : { fault }),
      exchange,
      read,
    });
  }
}

function refuses({ status, isRefusal }: StandInResponse): boolean {
  return status >= refusedFrom || isRefusal === true;
}

/** Waits while the caller stays connected. */
function pause(delayMs: number, response: ServerResponse): Promise<void> {
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, delayMs);
    response.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
  });
}
