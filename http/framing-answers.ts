// Words the refusals of the server itself (a body too long, framing that two readers could read
// differently, a handler that threw), so that they look like every other answer, headers included.
// Such a request went past the pipeline or broke off inside it: what is known of it is read again
// here, and nothing is charged or looked up.

import { type FaultCode, fault } from '../actors/faults.ts';
import {
  answerHeaders,
  isOpenToPages,
  jsonType,
  openToPages,
  requestIdOf,
} from './answer-headers.ts';
import { bearer } from './authenticate.ts';
import type { Edge } from './edge.ts';
import { errorAnswer } from './errors.ts';
import type { HeaderList, HttpRequest, HttpResponse, Refusal } from './exchange.ts';
import { RouteTree } from './match.ts';
import { laneHeaders } from './rate-lane.ts';
import type { Route } from './route.ts';

/** What a server is to refuse with. */
export function framingAnswers(
  edge: Edge,
  routes: readonly Route[],
): (refusal: Refusal, request: HttpRequest | undefined) => HttpResponse {
  const tree = new RouteTree(routes);
  return ({ status, code, message }, request) => {
    const { body } = errorAnswer(fault(code satisfies FaultCode, message));
    const headers = answerHeaders(edge, requestIdOf(edge, request));
    if (request !== undefined && isOpenToPages(request.path)) headers.push(...openToPages);
    else if (request !== undefined) headers.push(...laneOf(edge, tree, request));
    headers.push(jsonType);
    return { status, headers, body };
  };
}

/**
 * How the lane of a call stands, where its key is known by now; an unknown one is not looked up for
 * a refusal.
 */
function laneOf(edge: Edge, tree: RouteTree, request: HttpRequest): HeaderList {
  const matched = tree.match(request.method, request.path);
  if (matched.kind !== 'found') return [];
  const { lane } = matched.route;
  if (lane === 'none' || lane === 'address') return [];
  const grant = edge.authenticator.known(bearer(request.header('authorization')));
  return grant == null ? [] : laneHeaders(edge.admission.peek(grant, lane));
}
