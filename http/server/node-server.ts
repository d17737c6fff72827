// The HTTP server on node:http, for platforms without uWebSockets.js's binary: slower, otherwise
// the same as uws-server.ts. Node reads pipelined requests ahead, so a connection may have
// several open exchanges, and only the socket's end reaches all of them.

import { readFileSync } from 'node:fs';
import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import { createServer as createSecureServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import {
  type HttpServer,
  type HttpServerOptions,
  listenFailure,
  plainRefusal,
  type Refusal,
} from './exchange.ts';
import {
  bodyBytesMaxDefault,
  headBytesMax,
  headTimeoutMs,
  keepAliveMs,
  requestTimeoutMs,
} from './framing.ts';
import { NodeExchange } from './node-exchange.ts';

/** Throws if the TLS files cannot be read or hold no certificate with its key. */
export function createNodeServer(options: HttpServerOptions): HttpServer {
  return new NodeServer(options);
}

/** Serves requests of a server of node:http that somebody else has made. */
interface NodeReceiver extends Pick<HttpServer, 'inFlight'> {
  receive(request: IncomingMessage, response: ServerResponse): void;
}

export function createNodeReceiver(options: HttpServerOptions): NodeReceiver {
  return new NodeServer(options);
}

interface Connection {
  readonly exchanges: Set<NodeExchange>;
  refused: boolean;
}

class NodeServer implements HttpServer {
  readonly kind = 'node';
  readonly options: HttpServerOptions;
  readonly bodyBytesMax: Bytes;
  inFlight = 0;
  draining = false;
  private readonly secure: { readonly cert: Buffer; readonly key: Buffer } | undefined;
  private readonly connections = new WeakMap<Duplex, Connection>();
  private servers: Server[] = [];
  private whenQuiet: (() => void) | undefined;

  constructor(options: HttpServerOptions) {
    this.options = options;
    this.bodyBytesMax = options.bodyBytesMax ?? bodyBytesMaxDefault;
    if (options.tls !== undefined) {
      const { certFile, keyFile } = options.tls;
      this.secure = { cert: readFileSync(certFile), key: readFileSync(keyFile) };
      try {
        createSecureServer(this.secure);
      } catch (cause) {
        const files = `${certFile} and ${keyFile}`;
        throw new Error(`${files} must hold a certificate and its private key in PEM form`, {
          cause,
        });
      }
    }
  }

  listen(host: string, port: number): Promise<number> {
    const server = this.makeServer();
    return new Promise((resolve, reject) => {
      server.once('error', (error) => reject(listenFailure(host, port, error.message)));
      // Exclusive: in a cluster the listener belongs to this process, as on the other server.
      server.listen({ host, port, exclusive: true }, () => {
        this.servers.push(server);
        resolve((server.address() as AddressInfo).port);
      });
    });
  }

  close(): void {
    for (const server of this.servers) server.close();
  }

  async drain(ms: Millis): Promise<boolean> {
    this.draining = true;
    this.close();
    const answered = this.inFlight === 0 || (await this.quietWithin(ms));
    await new Promise((resolve) => setImmediate(resolve));
    for (const server of this.servers) server.closeAllConnections();
    return answered;
  }

  finished(exchange: NodeExchange, socket: Duplex): void {
    this.connections.get(socket)?.exchanges.delete(exchange);
    this.inFlight--;
    if (this.inFlight === 0) this.whenQuiet?.();
  }

  refuseRest(socket: Duplex): void {
    this.connectionOf(socket).refused = true;
  }

  private makeServer(): Server {
    const bounds: ServerOptions = {
      maxHeaderSize: headBytesMax,
      headersTimeout: headTimeoutMs,
      requestTimeout: requestTimeoutMs,
      keepAliveTimeout: keepAliveMs,
      connectionsCheckingInterval: 2_000,
      joinDuplicateHeaders: true,
      // The exchange checks it: after Node's own refusal, pipelined requests would still be served.
      requireHostHeader: false,
    };
    const server =
      this.secure === undefined
        ? createServer(bounds)
        : createSecureServer({ ...bounds, ...this.secure });
    server.maxHeadersCount = 0; // the exchange counts: Node would drop the rest silently
    server.on('request', (request, response) => this.receive(request, response));
    server.on('clientError', (error: NodeJS.ErrnoException, socket) =>
      this.unparsed(error, socket),
    );
    return server;
  }

  receive(request: IncomingMessage, response: ServerResponse): void {
    const connection = this.connectionOf(request.socket);
    if (connection.refused) return;
    const exchange = new NodeExchange(this, request, response);
    connection.exchanges.add(exchange);
    this.inFlight++;
    exchange.start();
  }

  private connectionOf(socket: Duplex): Connection {
    const known = this.connections.get(socket);
    if (known !== undefined) return known;
    const connection: Connection = { exchanges: new Set(), refused: false };
    this.connections.set(socket, connection);
    socket.once('close', () => {
      for (const exchange of connection.exchanges) exchange.abort();
    });
    return connection;
  }

  /** Unparsable bytes: one plain response and the end, unless other responses are pending. */
  private unparsed(error: NodeJS.ErrnoException, socket: Duplex): void {
    const connection = this.connectionOf(socket);
    if (error.code === 'ECONNRESET' || !socket.writable || connection.exchanges.size > 0) {
      socket.destroy();
      return;
    }
    connection.refused = true;
    const why = unparsedReason(error.code);
    let answer = plainRefusal(why);
    try {
      answer = (this.options.refuse ?? plainRefusal)(why, undefined);
    } catch (thrown) {
      this.options.onError(thrown, undefined);
    }
    const head = [
      `HTTP/1.1 ${answer.status} ${STATUS_CODES[answer.status] ?? 'Unknown'}`,
      ...answer.headers.map(([name, value]) => `${name}: ${value}`),
      'connection: close',
      `content-length: ${Buffer.byteLength(answer.body)}`,
    ];
    socket.write(`${head.join('\r\n')}\r\n\r\n`);
    socket.end(answer.body);
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

function unparsedReason(code: string | undefined): Refusal {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return {
      status: 431,
      code: 'invalid',
      message: `the headers are larger than ${headBytesMax} bytes`,
    };
  }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return { status: 408, code: 'invalid', message: 'the request did not arrive in time' };
  }
  return { status: 400, code: 'invalid', message: 'the request is not well-formed HTTP/1.1' };
}
