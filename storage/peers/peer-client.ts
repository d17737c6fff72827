// Calls to the internal ports of other servers of a cluster, over connections that are kept.

import { connect as connectTls } from 'node:tls';
import { type Dispatcher, Pool } from 'undici';
import type { Bytes, Millis } from '../../engine/base/brand.ts';
import type {
  PeerAnswer,
  PeerCall,
  PeerClient,
  PeerFlow,
  PeerHeaders,
  PeerSink,
} from '../../engine/peers/peer-call.ts';
import { peerClientTls } from '../../engine/peers/peer-tls.ts';

const connectMs: Millis = 1_000;
const connectionsMax = 128;
/** As many live streams as a server has at most, and some exports. */
const longConnectionsMax = 4_352;
const idleMs: Millis = 30_000;
const answerBytesMax: Bytes = 64 * 1024 * 1024;

/** `keys`: of `peerPurpose`, the newest first. */
export function createPeerClient(keys: readonly Uint8Array[]): PeerClient {
  const pools = new Map<string, Pool>();
  const poolOf = ({ address, isLong = false }: PeerCall): Pool => {
    const name = isLong ? `${address} long` : address;
    let pool = pools.get(name);
    if (pool === undefined) {
      pool = openPool(address, keys, isLong ? longConnectionsMax : connectionsMax);
      pools.set(name, pool);
    }
    return pool;
  };
  return {
    call: (call, sink) => dispatch(poolOf(call), call, sink),
    ask: (call, bytesMax = answerBytesMax) =>
      new Promise((resolve) => dispatch(poolOf(call), call, new WholeAnswer(resolve, bytesMax))),
    close: async () => {
      await Promise.all([...pools.values()].map((pool) => pool.destroy()));
    },
  };
}

function openPool(address: string, keys: readonly Uint8Array[], connections: number): Pool {
  const colon = address.lastIndexOf(':');
  const host = address.slice(0, colon).replace(/^\[|\]$/g, '');
  const port = Number(address.slice(colon + 1));
  return new Pool(`https://${address}`, {
    connections,
    pipelining: 1,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
    connect: (_options, callback) => {
      const socket = connectTls({ host, port, ...peerClientTls(keys) });
      socket.setNoDelay(true);
      const timer = setTimeout(() => socket.destroy(new Error('no connection in time')), connectMs);
      socket.once('secureConnect', () => {
        clearTimeout(timer);
        socket.off('error', failed);
        callback(null, socket);
      });
      const failed = (error: Error) => {
        clearTimeout(timer);
        callback(error, null);
      };
      socket.once('error', failed);
    },
  });
}

function dispatch(
  pool: Pool,
  { address: _, isLong: __, timeoutMs, ...request }: PeerCall,
  sink: PeerSink,
) {
  let isOut = false;
  let isOver = false;
  const handler: Dispatcher.DispatchHandler = {
    onRequestStart() {
      isOut = true;
    },
    onResponseStart(controller, status, headers) {
      if (status < 200) return;
      sink.head(status, headers, {
        pause: () => controller.pause(),
        resume: () => controller.resume(),
        abort: () => controller.abort(new Error('nobody wants the answer')),
      });
    },
    onResponseData: (_controller, chunk) => sink.part(chunk),
    onResponseEnd() {
      isOver = true;
      sink.end();
    },
    onResponseError() {
      if (isOver) return;
      isOver = true;
      sink.failed(isOut ? 'unanswered' : 'unsent');
    },
  };
  pool.dispatch(
    {
      ...request,
      method: request.method as Dispatcher.HttpMethod,
      body: request.body ?? null,
      headersTimeout: timeoutMs,
      bodyTimeout: timeoutMs,
    },
    handler,
  );
}

class WholeAnswer implements PeerSink {
  readonly #resolve: (answer: PeerAnswer) => void;
  readonly #bytesMax: Bytes;
  readonly #parts: Uint8Array[] = [];
  #flow: PeerFlow | undefined;
  #bytes: Bytes = 0;
  #status = 0;

  constructor(resolve: (answer: PeerAnswer) => void, bytesMax: Bytes) {
    this.#resolve = resolve;
    this.#bytesMax = bytesMax;
  }

  head(status: number, _headers: PeerHeaders, flow: PeerFlow): void {
    this.#status = status;
    this.#flow = flow;
  }

  part(bytes: Uint8Array): void {
    this.#bytes += bytes.byteLength;
    if (this.#bytes > this.#bytesMax) this.#flow?.abort();
    else this.#parts.push(bytes);
  }

  end(): void {
    const body = Buffer.concat(this.#parts);
    this.#resolve({ kind: 'answered', status: this.#status, body });
  }

  failed(kind: 'unsent' | 'unanswered'): void {
    this.#resolve({ kind });
  }
}
