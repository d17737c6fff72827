// The stand-in resolver: answers over UDP from the zone. Answers are short enough for the datagrams
// that resolvers accept on one machine, so there is no TCP.

import { createSocket } from 'node:dgram';
import { readQuestion, typeOf, writeAnswer } from './dns-message.ts';
import type { Zone } from './zone.ts';

interface DnsServer {
  readonly port: number;
  close(): Promise<void>;
}

/** `port` 0 picks a free one. Rejects if the port is in use. */
export async function startDnsServer(zone: Zone, host: string, port: number): Promise<DnsServer> {
  const socket = createSocket(host.includes(':') ? 'udp6' : 'udp4');
  socket.on('message', (bytes, from) => {
    const question = readQuestion(bytes);
    if (question === undefined) return;
    const resolved = zone.resolve(question.name, typeOf(question));
    if (resolved.status !== 'silence')
      socket.send(writeAnswer(question, resolved), from.port, from.address);
  });
  await new Promise<void>((resolve, reject) => {
    socket.once('error', reject);
    socket.bind(port, host, () => {
      socket.off('error', reject);
      socket.on('error', () => undefined); // an asker that is gone
      resolve();
    });
  });
  return {
    port: socket.address().port,
    close: () => new Promise((resolve) => socket.close(() => resolve())),
  };
}
