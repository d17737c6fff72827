// Makes the HTTP server: uWebSockets.js if its binary loads, else the one on node:http. The caller
// logs which; nothing else may depend on it. Callers only see http/exchange.ts, and
// test/http/server-conformance.test.ts covers both.

import type { HttpServer, HttpServerOptions } from './exchange.ts';
import { createNodeServer } from './node-server.ts';
import { createUwsServer, loadUws } from './uws-server.ts';

interface MadeServer {
  readonly server: HttpServer;
  /** One line for the log if the faster server did not load: why, and what would help. */
  readonly warning?: string;
}

/**
 * Makes a server, not listening yet. `prefer: 'node'` does not try uWebSockets.js. Throws if the
 * TLS files are invalid.
 */
export async function createHttpServer(
  options: HttpServerOptions,
  prefer: 'uws' | 'node' = 'uws',
): Promise<MadeServer> {
  if (prefer === 'node') return { server: createNodeServer(options) };
  const load = await loadUws();
  if (load.ok) return { server: createUwsServer(load.uws, options) };
  return { server: createNodeServer(options), warning: slowerBecause(load.reasons) };
}

function slowerBecause(reasons: readonly string[]): string {
  return (
    `serving with node:http, which is slower: uWebSockets.js has no binary for Node ${process.version} ` +
    `on ${process.platform} ${process.arch}. Node 20 or 22 on glibc Linux, macOS or Windows has one; Node 24 and 26 ` +
    `need glibc 2.38. Optional dependencies must be installed. (${reasons.join(' | ')})`
  );
}
