// Returns of accepted mail: bounces and complaints, sent later to the return path on this machine,
// with retries while the product answers "not now". Finally dropped, as by a real server.

import { connect } from 'node:net';
import { type ControlRoute, ok } from '../control-route.ts';

/** By the start of the recipient's local part. */
export const laterReturns = [
  { prefix: 'lategone', says: 'accepted; later a bounce: 550 5.1.1, no such mailbox' },
  { prefix: 'latefull', says: 'accepted; later a bounce: 552 5.2.2, mailbox full' },
  {
    prefix: 'latedelay',
    says: 'accepted; later a report that it is delayed, which changes nothing',
  },
  { prefix: 'complain', says: 'accepted; later a complaint: reported as spam' },
] as const;

export type LaterReturn = (typeof laterReturns)[number]['prefix'];

interface TakenMail {
  readonly returnPath: string;
  readonly to: string;
  readonly source: Buffer;
}

const delayMs = 100;
const triesMax = 5;
const answerMsMax = 10_000;
/** Pending returns; more never come back. */
const waitingMax = 5_000;
/** Of the returned mail: header and some body. */
const returnedBytesMax = 16 * 1024;

/** The return that this recipient triggers. */
export function laterReturnTo(address: string): LaterReturn | undefined {
  const lower = address.toLowerCase();
  return laterReturns.find(({ prefix }) => lower.startsWith(prefix))?.prefix;
}

export class ReturnedMails {
  readonly #server: { readonly host: string; readonly port: number } | undefined;
  readonly #timers = new Set<NodeJS.Timeout>();
  readonly #counts = { taken: 0, refused: 0, unanswered: 0, dropped: 0 };

  constructor(server: { readonly host: string; readonly port: number } | undefined) {
    this.#server = server;
  }

  /** Unless the return path is empty or has no domain. */
  play(kind: LaterReturn, mail: TakenMail): void {
    if (this.#server === undefined || !mail.returnPath.includes('@')) return;
    if (this.#timers.size >= waitingMax) {
      this.#counts.dropped++;
      return;
    }
    this.#later(reportOf(kind, mail), mail.returnPath, 1);
  }

  readonly controls: readonly ControlRoute[] = [
    {
      method: 'GET',
      path: '/email/returns',
      about: 'How many bounces and complaints went back to the product, and how they fared.',
      handle: () =>
        ok({
          bouncePort: this.#server?.port ?? null,
          waiting: this.#timers.size,
          ...this.#counts,
        }),
    },
  ];

  close(): void {
    for (const timer of this.#timers) clearTimeout(timer);
    this.#timers.clear();
  }

  #later(report: string, to: string, tries: number): void {
    const timer = setTimeout(
      () => {
        this.#timers.delete(timer);
        void this.#send(report, to, tries);
      },
      delayMs * 4 ** (tries - 1),
    );
    timer.unref();
    this.#timers.add(timer);
  }

  async #send(report: string, to: string, tries: number): Promise<void> {
    const code = this.#server === undefined ? 0 : await mailTo(this.#server, to, report);
    if (code >= 200 && code < 300) this.#counts.taken++;
    else if (code >= 500) this.#counts.refused++;
    else if (tries < triesMax) this.#later(report, to, tries + 1);
    else this.#counts.unanswered++;
  }
}

/** Sends mail with an empty sender. Resolves with the final reply's code; 0 if none. */
function mailTo(
  { host, port }: { readonly host: string; readonly port: number },
  to: string,
  source: string,
): Promise<number> {
  const commands = ['EHLO mx.sandbox.example', 'MAIL FROM:<>', `RCPT TO:<${to}>`, 'DATA', source];
  return new Promise((resolve) => {
    const socket = connect({ host, port });
    let heard = '';
    const end = (code: number) => {
      socket.destroy();
      resolve(code);
    };
    socket.setTimeout(answerMsMax, () => end(0));
    socket.setEncoding('latin1');
    socket.once('error', () => end(0)).once('close', () => end(0));
    socket.on('data', (text: string) => {
      heard += text;
      // A reply's last line has no dash after its code.
      const reply = /^(?:\d{3}-.*\r\n)*(\d{3}) .*\r\n/.exec(heard);
      if (reply === null) return;
      heard = heard.slice(reply[0].length);
      const code = Number(reply[1]);
      const next = commands.shift();
      if (code >= 400 || next === undefined) end(code);
      else socket.write(next === source ? dotted(next) : `${next}\r\n`, 'latin1');
    });
  });
}

function dotted(source: string): string {
  return `${source.replace(/^\./gm, '..')}\r\n.\r\n`;
}

/** A delivery report (RFC 3464) or complaint (ARF, RFC 5965) with the mail's start. */
function reportOf(kind: LaterReturn, { to, returnPath, source }: TakenMail): string {
  const [type, fields] = kind === 'complain' ? complaint(to, returnPath) : deliveryReport(kind, to);
  const boundary = '=_sandbox_report';
  return [
    'From: MAILER-DAEMON@mx.sandbox.example',
    `To: ${returnPath}`,
    `Subject: ${kind === 'complain' ? 'Abuse report' : 'Delivery report'}`,
    'MIME-Version: 1.0',
    `Content-Type: multipart/report; report-type=${type};`,
    ` boundary="${boundary}"`,
    '',
    `--${boundary}`,
    'Content-Type: text/plain; charset=us-ascii',
    '',
    'The sandbox made this report because of the name of the recipient.',
    '',
    `--${boundary}`,
    `Content-Type: message/${type}`,
    '',
    ...fields,
    '',
    `--${boundary}`,
    'Content-Type: message/rfc822',
    '',
    source.toString('latin1', 0, returnedBytesMax),
    '',
    `--${boundary}--`,
  ].join('\r\n');
}

function deliveryReport(kind: LaterReturn, to: string): readonly [string, readonly string[]] {
  const [action, status, words] = statuses[kind] ?? statuses.lategone;
  return [
    'delivery-status',
    [
      'Reporting-MTA: dns; mx.sandbox.example',
      '',
      `Final-Recipient: rfc822; ${to}`,
      `Action: ${action}`,
      `Status: ${status}`,
      `Diagnostic-Code: smtp; ${words}`,
    ],
  ];
}

const statuses: Readonly<
  Record<LaterReturn, readonly [action: string, status: string, words: string]>
> = {
  lategone: ['failed', '5.1.1', '550 5.1.1 The email account does not exist'],
  latefull: ['failed', '5.2.2', '552 5.2.2 The mailbox is full'],
  latedelay: ['delayed', '4.4.1', '451 4.4.1 No answer from the host'],
  complain: ['delivered', '2.0.0', '250 2.0.0 OK'],
};

function complaint(to: string, returnPath: string): readonly [string, readonly string[]] {
  return [
    'feedback-report',
    [
      'Feedback-Type: abuse',
      'User-Agent: Engage-Sandbox/1',
      'Version: 1',
      `Original-Mail-From: <${returnPath}>`,
      `Original-Rcpt-To: <${to}>`,
    ],
  ];
}
