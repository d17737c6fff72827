// Brings another server's files of a partition.

import { Readable } from 'node:stream';
import type { Millis } from '../../engine/base/brand.ts';
import type { PeerClient, PeerFlow } from '../../engine/peers/peer-call.ts';
import { receiveCopy } from './copy-stream.ts';

/** The other server copies its files first. */
const answerMs: Millis = 600_000;

/** Whole below `into`, or nothing. False if the other server has no copy, or does not answer. */
export async function fetchPartitionCopy(
  client: PeerClient,
  address: string,
  partition: number,
  into: string,
): Promise<boolean> {
  const stream = await opened(client, address, `/partitions/${partition}/copy`);
  if (stream === undefined) return false;
  await receiveCopy(stream, into);
  return true;
}

function opened(client: PeerClient, address: string, path: string): Promise<Readable | undefined> {
  return new Promise((resolve) => {
    let flow: PeerFlow | undefined;
    const stream = new Readable({
      read: () => flow?.resume(),
      destroy: (error, done) => {
        flow?.abort();
        done(error);
      },
    });
    client.call(
      { address, method: 'GET', path, timeoutMs: answerMs },
      {
        head(status, _headers, opened) {
          flow = opened;
          if (status !== 200) opened.abort();
          resolve(status === 200 ? stream : undefined);
        },
        part(bytes) {
          if (!stream.push(bytes)) flow?.pause();
        },
        end: () => void stream.push(null),
        failed() {
          resolve(undefined);
          stream.destroy(new Error('the connection to the other server was lost'));
        },
      },
    );
  });
}
