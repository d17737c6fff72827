// Stand-in for the push service of a browser's vendor: a Chromium that is started with switches
// from here checks in, registers and listens here. Its `pushManager.subscribe()` then works without
// the internet, and a web push to it is decrypted and shown by the browser itself.
//
// A subscription's address says all that is needed to reach it, so it survives a restart. Its host
// is the vendor's, and nothing is ever sent there.

import { createHash, X509Certificate } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo, Server, Socket } from 'node:net';
import { createServer as createTlsServer } from 'node:tls';
import { fixed64, varint } from './protobuf.ts';
import { type SocketMessage, servePushSocket, writeMessage } from './push-socket.ts';
import { socketCertificate } from './socket-certificate.ts';

const tokenStart = 'standin:';
/** Kept for a browser that is away, as a push service does. */
const keptMessagesMax = 100;
const formBytesMax = 16_384;

/** How a subscription is reached; its token in base64url JSON. */
interface Registration {
  /** The browser, by the id that the check-in gave it. */
  readonly browser: string;
  readonly category: string;
  readonly sender: string;
  readonly subtype: string;
}

interface OpenPorts {
  readonly switches: readonly string[];
  close(): Promise<void>;
}

export class BrowserPushService {
  readonly #nowMs: () => number;
  #opening: Promise<OpenPorts> | undefined;
  readonly #sockets = new Map<string, Socket>();
  readonly #kept = new Map<string, SocketMessage[]>();
  readonly #removed = new Set<string>();
  #checkIns = 0;
  #sent = 0;

  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Opens its ports on loopback when first asked. Switches for Chromium. */
  async switches(): Promise<readonly string[]> {
    this.#opening ??= this.#open();
    return (await this.#opening).switches;
  }

  close(): void {
    void this.#opening?.then((ports) => ports.close());
  }

  /** `unknown` is for another's subscription, `gone` for one that its browser gave up. */
  stateOf(endpoint: URL): 'unknown' | 'gone' | 'known' {
    const token = tokenOf(endpoint);
    if (token === undefined || registrationOf(token) === undefined) return 'unknown';
    return this.#removed.has(token) ? 'gone' : 'known';
  }

  /** Hands an encrypted body to the browser that holds the subscription, now or when it is back. */
  deliver(endpoint: URL, body: Buffer): void {
    const registration = registrationOf(tokenOf(endpoint) ?? '');
    if (registration === undefined) return;
    const { browser, category, sender, subtype } = registration;
    const sentMs = this.#nowMs();
    const id = `standin-${sentMs.toString(36)}-${(++this.#sent).toString(36)}`;
    const message: SocketMessage = { id, category, sender, subtype, body, sentMs };
    const socket = this.#sockets.get(browser);
    if (socket !== undefined && !socket.destroyed) {
      writeMessage(socket, message);
      return;
    }
    const waiting = [...(this.#kept.get(browser) ?? []), message];
    this.#kept.set(browser, waiting.slice(-keptMessagesMax));
  }

  async #open(): Promise<OpenPorts> {
    const web = createServer((request, response) => this.#answer(request, response));
    const sockets = createTlsServer(socketCertificate, (socket) =>
      servePushSocket(socket, this.#nowMs, (browser) => this.#loggedIn(browser, socket)),
    );
    sockets.on('tlsClientError', () => undefined); // without the switches a browser refuses it
    const open = new Set<Socket>();
    sockets.on('connection', (socket) => {
      open.add(socket);
      socket.once('close', () => open.delete(socket));
    });
    const [webPort, socketPort] = [await listen(web), await listen(sockets)];
    const base = `http://127.0.0.1:${webPort}`;
    return {
      switches: [
        `--gcm-checkin-url=${base}/checkin`,
        `--gcm-registration-url=${base}/register`,
        `--gcm-mcs-endpoint=https://127.0.0.1:${socketPort}`,
        `--ignore-certificate-errors-spki-list=${certificateHash()}`,
      ],
      async close() {
        web.closeAllConnections();
        for (const socket of open) socket.destroy();
        await Promise.all([web, sockets].map((one) => new Promise((done) => one.close(done))));
      },
    };
  }

  #loggedIn(browser: string, socket: Socket): void {
    this.#sockets.set(browser, socket);
    socket.once('close', () => {
      if (this.#sockets.get(browser) === socket) this.#sockets.delete(browser);
    });
    const waiting = this.#kept.get(browser) ?? [];
    this.#kept.delete(browser);
    for (const message of waiting) writeMessage(socket, message);
  }

  #answer(request: IncomingMessage, response: ServerResponse): void {
    if (request.url?.startsWith('/checkin')) {
      request.resume();
      response.writeHead(200, { 'content-type': 'application/x-protobuffer' });
      response.end(this.#checkIn());
      return;
    }
    let form = '';
    request.setEncoding('utf8').on('data', (text: string) => {
      form += text;
      if (form.length > formBytesMax) request.destroy();
    });
    request.on('end', () => {
      response.writeHead(200, { 'content-type': 'text/plain' });
      response.end(this.#register(new URLSearchParams(form)));
    });
  }

  /** Gives a new browser an id and a secret that nobody checks. */
  #checkIn(): Buffer {
    // Another for each start of the sandbox, since subscriptions outlive it.
    const id = BigInt(this.#nowMs()) * 1_000n + BigInt(++this.#checkIns);
    return Buffer.concat([
      Buffer.from([8, 1, 24, ...varint(this.#nowMs())]),
      fixed64(7, id),
      fixed64(8, id + 1n),
    ]);
  }

  /** Registers a subscription, or with `delete` ends it. */
  #register(form: URLSearchParams): string {
    const registration: Registration = {
      browser: form.get('device') ?? '',
      category: form.get('app') ?? '',
      sender: form.get('sender') ?? '',
      subtype: form.get('X-subtype') ?? form.get('app') ?? '',
    };
    const encoded = Buffer.from(JSON.stringify(registration)).toString('base64url');
    const token = `${tokenStart}${encoded}`;
    if (form.get('delete') === 'true') {
      this.#removed.add(token);
      return `deleted=${registration.category}`;
    }
    this.#removed.delete(token);
    return `token=${token}`;
  }
}

/** As Chromium's switch wants it: of the certificate's public key. */
function certificateHash(): string {
  const { publicKey } = new X509Certificate(socketCertificate.cert);
  const bytes = publicKey.export({ type: 'spki', format: 'der' });
  return createHash('sha256').update(bytes).digest('base64');
}

function tokenOf({ pathname }: URL): string | undefined {
  const token = decodeURIComponent(pathname.slice(pathname.lastIndexOf('/') + 1));
  return token.startsWith(tokenStart) ? token : undefined;
}

function registrationOf(token: string): Registration | undefined {
  try {
    const text = Buffer.from(token.slice(tokenStart.length), 'base64url').toString();
    return JSON.parse(text) as Registration;
  } catch {
    return undefined; // not one of ours
  }
}

function listen(server: Server): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve((server.address() as AddressInfo).port));
  });
}
