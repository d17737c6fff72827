// Minimal HTTP, HTTP/2 and SMTP servers in their own process, so that a sender's figure is the
// sender's. They accept everything and inspect no message.

import { type ChildProcess, fork } from 'node:child_process';
import { createServer as createHttp2Server } from 'node:http2';
import { createServer, type Server } from 'node:net';
import { fileURLToPath } from 'node:url';

interface ProviderSink {
  readonly httpPort: number;
  readonly smtpPort: number;
  /** HTTP/2 without TLS, as APNs answers. */
  readonly http2Port: number;
  stop(): void;
}

export function startSink(): Promise<ProviderSink> {
  const child: ChildProcess = fork(fileURLToPath(import.meta.url), ['--sink'], {
    execArgv: ['--import', 'tsx'],
  });
  return new Promise((resolve, reject) => {
    child.once('message', (ports) => {
      const [httpPort, smtpPort, http2Port] = ports as [number, number, number];
      resolve({ httpPort, smtpPort, http2Port, stop: () => void child.kill() });
    });
    child.once('error', reject);
    child.once('exit', (code) => reject(new Error(`the sink ended with code ${code}`)));
  });
}

if (process.argv[2] === '--sink') {
  const servers = [httpSink(), smtpSink(), http2Sink()];
  void Promise.all(servers.map(portOf)).then((ports) => process.send?.(ports));
  process.once('disconnect', () => process.exit(0)); // the bench is gone
}

// Each provider's success answer.
const answer = withBody(
  '{"name":"projects/p/messages/0:1","status":0,"error":0,"messageList":[{"messageId":"1","statusCode":"2000"}],"MessageId":"1","MessageID":"1","ErrorCode":0,"messageId":"<1@x>","id":"1"}',
);
/** SendGrid's, which has no body. */
const accepted = 'HTTP/1.1 202 Accepted\r\nx-message-id: 1\r\ncontent-length: 0\r\n\r\n';

function withBody(body: string): string {
  return `HTTP/1.1 200 OK\r\ncontent-length: ${body.length}\r\n\r\n${body}`;
}

/** The answer to a call for several mails: Postmark's is a list, Resend's an object with one. */
function batchReply(body: string): string {
  const mails: unknown[] = JSON.parse(body);
  const isPostmark = body.startsWith('[{"From"');
  const one = isPostmark ? { ErrorCode: 0, MessageID: '1', Message: 'OK' } : { id: '1' };
  const all = mails.map(() => one);
  return withBody(JSON.stringify(isPostmark ? all : { data: all }));
}

function replyTo(head: string): (body: string) => string {
  if (/^POST \/emails?\/batch /.test(head)) return batchReply;
  return head.startsWith('POST /v3/mail/send ') ? () => accepted : () => answer;
}

function httpSink(): Server {
  return createServer((socket) => {
    socket.setNoDelay(true).on('error', () => {});
    let wanted = -1; // bytes of the body still to come; -1 while reading the head
    let head = '';
    let reply: (body: string) => string = () => answer;
    let body = '';
    socket.on('data', (chunk) => {
      let rest: Buffer = Buffer.from(chunk);
      while (rest.length > 0) {
        if (wanted < 0) {
          head += rest.toString('latin1');
          const end = head.indexOf('\r\n\r\n');
          if (end < 0) return;
          reply = replyTo(head);
          wanted = Number(/content-length: (\d+)/i.exec(head)?.[1] ?? 0);
          rest = rest.subarray(rest.length - (head.length - end - 4));
          head = '';
        }
        const taken = Math.min(wanted, rest.length);
        wanted -= taken;
        if (reply === batchReply) body += rest.toString('latin1', 0, taken);
        rest = rest.subarray(taken);
        if (wanted === 0) {
          wanted = -1;
          socket.write(reply(body));
          body = '';
        }
      }
    });
  });
}

function http2Sink(): Server {
  const server = createHttp2Server({ settings: { maxConcurrentStreams: 1_000 } });
  server.on('stream', (stream) => {
    stream.on('error', () => {}).resume();
    stream.respond({ ':status': 200, 'apns-id': '0' }, { endStream: true });
  });
  return server;
}

function smtpSink(): Server {
  return createServer((socket) => {
    socket.setNoDelay(true).on('error', () => {});
    let inData = false;
    let received = '';
    socket.write('220 sink ESMTP\r\n');
    socket.on('data', (chunk) => {
      received += chunk.toString('latin1');
      let out = '';
      for (;;) {
        const end = received.indexOf(inData ? '\r\n.\r\n' : '\r\n');
        if (end < 0) {
          // What has come of a mail is not looked through again.
          if (inData) received = received.slice(-4);
          break;
        }
        const line = received.slice(0, 4);
        received = received.slice(end + (inData ? 5 : 2));
        if (inData) {
          inData = false;
          out += '250 2.0.0 queued\r\n';
        } else if (line === 'EHLO') out += '250-sink\r\n250 PIPELINING\r\n';
        else if (line === 'DATA') {
          inData = true;
          out += '354 go\r\n';
        } else out += '250 ok\r\n';
      }
      if (out !== '') socket.write(out);
    });
  });
}

function portOf(server: Server): Promise<number> {
  return new Promise((resolve) => {
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      resolve(typeof address === 'object' && address !== null ? address.port : 0);
    });
  });
}
