// Receivers of webhooks in a process of their own: `/good` answers at once and notes how long after
// its event each delivery came, `/hang` never answers.

import { fork } from 'node:child_process';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { fileURLToPath } from 'node:url';

interface WebhookSink {
  readonly port: number;
  /** Milliseconds from event to arrival at `/good`, since the last question. */
  lags(): Promise<readonly number[]>;
  stop(): void;
}

export function startWebhookSink(): Promise<WebhookSink> {
  const child = fork(fileURLToPath(import.meta.url), ['--webhooks'], {
    execArgv: ['--import', 'tsx'],
  });
  const lags = () =>
    new Promise<readonly number[]>((resolve) => {
      child.once('message', (message) => resolve(message as number[]));
      child.send('lags');
    });
  return new Promise((resolve, reject) => {
    child.once('message', (port) =>
      resolve({ port: Number(port), lags, stop: () => void child.kill() }),
    );
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the sink ended with code ${code}`)));
  });
}

if (process.argv[2] === '--webhooks') {
  let lags: number[] = [];
  const server = createServer((request, response) => {
    if (request.url === '/hang') request.resume();
    else void note(request, response, (lag) => lags.push(lag));
  });
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port));
  process.on('message', () => {
    process.send?.(lags);
    lags = [];
  });
  process.once('disconnect', () => process.exit(0)); // the bench is gone
}

async function note(
  request: IncomingMessage,
  response: ServerResponse,
  say: (lag: number) => void,
): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const { at } = JSON.parse(Buffer.concat(chunks).toString()) as { readonly at: string };
  say(Date.now() - Date.parse(at));
  response.end('ok');
}
