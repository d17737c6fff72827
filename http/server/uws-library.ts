// uWebSockets.js as it loads here, and the part of it that we use. The authors do not publish on
// npm: the binaries are a republication, one package for each platform and Node version
// (docs/decisions/0001). We declare the types, because the package that has them names binaries
// that were never published, and `npm ci` then refuses the lock file.

import { createRequire } from 'node:module';
import { headBytesMax } from './framing.ts';
import { binaryProblem } from './uws-binaries.ts';

/** The used part of the library. */
export interface Uws {
  App(): UwsApp;
  SSLApp(files: { readonly key_file_name: string; readonly cert_file_name: string }): UwsApp;
  us_socket_local_port(socket: UwsListener): number;
  us_listen_socket_close(socket: UwsListener): void;
  _cfg(key: string): void;
}

export interface UwsApp {
  any(pattern: string, handler: (response: UwsResponse, request: UwsRequest) => void): unknown;
  listen(
    host: string,
    port: number,
    flags: number,
    opened: (socket: UwsListener | false) => void,
  ): unknown;
  close(): unknown;
}

/** Valid only inside the handler. */
export interface UwsRequest {
  forEach(take: (name: string, value: string) => void): void;
  getCaseSensitiveMethod(): string;
  getUrl(): string;
  getQuery(): string | undefined;
}

export interface UwsResponse {
  writeStatus(status: string): unknown;
  writeHeader(name: string, value: string): unknown;
  write(chunk: string | Uint8Array): boolean;
  end(body: string | Uint8Array, closeConnection: boolean): unknown;
  endWithoutBody(): unknown;
  tryEnd(rest: Uint8Array, totalSize: number): [taken: boolean, complete: boolean];
  cork(write: () => void): unknown;
  close(): unknown;
  onAborted(aborted: () => void): unknown;
  onData(take: (chunk: ArrayBuffer, last: boolean) => void): unknown;
  onWritable(resume: (offset: number) => boolean): unknown;
  getRemoteAddress(): ArrayBuffer;
}

/** The native listener. */
export type UwsListener = object;

/** The library, or why it does not load here. */
export type UwsLoad =
  | { readonly ok: true; readonly uws: Uws }
  | {
      readonly ok: false;
      /** A sentence without a period for each package. */
      readonly reasons: readonly string[];
      /** There is a binary, and it is not the one that was tested. */
      readonly isAltered: boolean;
    };

/**
 * What an operator installed from upstream comes first, and is not compared with anything. Never
 * throws. `from` is the module whose packages it takes, for tests.
 */
export async function loadUws(from = import.meta.url): Promise<UwsLoad> {
  // Not `import()`: if a CommonJS module throws while loading, Node 20 rejects a second,
  // uncatchable promise, which ends the process instead of falling back.
  const require = createRequire(from);
  const [major] = process.versions.node.split('.');
  const republished = `@uwsjs/${process.platform}-${process.arch}-${major}`;
  const reasons: string[] = [];
  let isAltered = false;
  // The library reads its limit on a request's head (default 4 KiB) from the environment on load.
  const before = process.env[headBoundVariable];
  process.env[headBoundVariable] = String(headBytesMax);
  try {
    for (const name of ['uWebSockets.js', republished]) {
      try {
        // The package's own code is one line; the file that it loads is the one that we compare.
        const path = require.resolve(name === republished ? `${name}/uws.node` : name);
        const problem = name === republished ? binaryProblem(name, path) : undefined;
        if (problem !== undefined) {
          isAltered = true;
          reasons.push(problem);
          continue;
        }
        const uws: Uws = require(path);
        uws._cfg('silent'); // no `uWebSockets: 20` header in every answer
        return { ok: true, uws };
      } catch (error) {
        reasons.push(reasonOf(name, error));
      }
    }
    return { ok: false, reasons, isAltered };
  } finally {
    if (before === undefined) delete process.env[headBoundVariable];
    else process.env[headBoundVariable] = before;
  }
}

const headBoundVariable = 'UWS_HTTP_MAX_HEADERS_SIZE';

/** Node's sentence for a missing package goes on with the files that asked for it. */
function reasonOf(name: string, error: unknown): string {
  const code = error instanceof Error && 'code' in error ? error.code : undefined;
  if (code === 'MODULE_NOT_FOUND') return `${name} is not installed`;
  return String(error instanceof Error ? error.message : error).replace(/\s+/g, ' ');
}
