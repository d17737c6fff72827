// Makes the server's own refusals (body too long, ambiguous framing, a handler that threw) look
// like every other response. They bypassed or left the pipeline, so this reads the request again.
// It charges nothing and looks nothing up.

import { type FaultCode, fault } from '../../actors/faults.ts';
import type { HeaderList, HttpRequest, HttpResponse, Refusal } from '../server/exchange.ts';
import { bearer } from './admission/authenticate.ts';
import { laneHeaders } from './admission/rate-lane.ts';
import {
  answerHeaders,
  isOpenToPages,
  jsonType,
  openToPages,
  requestIdOf,
} from './answer/answer-headers.ts';
import { type AnsweredCall, unserved } from './answer/answered-call.ts';
import { errorAnswer } from './answer/errors.ts';
import type { Edge } from './edge.ts';
import { RouteTree } from './match.ts';
import type { Route } from './route.ts';

export function framingAnswers(
  edge: Edge,
  routes: readonly Route[],
  postOutside: (path: string) => string | undefined,
  onAnswered: (call: AnsweredCall) => void,
): (refusal: Refusal, request: HttpRequest | undefined) => HttpResponse {
  const tree = new RouteTree(routes);
  return ({ status, code, message }, request) => {
    const { body } = errorAnswer(fault(code satisfies FaultCode, message));
    const headers = answerHeaders(edge, requestIdOf(edge, request));
    if (request !== undefined && isOpenToPages(request.path)) headers.push(...openToPages);
    else if (request !== undefined) headers.push(...laneOf(edge, tree, request));
    headers.push(jsonType);
    const route = request && (postOutside(request.path) ?? tree.patternOf(request.path));
    onAnswered(unserved(request?.method, status, route));
    return { status, headers, body };
  };
}

/** The lane headers of a call with a cached key. A refusal looks no key up. */
function laneOf(edge: Edge, tree: RouteTree, request: HttpRequest): HeaderList {
  const matched = tree.match(request.method, request.path);
  if (matched.kind !== 'found') return [];
  const { lane } = matched.route;
  if (lane === 'none' || lane === 'address') return [];
  const grant = edge.authenticator.known(bearer(request.header('authorization')));
  return grant == null ? [] : laneHeaders(edge.admission.peek(grant, lane));
}
