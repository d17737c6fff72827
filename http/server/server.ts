// Makes the HTTP server: uWebSockets.js if its binary loads, else node:http. The caller logs which;
// nothing else may depend on it (http/server/exchange.ts, test/http/server/conformance.test.ts).

import type { HttpServer, HttpServerOptions } from './exchange.ts';
import { createNodeServer } from './node-server.ts';
import { loadUws, type UwsLoad } from './uws-library.ts';
import { createUwsServer } from './uws-server.ts';

interface MadeServer {
  readonly server: HttpServer;
  /** If the faster server did not load: why, and what would help. */
  readonly warning?: string;
  /** The binary was not loaded because it is another file than the one that was tested. */
  readonly isAltered?: boolean;
}

/**
 * Not listening yet. `prefer: 'node'` skips uWebSockets.js; `from` is for tests, as in `loadUws`.
 * Throws for invalid TLS files.
 */
export async function createHttpServer(
  options: HttpServerOptions,
  prefer: 'uws' | 'node' = 'uws',
  from?: string,
): Promise<MadeServer> {
  if (prefer === 'node') return { server: createNodeServer(options) };
  const load = await loadUws(from);
  if (load.ok) return { server: createUwsServer(load.uws, options) };
  const { isAltered } = load;
  return { server: createNodeServer(options), warning: slowerBecause(load), isAltered };
}

function slowerBecause({ reasons, isAltered }: Extract<UwsLoad, { ok: false }>): string {
  const details = `(${reasons.join(' | ')})`;
  if (isAltered)
    return (
      'serving with node:http, which is slower: the binary of uWebSockets.js is not the one that this version ' +
      `was tested with, so it was not loaded. Install Engage again, or find out who changed the file. ${details}`
    );
  return (
    `serving with node:http, which is slower: uWebSockets.js has no binary for Node ${process.version} ` +
    `on ${process.platform} ${process.arch}. Node 20 and 22 on Linux x64 with glibc have one, and Node 24 and 26 ` +
    `with glibc 2.38. Optional dependencies must be installed. ${details}`
  );
}
