// The provider of a rig: takes pushes as FCM does and remembers each with its instant. It stands in
// the runner's process, so it outlives every fault.

import { generateKeyPairSync } from 'node:crypto';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { Delivery } from './history.ts';

interface FcmCall {
  readonly validate_only?: boolean;
  readonly message?: { readonly notification?: { readonly title?: string } };
}

export class Sink {
  readonly deliveries: Delivery[] = [];
  readonly #server: Server;
  readonly #nowMs: () => number;
  #calls = 0;

  private constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#server = createServer((request, response) => void this.#answer(request, response));
  }

  /** `nowMs` is the clock of the run. */
  static async start(nowMs: () => number): Promise<Sink> {
    const sink = new Sink(nowMs);
    await new Promise<void>((resolve) => sink.#server.listen(0, '127.0.0.1', resolve));
    return sink;
  }

  /** Settings with which an engine sends here. */
  get environment(): Readonly<Record<string, string>> {
    const address = this.#server.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    return {
      ENGAGE_FCM_URL: `http://127.0.0.1:${port}`,
      ENGAGE_GOOGLE_TOKEN_URL: `http://127.0.0.1:${port}/token`,
      ENGAGE_ALLOW_PRIVATE_NETWORKS: '1',
    };
  }

  close(): void {
    this.#server.closeAllConnections();
    this.#server.close();
  }

  async #answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    let text = '';
    try {
      for await (const bytes of request) text += String(bytes);
    } catch {
      return; // the caller died in the middle: nothing was taken
    }
    response.setHeader('content-type', 'application/json');
    if (request.url === '/token') {
      response.end('{"access_token":"rig","expires_in":3600,"token_type":"Bearer"}');
      return;
    }
    const { validate_only: isTrial, message }: FcmCall = JSON.parse(text);
    const key = message?.notification?.title;
    if (isTrial !== true && key !== undefined) this.deliveries.push({ key, atMs: this.#nowMs() });
    response.end(JSON.stringify({ name: `projects/rig-project/messages/${++this.#calls}` }));
  }
}

/** A service account that the sink believes. */
export function serviceAccount(): object {
  const { privateKey } = generateKeyPairSync('rsa', {
    modulusLength: 2048,
    publicKeyEncoding: { type: 'spki', format: 'pem' },
    privateKeyEncoding: { type: 'pkcs8', format: 'pem' },
  });
  return {
    type: 'service_account',
    project_id: 'rig-project',
    client_email: 'sender@rig-project.iam.example.com',
    private_key: privateKey,
  };
}
