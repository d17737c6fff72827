// Two mail services in this process that remember who got what: Postmark's calls and Brevo's. One
// of them can die: its connections break in the middle of calls, and new ones are refused.

import { createServer, type IncomingMessage, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';

/** A mail that a service has read. */
interface TakenMail {
  readonly to: string;
  readonly subject: string;
}

interface MailService {
  readonly url: string;
  readonly taken: number;
  /** Mails of calls that were read, but not answered. */
  die(): readonly TakenMail[];
  /** Listens again, at the same address. */
  revive(): Promise<void>;
  close(): void;
}

type OnMail = (mail: TakenMail, atMs: number) => void;

/** Answers after `answerMs`, as a service across the internet does. */
export async function startPostmark(onMail: OnMail, answerMs: number): Promise<MailService> {
  return start(onMail, answerMs, (path, body) => {
    const given = JSON.parse(body) as PostmarkMail | readonly PostmarkMail[];
    const isBatch = path === '/email/batch';
    const mails = (isBatch ? given : [given]) as readonly PostmarkMail[];
    const answers = mails.map(({ To }) => ({ ErrorCode: 0, Message: 'OK', MessageID: 'm', To }));
    return {
      mails: mails.map(({ To, Subject }) => ({ to: To, subject: Subject })),
      answer: JSON.stringify(isBatch ? answers : answers[0]),
    };
  });
}

export async function startBrevo(onMail: OnMail, answerMs: number): Promise<MailService> {
  return start(onMail, answerMs, (_path, body) => {
    const { to, subject } = JSON.parse(body) as BrevoMail;
    return {
      mails: to.map(({ email }) => ({ to: email, subject })),
      answer: '{"messageId":"<m>"}',
    };
  });
}

interface PostmarkMail {
  readonly To: string;
  readonly Subject: string;
}

interface BrevoMail {
  readonly to: readonly { readonly email: string }[];
  readonly subject: string;
}

type Read = (
  path: string,
  body: string,
) => { readonly mails: readonly TakenMail[]; readonly answer: string };

async function start(onMail: OnMail, answerMs: number, read: Read): Promise<MailService> {
  let taken = 0;
  const unanswered = new Set<readonly TakenMail[]>();
  const listen = (port: number) => {
    const server = createServer((request, response) => {
      void textOf(request).then((text) => {
        if (text === undefined) return;
        const { mails, answer } = read(request.url ?? '', text);
        const nowMs = performance.now();
        for (const mail of mails) onMail(mail, nowMs);
        taken += mails.length;
        unanswered.add(mails);
        setTimeout(() => {
          if (!unanswered.delete(mails)) return;
          response.setHeader('content-type', 'application/json').end(answer);
        }, answerMs);
      });
    });
    return new Promise<Server>((resolve) =>
      server.listen(port, '127.0.0.1', () => resolve(server)),
    );
  };
  let server = await listen(0);
  const { port } = server.address() as AddressInfo;
  const end = () => {
    server.close();
    server.closeAllConnections();
  };
  return {
    url: `http://127.0.0.1:${port}`,
    get taken() {
      return taken;
    },
    die() {
      const open = [...unanswered].flat();
      unanswered.clear();
      end();
      return open;
    },
    async revive() {
      server = await listen(port);
    },
    close: end,
  };
}

/** `undefined` if the connection broke meanwhile. */
function textOf(request: IncomingMessage): Promise<string | undefined> {
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.once('end', () => resolve(Buffer.concat(chunks).toString()));
    request.once('error', () => resolve(undefined));
  });
}
