// What the servers refuse before any handler judges it carries the headers of every other answer,
// on both servers.

import { connect } from 'node:net';
import t from 'tap';
import type { AnsweredCall } from '../../../http/call/answer/answered-call.ts';
import { framingAnswers } from '../../../http/call/framing-answers.ts';
import { ingestPattern } from '../../../http/ingest/pattern.ts';
import { routes } from '../../../http/routes/index.ts';
import type { HttpServerOptions } from '../../../http/server/exchange.ts';
import { createNodeServer } from '../../../http/server/node-server.ts';
import { loadUws } from '../../../http/server/uws-library.ts';
import { createUwsServer } from '../../../http/server/uws-server.ts';
import { fakeFront } from '../routes/fake-front.ts';

const load = await loadUws();
const makers = {
  ...(load.ok ? { uws: (options: HttpServerOptions) => createUwsServer(load.uws, options) } : {}),
  node: createNodeServer,
};

for (const [kind, make] of Object.entries(makers)) {
  t.test(`${kind}: a refusal of the server itself is an answer like any other`, async (t) => {
    const front = fakeFront();
    const counted: AnsweredCall[] = [];
    const server = make({
      handler: (request, response) => {
        if (request.path === '/broken') throw new Error('a bug');
        return front.handler(request, response);
      },
      onError: () => undefined,
      refuse: framingAnswers(front.edge, routes, ingestPattern, (call) => counted.push(call)),
    });
    t.teardown(() => server.drain(0));
    const port = await server.listen('127.0.0.1', 0);
    const large = 'content-length: 2000000\r\n';
    const key = `authorization: Bearer ${front.keyText('read')}\r\n`;
    await front.call('GET /v1/org', { key: 'read' }); // from now on the key is known

    const cases: readonly (readonly [string, number, RegExp | undefined])[] = [
      [`POST /v1/apps HTTP/1.1\r\nhost: h\r\n${large}\r\n`, 401, undefined],
      [`POST /u/x HTTP/1.1\r\nhost: h\r\nx-request-id: mine-1\r\n${large}\r\n`, 413, /mine-1/],
      [`POST /u/x HTTP/1.1\r\nhost: h\r\nx-request-id: a b\r\n${large}\r\n`, 413, /^req_/],
      [`POST /e HTTP/1.1\r\nhost: h\r\n${large}\r\n`, 413, /^req_/],
      ['POST /e HTTP/1.1\r\nhost: h\r\ncontent-length: x\r\n\r\n', 400, undefined],
      [
        `POST /e HTTP/1.1\r\nhost: h\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nx`,
        400,
        undefined,
      ],
      ['GET /broken HTTP/1.1\r\nhost: h\r\nx-request-id: mine-2\r\n\r\n', 500, /mine-2/],
    ];
    for (const [head, status, id] of cases) {
      const got = await answerTo(port, head);
      t.equal(got.status, status, head);
      // A head that its parser refused is answered by uWebSockets.js itself, which says no more
      // than the status.
      if (kind === 'uws' && got.headers['x-request-id'] === undefined && status === 400) continue;
      t.match(got.headers['x-request-id'], id ?? /^req_/, head);
      t.equal(got.headers['x-engage-mode'], 'sandbox', head);
      t.match(got.headers['content-type'], /^application\/json/);
      t.match(got.json, { error: String, code: String });
      const isEvents = head.startsWith('POST /e') && got.status === 413;
      if (isEvents) {
        t.equal(got.headers['access-control-allow-origin'], '*');
        t.match(got.headers['access-control-expose-headers'], /x-request-id/);
      }
    }
    const known = await answerTo(
      port,
      `POST /v1/apps/x/subscribers HTTP/1.1\r\nhost: h\r\n${key}${large}\r\n`,
    );
    t.equal(known.status, 403, 'a refusal that needs no body comes first');
    await front.call('GET /v1/org', { key: 'all' });
    const all = `authorization: Bearer ${front.keyText('all')}\r\n`;
    const tooLong = await answerTo(
      port,
      `POST /v1/apps/x/subscribers HTTP/1.1\r\nhost: h\r\n${all}${large}\r\n`,
    );
    t.equal(tooLong.status, 413);
    t.equal(tooLong.headers['x-ratelimit-lane'], 'standard');
    t.equal(tooLong.headers['access-control-allow-origin'], undefined);
    const named = (status: number) =>
      counted.filter((call) => call.status === status).map(({ method, route }) => [method, route]);
    t.strictSame(
      named(413),
      [
        ['POST', '/u/:token'],
        ['POST', '/u/:token'],
        ['POST', '/e'],
        ['POST', '/v1/apps/:appId/subscribers'],
      ],
      'each is counted by its pattern',
    );
    t.strictSame(named(500), [['GET', 'unknown']]);
    if (kind === 'node') {
      const unparsed = await answerTo(port, 'no request at all\r\n\r\n');
      t.equal(unparsed.status, 400);
      t.match(unparsed.headers['x-request-id'], /^req_/);
    }
  });
}

interface Answered {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly json: unknown;
}

function answerTo(port: number, head: string): Promise<Answered> {
  return new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1', () => socket.write(head));
    let text = '';
    socket.setEncoding('latin1');
    socket.on('error', reject);
    socket.on('data', (piece: string) => {
      text += piece;
      const at = text.indexOf('\r\n\r\n');
      if (at < 0) return;
      const [first = '', ...lines] = text.slice(0, at).split('\r\n');
      const headers = Object.fromEntries(
        lines.map((line) => {
          const colon = line.indexOf(':');
          return [line.slice(0, colon).toLowerCase(), line.slice(colon + 1).trim()];
        }),
      );
      const body = text.slice(at + 4);
      const length = Number(headers['content-length'] ?? 0);
      if (body.length < length) return;
      socket.destroy();
      const json: unknown = body.startsWith('{') ? JSON.parse(body) : undefined;
      resolve({ status: Number(first.split(' ')[1]), headers, json });
    });
  });
}
