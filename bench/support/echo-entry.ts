// A thread that echoes each message: through the product's batched link, or bare by postMessage.

import { parentPort } from 'node:worker_threads';
import { type HostedStart, serveThread } from '../../engine/thread/host.ts';
import { Link } from '../../engine/thread/link.ts';
import type { AnswerItem, RequestItem } from '../../engine/thread/wire.ts';

export interface EchoData {
  readonly way: 'link' | 'bare';
}

/** Called by the thread's boot with its `workerData`. */
export const start = (data: HostedStart<EchoData>): Promise<void> =>
  serveThread(echo, data, parentPort);

async function echo({ port, data }: HostedStart<EchoData>): Promise<() => Promise<void>> {
  if (data.way === 'bare') {
    port.on('message', (message) => port.postMessage(message));
    return async () => undefined;
  }
  const link: Link<AnswerItem, RequestItem> = new Link(
    port,
    ([correlation, , , , , message], bytes) => {
      link.send([correlation, { ok: true, value: message }], bytes);
    },
  );
  return async () => link.flush();
}
