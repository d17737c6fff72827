// The HTTP server on uWebSockets.js. Main thread only: a worker thread that dies with an open
// listener aborts the process. The library is optional: where it does not load
// (uws-library.ts), server.ts uses node:http. uws-exchange.ts handles the native response.

import { readFileSync } from 'node:fs';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import { atTickEnd } from '../../engine/thread/tick-end.ts';
import { type HttpServer, type HttpServerOptions, listenFailure } from './exchange.ts';
import { bodyBytesMaxDefault, framingOf } from './framing.ts';
import { UwsExchange } from './uws-exchange.ts';
import type { Uws, UwsApp, UwsListener, UwsRequest, UwsResponse } from './uws-library.ts';

/** Throws if the TLS files cannot be read or hold no certificate with its key. */
export function createUwsServer(uws: Uws, options: HttpServerOptions): HttpServer {
  return new UwsServer(uws, options);
}

class UwsServer implements HttpServer {
  readonly kind = 'uws';
  readonly options: HttpServerOptions;
  readonly bodyBytesMax: Bytes;
  inFlight = 0;
  draining = false;
  private readonly uws: Uws;
  private readonly app: UwsApp;
  private listeners: UwsListener[] = [];
  /** Whole requests that have not run. */
  private due: UwsExchange[] = [];
  private large: UwsExchange[] = [];
  private isRunning = false;
  /** Ticks with large requests alone. */
  private calm = calmTicks;
  private whenQuiet: (() => void) | undefined;

  constructor(uws: Uws, options: HttpServerOptions) {
    this.uws = uws;
    this.options = options;
    this.bodyBytesMax = options.bodyBytesMax ?? bodyBytesMaxDefault;
    this.app = options.tls === undefined ? uws.App() : secureApp(uws, options.tls);
    this.app.any('/*', (response, request) => receive(this, response, request));
  }

  listen(host: string, port: number): Promise<number> {
    return new Promise((resolve, reject) => {
      // Without the exclusive flag a second server would silently share the port.
      this.app.listen(host, port, exclusivePort, (socket) => {
        if (socket === false) {
          // The library does not say which of the three failed.
          reject(
            listenFailure(
              host,
              port,
              'the address is in use, not permitted, or not an address of this machine',
            ),
          );
          return;
        }
        this.listeners.push(socket);
        resolve(this.uws.us_socket_local_port(socket));
      });
    });
  }

  close(): void {
    for (const socket of this.listeners) this.uws.us_listen_socket_close(socket);
    this.listeners = [];
  }

  async drain(ms: Millis): Promise<boolean> {
    this.draining = true;
    this.close();
    const answered = this.inFlight === 0 || (await this.quietWithin(ms));
    // The last response may still be inside its cork: let it reach the kernel first.
    await new Promise((resolve) => setImmediate(resolve));
    this.app.close();
    return answered;
  }

  whole(exchange: UwsExchange): void {
    const list = exchange.bodyBytes < largeBytes ? this.due : this.large;
    list.push(exchange);
    if (this.isRunning) return;
    this.isRunning = true;
    atTickEnd(this.runDue);
  }

  /**
   * Small requests, such as a single send, before large ones, such as a batch of events. Of these
   * a tick runs one, or more of a long queue, and the next tick first reads what came meanwhile.
   * Where no small ones have come for a while it runs all, which makes larger commits.
   */
  private readonly runDue = (): void => {
    const due = this.due;
    this.due = [];
    this.isRunning = false;
    for (const exchange of due) exchange.run();
    this.calm = due.length > 0 ? 0 : this.calm + 1;
    const share = this.calm < calmTicks ? largeShare : 1;
    const large = this.large.splice(0, Math.ceil(this.large.length / share));
    for (const exchange of large) exchange.run();
    if (this.large.length === 0 || this.isRunning) return;
    this.isRunning = true;
    setImmediate(this.runDue);
  };

  finished(): void {
    this.inFlight--;
    if (this.inFlight === 0) this.whenQuiet?.();
  }

  private quietWithin(ms: Millis): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(resolve, ms, false);
      this.whenQuiet = () => {
        clearTimeout(timer);
        resolve(true);
      };
    });
  }
}

/** A body of this size takes a tenth of a millisecond and more. */
const largeBytes: Bytes = 16 * 1024;
/** One of so many waiting large requests runs in a tick, so that few wait long. */
const largeShare = 16;
/** An eighth of a second or less. */
const calmTicks = 64;
/** `LIBUS_LISTEN_EXCLUSIVE_PORT`. */
const exclusivePort = 1;

function secureApp(uws: Uws, tls: { certFile: string; keyFile: string }): UwsApp {
  // The library only says that something failed, so an unreadable file is named here.
  for (const file of [tls.certFile, tls.keyFile]) readFileSync(file);
  try {
    return uws.SSLApp({ cert_file_name: tls.certFile, key_file_name: tls.keyFile });
  } catch (cause) {
    const files = `${tls.certFile} and ${tls.keyFile}`;
    throw new Error(`${files} must hold a certificate and its private key in PEM form`, { cause });
  }
}

// The head being copied. `forEach` is synchronous: all requests share these and one callback.
let headers: string[] = [];
let lengths = 0;
let length = '';
let encodings = 0;
let encoding = '';

function keepHeader(name: string, value: string): void {
  headers.push(name, value);
  if (name.length === 14 && name === 'content-length') {
    if (lengths++ === 0) length = value;
  } else if (name.length === 17 && name === 'transfer-encoding') {
    if (encodings++ === 0) encoding = value;
  }
}

/**
 * The parser's only callback. Copies the whole head (1 µs for eight headers, like a dozen look-ups
 * by name), because repeated headers must be refused or joined, and look-ups see only the first.
 */
function receive(server: UwsServer, response: UwsResponse, request: UwsRequest): void {
  headers = [];
  lengths = 0;
  encodings = 0;
  request.forEach(keepHeader);
  const method = request.getCaseSensitiveMethod();
  const exchange = new UwsExchange(
    server,
    response,
    method,
    request.getUrl(),
    request.getQuery() ?? '',
    headers,
    framingOf(method, lengths, length, encodings, encoding),
  );
  // First of all: a response that is neither sent nor watched when this returns ends the process.
  response.onAborted(() => exchange.abort());
  server.inFlight++;
  exchange.start();
}
