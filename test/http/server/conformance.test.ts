// One suite for both HTTP servers. Where uWebSockets.js has no binary, its half is skipped with the
// reason.

import { execFileSync } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { request } from 'node:https';
import { join } from 'node:path';
import t from 'tap';
import type { HttpHandler } from '../../../http/server/exchange.ts';
import { createNodeServer } from '../../../http/server/node-server.ts';
import { createHttpServer } from '../../../http/server/server.ts';
import { loadUws } from '../../../http/server/uws-library.ts';
import { createUwsServer } from '../../../http/server/uws-server.ts';
import { httpServerSuite } from '../../conformance/http-server.ts';

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

const openssl = madeCertificate(t.testdir());

await t.test(
  'with a certificate and its key both speak TLS, with wrong files both refuse to start',
  typeof openssl === 'string' ? { skip: openssl } : {},
  async (t) => {
    if (typeof openssl === 'string') return;
    const handler: HttpHandler = (request, response) => (body) =>
      response.send(200, [], `${request.path} ${body.length}`);
    const junk = join(t.testdir({ junk: 'no certificate' }), 'junk');
    for (const prefer of ['uws', 'node'] as const) {
      const options = { handler, onError: () => undefined };
      const { server } = await createHttpServer({ ...options, tls: openssl }, prefer);
      const port = await server.listen('127.0.0.1', 0);
      t.equal(await securePost(port, 'x'.repeat(100_000)), '/tls 100000');
      await server.drain(0);
      const missing = { ...openssl, keyFile: '/nonexistent/key.pem' };
      await t.rejects(createHttpServer({ ...options, tls: missing }, prefer), { code: 'ENOENT' });
      const wrong = { ...openssl, certFile: junk };
      await t.rejects(createHttpServer({ ...options, tls: wrong }, prefer), {
        message: /must hold a certificate and its private key/,
      });
    }
  },
);

/** Paths of a fresh self-signed pair, or why there is none. */
function madeCertificate(folder: string): { certFile: string; keyFile: string } | string {
  const [certFile, keyFile] = [join(folder, 'cert.pem'), join(folder, 'key.pem')];
  const config = join(folder, 'openssl.cnf');
  writeFileSync(config, '[req]\ndistinguished_name=dn\n[dn]\n');
  const args = ['req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-subj', '/CN=localhost'];
  try {
    execFileSync('openssl', [...args, '-config', config, '-keyout', keyFile, '-out', certFile], {
      stdio: 'ignore',
    });
    return { certFile, keyFile };
  } catch {
    return 'no openssl command to make a certificate with';
  }
}

function securePost(port: number, body: string): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = {
      port,
      host: '127.0.0.1',
      path: '/tls',
      method: 'POST',
      rejectUnauthorized: false,
    };
    const outgoing = request({ ...options, agent: false }, (response) => {
      let text = '';
      response.setEncoding('utf8');
      response.on('data', (piece: string) => (text += piece));
      response.on('end', () => resolve(text));
    });
    outgoing.on('error', reject);
    outgoing.end(body);
  });
}
