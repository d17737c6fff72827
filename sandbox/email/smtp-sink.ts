// An SMTP server for benchmarks only: takes every mail, keeps nothing, checks nothing, about 60,000
// mails a second and core. It must never stand where correctness is judged; smtp.ts does that with
// an independent implementation.

import { createServer, type Socket } from 'node:net';

const endOfData = '\r\n.\r\n';

/** A running sink. */
export interface SmtpSink {
  /** `smtp://127.0.0.1:<port>`. */
  readonly url: string;
  /** Mails taken so far. */
  accepted(): number;
  close(): Promise<void>;
}

/** Listens on a loopback port; 0 takes any free one. Offers PIPELINING. */
export async function startSmtpSink(port = 0): Promise<SmtpSink> {
  let accepted = 0;
  const sockets = new Set<Socket>();
  const server = createServer((socket) => {
    sockets.add(socket);
    socket.setNoDelay(true);
    // a sender that is killed in mid-mail is part of a benchmark
    socket.on('error', () => undefined);
    socket.on('close', () => sockets.delete(socket));
    socket.write('220 sink ESMTP\r\n');
    const feed = conversation(() => accepted++);
    socket.on('data', (chunk) => {
      const replies = feed(chunk.toString('latin1'));
      if (replies !== '') socket.write(replies);
      if (replies.endsWith(goodbye)) socket.end();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', resolve);
  });
  const address = server.address();
  return {
    url: `smtp://127.0.0.1:${typeof address === 'object' && address ? address.port : port}`,
    accepted: () => accepted,
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

const goodbye = '221 2.0.0 bye\r\n';

/** One connection's state: text in, the replies it earns out. */
function conversation(onMail: () => void): (text: string) => string {
  let pending = '';
  let inData = false;
  return (text) => {
    pending += text;
    let replies = '';
    for (;;) {
      if (inData) {
        // A mail whose body is empty ends with a dot on the first line.
        const end = pending.startsWith('.\r\n') ? -2 : pending.indexOf(endOfData);
        if (end === -1) return replies;
        pending = pending.slice(end + endOfData.length);
        inData = false;
        onMail();
        replies += '250 2.0.0 OK: queued\r\n';
        continue;
      }
      const end = pending.indexOf('\r\n');
      if (end === -1) return replies;
      const verb = pending.slice(0, 4).toUpperCase();
      pending = pending.slice(end + 2);
      replies += replyTo(verb);
      inData = verb === 'DATA';
    }
  };
}

function replyTo(verb: string): string {
  switch (verb) {
    case 'EHLO':
      return '250-sink\r\n250-PIPELINING\r\n250-8BITMIME\r\n250 SIZE 10485760\r\n';
    case 'DATA':
      return '354 go ahead\r\n';
    case 'QUIT':
      return goodbye;
    default:
      return '250 2.0.0 OK\r\n';
  }
}
