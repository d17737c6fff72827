// One suite for both HTTP servers. Where uWebSockets.js has no binary, its half is skipped with the reason.

import t from 'tap';
import { createNodeServer } from '../../http/node-server.ts';
import { createHttpServer } from '../../http/server.ts';
import { createUwsServer, loadUws } from '../../http/uws-server.ts';
import { httpServerSuite } from '../conformance/http-server.ts';

const load = await loadUws();

await t.test('uWebSockets.js', load.ok ? {} : { skip: load.reasons.join(' | ') }, async (t) => {
  if (load.ok) httpServerSuite(t, (options) => createUwsServer(load.uws, options));
});

await t.test('node:http', async (t) => {
  httpServerSuite(t, createNodeServer);
});

await t.test(
  'the factory gives what is preferred, and a warning only when it cannot',
  async (t) => {
    const options = { handler: () => undefined, onError: () => undefined };
    const twin = await createHttpServer(options, 'node');
    t.equal(twin.server.kind, 'node');
    t.equal(twin.warning, undefined);
    const best = await createHttpServer(options);
    t.equal(best.server.kind, load.ok ? 'uws' : 'node');
    t.equal(best.warning === undefined, load.ok);
  },
);
