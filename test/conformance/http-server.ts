// What every HTTP server behind http/server/exchange.ts must do, told over real loopback sockets so
// that nothing between the bytes and the handler is assumed. A file a subject; this one is what the
// tests of both servers call.

import type { Test } from 'tap';
import { abortTests } from './http-aborts.ts';
import { answerTests } from './http-answers.ts';
import { bodyTests } from './http-bodies.ts';
import { headTests } from './http-heads.ts';
import { listeningTests } from './http-listening.ts';
import { pipeliningTests } from './http-pipelining.ts';
import { type MakeServer, servedBy } from './http-served.ts';

/** Runs the whole suite against one implementation. */
export function httpServerSuite(t: Test, make: MakeServer): void {
  const serve = servedBy(make);
  headTests(t, serve);
  bodyTests(t, serve);
  answerTests(t, serve);
  pipeliningTests(t, serve);
  abortTests(t, serve);
  listeningTests(t, serve, make);
}
