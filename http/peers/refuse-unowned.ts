// The answer to a request that no owner has answered, in the form of all others.

import type { Fault } from '../../engine/base/fault.ts';
import {
  answerHeaders,
  isOpenToPages,
  jsonType,
  openToPages,
  requestIdOf,
} from '../call/answer/answer-headers.ts';
import { errorAnswer } from '../call/answer/errors.ts';
import type { Edge } from '../call/edge.ts';
import type { HttpRequest, HttpResponder } from '../server/exchange.ts';

export function refuseUnowned(
  edge: Pick<Edge, 'config' | 'rng'>,
  request: HttpRequest,
  response: HttpResponder,
  refusal: Fault,
): void {
  const headers = answerHeaders(edge, requestIdOf(edge, request));
  if (isOpenToPages(request.path)) headers.push(...openToPages);
  const { status, headers: more, body } = errorAnswer(refusal);
  response.send(status, [...headers, ...more, jsonType], body);
}
