// Makes the HTTP server: uWebSockets.js where its binary loads, else the node:http twin. Which of
// the two it is, is the caller's to log; nothing above may depend on it (http/exchange.ts is all
// they see, and test/http/server-conformance.test.ts holds both to it).

import type { HttpServer, HttpServerOptions } from './exchange.ts';
import { createNodeServer } from './node-server.ts';
import { createUwsServer, loadUws } from './uws-server.ts';

interface MadeServer {
  readonly server: HttpServer;
  /**
   * One line for the log when the faster server was wanted and could not be had: why, and what
   * would load it.
   */
  readonly warning?: string;
}

/**
 * Makes a server that listens nowhere yet. `prefer: 'node'` takes the twin without trying the
 * other. Throws when the TLS files are no good.
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
