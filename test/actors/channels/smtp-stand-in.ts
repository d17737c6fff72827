// A scripted SMTP server on loopback for the tests of email.

import { type AddressInfo, createServer, type Socket } from 'node:net';

/** The replies of the server by step; `hang` is silence, `cut` ends the connection. */
export interface SmtpBehavior {
  greeting?: string;
  /** Lines of the EHLO reply after the first. */
  extensions?: string[];
  auth?: string;
  mail?: string;
  rcpt?: string;
  /** By the command, instead of `rcpt`. */
  rcptOf?: (line: string) => string;
  data?: string;
  final?: string;
}

interface SmtpStandIn {
  url: string;
  port: number;
  /** Everything between DATA and the final dot, dots still stuffed. */
  messages: string[];
  /** Every command line, in order, over all connections. */
  commands: string[];
  connections(): number;
  meet(behavior: SmtpBehavior): void;
  /** Answers all hanging steps with 250. */
  release(): void;
  /** Closes all connections, as a relay does with idle ones. */
  hangUp(): void;
  close(): Promise<void>;
}

/** A small SMTP server on a free loopback port. It pipelines when its extensions say so. */
export async function smtpStandIn(first: SmtpBehavior = {}): Promise<SmtpStandIn> {
  const script: Script = { behavior: first, messages: [], commands: [], held: new Set() };
  const sockets = new Set<Socket>();
  let opened = 0;
  const server = createServer((socket) => {
    opened++;
    sockets.add(socket);
    socket.on('close', () => sockets.delete(socket));
    new Conversation(script, socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `smtp://127.0.0.1:${port}`,
    port,
    messages: script.messages,
    commands: script.commands,
    connections: () => opened,
    meet(next) {
      script.behavior = next;
    },
    release() {
      for (const socket of script.held) socket.write('250 2.0.0 late\r\n');
      script.held.clear();
    },
    hangUp() {
      for (const socket of sockets) socket.destroy();
    },
    close() {
      for (const socket of sockets) socket.destroy();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

/** What all conversations of a server share. */
interface Script {
  behavior: SmtpBehavior;
  readonly messages: string[];
  readonly commands: string[];
  /** Sockets that get no reply until they are released. */
  readonly held: Set<Socket>;
}

class Conversation {
  readonly #script: Script;
  readonly #socket: Socket;
  #received = '';
  #isInData = false;
  #loginSteps = 0;

  constructor(script: Script, socket: Socket) {
    this.#script = script;
    this.#socket = socket;
    socket.setNoDelay(true); // small replies must not wait for each other's acknowledgment
    socket.on('error', () => {});
    socket.on('data', (chunk) => {
      this.#received += chunk.toString('latin1');
      while (this.#isInData ? this.#readMessage() : this.#readCommand());
    });
    this.#say(script.behavior.greeting ?? '220 stand-in ESMTP');
  }

  #say(text: string): void {
    const { held } = this.#script;
    if (held.has(this.#socket)) return; // once silent, always silent
    if (text === 'cut') this.#socket.destroy();
    else if (text === 'hang') held.add(this.#socket);
    else this.#socket.write(`${text}\r\n`);
  }

  /** False while the message is not complete. */
  #readMessage(): boolean {
    const isEmpty = this.#received.startsWith('.\r\n');
    const end = isEmpty ? 0 : this.#received.indexOf('\r\n.\r\n');
    if (end < 0) return false;
    const skip = isEmpty ? 0 : 2;
    this.#script.messages.push(this.#received.slice(0, end + skip));
    this.#received = this.#received.slice(end + skip + 3);
    this.#isInData = false;
    this.#say(this.#script.behavior.final ?? '250 2.0.0 queued');
    return true;
  }

  /** False while no whole line is there. */
  #readCommand(): boolean {
    const end = this.#received.indexOf('\r\n');
    if (end < 0) return false;
    const line = this.#received.slice(0, end);
    this.#received = this.#received.slice(end + 2);
    this.#script.commands.push(line);
    if (line === 'QUIT' && this.#loginSteps === 0) this.#socket.end('221 bye\r\n');
    else this.#say(this.#replyTo(line));
    return true;
  }

  #replyTo(line: string): string {
    const { extensions, auth, mail, rcpt, rcptOf, data } = this.#script.behavior;
    if (this.#loginSteps > 0)
      return --this.#loginSteps > 0 ? '334 UGFzc3dvcmQ6' : (auth ?? '235 ok');
    if (line.startsWith('EHLO')) {
      const lines = ['stand-in', ...(extensions ?? ['PIPELINING', 'SIZE 1048576'])];
      return lines.map((text, i) => `250${i === lines.length - 1 ? ' ' : '-'}${text}`).join('\r\n');
    }
    if (/^AUTH (PLAIN|OAUTHBEARER) /.test(line)) return auth ?? '235 2.7.0 ok';
    if (line === 'AUTH LOGIN') {
      this.#loginSteps = 2;
      return '334 VXNlcm5hbWU6';
    }
    if (line.startsWith('MAIL')) return mail ?? '250 2.1.0 ok';
    if (line.startsWith('RCPT')) return rcptOf?.(line) ?? rcpt ?? '250 2.1.5 ok';
    if (line !== 'DATA') return '250 ok';
    const isRefused = (mail ?? rcpt ?? '').startsWith('5');
    const reply = data ?? (isRefused ? '503 5.5.1 no recipient' : '354 go');
    this.#isInData = reply.startsWith('354');
    return reply;
  }
}
