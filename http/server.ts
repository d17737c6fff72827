// Makes the HTTP server: uWebSockets.js if its binary loads, else node:http. The caller logs which;
// nothing else may depend on it (http/exchange.ts, test/http/server-conformance.test.ts).

import type { HttpServer, HttpServerOptions } from './exchange.ts';
import { createNodeServer } from './node-server.ts';
import { loadUws } from './uws-library.ts';
import { createUwsServer } from './uws-server.ts';

interface MadeServer {
  readonly server: HttpServer;
  /** If the faster server did not load: why, and what would help. */
  readonly warning?: string;
}

/** Not listening yet. `prefer: 'node'` skips uWebSockets.js. Throws for invalid TLS files. */
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
    `on ${process.platform} ${process.arch}. Node 20 and 22 on Linux x64 with glibc have one, and Node 24 and 26 ` +
    `with glibc 2.38. Optional dependencies must be installed. (${reasons.join(' | ')})`
  );
}
