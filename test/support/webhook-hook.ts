// A receiver of webhooks on this machine, as a customer's server would be: it keeps what comes, and
// checks it with the library of Standard Webhooks and with the code of docs/WEBHOOKS.md.

import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { Webhook } from 'standardwebhooks';
import type { Test } from 'tap';
import { documentedScripts } from './documented-code.ts';

interface Hooked {
  readonly headers: IncomingHttpHeaders;
  readonly body: string;
}

interface HookedEvent {
  readonly id: string;
  readonly type: string;
  readonly externalUserId: string | null;
  readonly sendId: string | null;
  readonly campaignId: string | null;
  readonly channel: string | null;
  readonly at: string;
  readonly seq: number;
  readonly meta: Readonly<Record<string, unknown>>;
}

/** `answer` decides the status of each request. */
export async function webhookHook(t: Test, answer: (nth: number) => number = () => 204) {
  const got: Hooked[] = [];
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      got.push({ headers: request.headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(answer(got.length)).end();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const { verifyWebhook } = await import(
    pathToFileURL(join(documentedScripts(t, 'docs/WEBHOOKS.md'), 'verify-webhook.mjs')).href
  );
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/hook`,
    got,
    events: (): HookedEvent[] => got.map(({ body }) => JSON.parse(body)),
    /** Throws if any of the deliveries is not what the documentation says. */
    verifyAll(secret: string): void {
      for (const { headers, body } of got) {
        const event = JSON.parse(body);
        assert.deepEqual(
          new Webhook(secret).verify(body, headers as Record<string, string>),
          event,
        );
        assert.deepEqual(verifyWebhook(secret, headers, body), event);
        const timestamp = headers['x-engage-timestamp'];
        const hex = (text: string) => createHmac('sha256', secret).update(text).digest('hex');
        assert.equal(headers['x-engage-signature'], hex(body));
        assert.equal(headers['x-engage-signature-v2'], hex(`${timestamp}.${body}`));
        assert.equal(headers['x-engage-event'], event.type);
        assert.equal(headers['x-engage-delivery-id'], event.id);
      }
    },
  };
}
