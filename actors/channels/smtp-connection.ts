// One conversation with a mail relay: connect, greet, encrypt, log in, then message after message (RFC 5321, 2920,
// 3207, 4954). It knows at every moment how far a message has come. Easily got wrong: a connection lost after the
// final dot has left and before its reply is ambiguous; anything earlier is not, because without the dot the relay
// must throw the message away.

import { connect as connectTcp, isIP, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Bytes, Millis } from '../../engine/base/brand.ts';

/** How to reach the relay, read from the operator's URL. */
export interface Relay {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS is used wherever it is offered. */
  readonly implicitTls: boolean;
  readonly user?: string;
  readonly password?: string;
  /** What to call ourselves in EHLO. */
  readonly clientName: string;
  /** Certificates to trust instead of the system's, in PEM. */
  readonly certificateAuthorities?: string;
}

export interface SmtpTimeouts {
  readonly connectMs: Millis;
  /** For each reply but the last. */
  readonly replyMs: Millis;
  /** For the reply to the final dot: relays scan the message before they answer. */
  readonly finalMs: Millis;
}

/** A message as it goes out: `data` is ASCII with CRLF line ends, not yet dot-stuffed. */
export interface SmtpMessage {
  readonly from: string;
  readonly to: string;
  readonly data: string;
}

export interface SmtpReply {
  readonly code: number;
  /** RFC 3463, such as `5.1.1`; absent where the relay gives none. */
  readonly enhanced?: string;
  readonly text: string;
}

/** How far a conversation had come. */
export type SmtpStage =
  | 'connect'
  | 'greeting'
  | 'tls'
  | 'auth'
  | 'mail'
  | 'rcpt'
  | 'data'
  | 'final';

/** What came of a message. */
export type SmtpResult =
  | { readonly kind: 'accepted'; readonly reply: SmtpReply }
  /** The relay said no. */
  | { readonly kind: 'refused'; readonly stage: SmtpStage; readonly reply: SmtpReply }
  /** The final dot never left: safe to send again. */
  | { readonly kind: 'unsent'; readonly stage: SmtpStage; readonly reason: string }
  /** The final dot left and no reply came. */
  | { readonly kind: 'unanswered'; readonly reason: 'timeout' | 'connection_lost' };

/** Ends a conversation: why, and at what stage. */
export class SmtpFailure extends Error {
  override readonly name = 'SmtpFailure';
  readonly result: Exclude<SmtpResult, { kind: 'accepted' }>;
  constructor(result: Exclude<SmtpResult, { kind: 'accepted' }>) {
    super('the conversation ended');
    this.result = result;
  }
}

const replyBytesMax: Bytes = 64 * 1024;

/** A connection that is ready for messages, one at a time. */
export class SmtpConnection {
  readonly #timeouts: SmtpTimeouts;
  #socket: Socket;
  #received = '';
  readonly #replies: SmtpReply[] = [];
  #waiting: { resolve: (reply: SmtpReply) => void; reject: (lost: Lost) => void } | undefined;
  #lost: Lost | undefined;
  #extensions = new Map<string, string>();
  /** The relay still holds half a message, after a refusal; it is told to forget it along with the next one. */
  #unfinished = false;
  /** Messages tried on this connection so far. */
  tried = 0;

  private constructor(socket: Socket, timeouts: SmtpTimeouts) {
    this.#socket = socket;
    this.#timeouts = timeouts;
    this.#listen(socket);
  }

  /** Connects, encrypts where possible, and logs in. Rejects with `SmtpFailure`. */
  static async open(relay: Relay, timeouts: SmtpTimeouts): Promise<SmtpConnection> {
    const connection = new SmtpConnection(await openSocket(relay, timeouts.connectMs), timeouts);
    try {
      await connection.#introduce(relay);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Whether it can take another message. A relay that spoke without being asked (a 421) cannot be trusted to. */
  get usable(): boolean {
    return this.#lost === undefined && this.#replies.length === 0;
  }

  /** Sends one message and resolves with what came of it. Never rejects. */
  async send(message: SmtpMessage): Promise<SmtpResult> {
    this.tried++;
    const sizeMax = Number(this.#extensions.get('SIZE') || Number.POSITIVE_INFINITY);
    if (message.data.length > sizeMax) {
      const reply = { code: 552, enhanced: '5.3.4', text: 'larger than the relay takes' };
      return { kind: 'refused', stage: 'mail', reply };
    }
    const commands: Command[] = [
      { stage: 'mail', text: `MAIL FROM:<${message.from}>\r\n`, wanted: 2 },
      { stage: 'rcpt', text: `RCPT TO:<${message.to}>\r\n`, wanted: 2 },
      { stage: 'data', text: 'DATA\r\n', wanted: 3 },
    ];
    if (this.#unfinished) commands.unshift({ stage: 'mail', text: 'RSET\r\n', wanted: 2 });
    this.#unfinished = true;

    const pipelining = this.#extensions.has('PIPELINING');
    if (pipelining) this.#write(commands.map((command) => command.text).join(''));
    let refused: SmtpResult | undefined;
    let stage: SmtpStage = 'mail';
    try {
      for (const command of commands) {
        stage = command.stage;
        if (!pipelining) this.#write(command.text);
        const reply = await this.#reply(this.#timeouts.replyMs);
        const agreed = Math.floor(reply.code / 100) === command.wanted;
        if (!agreed) refused ??= { kind: 'refused', stage, reply };
        if (refused === undefined) continue;
        if (!pipelining) return refused;
        // The relay waits for a message that has no recipient; an empty one lets it go on (RFC 2920 3.1).
        if (agreed && stage === 'data') {
          this.#write('.\r\n');
          await this.#reply(this.#timeouts.replyMs);
        }
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      return refused ?? { kind: 'unsent', stage, reason: error.reason };
    }
    return refused ?? this.#transfer(message.data);
  }

  /** Says goodbye and closes; waits for nothing. */
  quit(): void {
    if (this.#lost === undefined) {
      this.#lost = new Lost('connection_lost');
      this.#socket.end('QUIT\r\n');
      this.#socket.setTimeout(1000, () => this.#socket.destroy());
    }
  }

  /** Closes at once; what is in flight ends as the stage says. */
  destroy(): void {
    this.#lose('connection_lost');
  }

  async #transfer(data: string): Promise<SmtpResult> {
    const stuffed = data.startsWith('.') ? `.${data}` : data;
    const wire = `${stuffed.replaceAll('\r\n.', '\r\n..')}${data.endsWith('\r\n') ? '' : '\r\n'}.\r\n`;
    // Until the kernel has taken the last byte, the final dot cannot have reached anybody.
    let dotLeft = false;
    this.#socket.write(wire, 'latin1', (error) => {
      if (!error) dotLeft = true;
    });
    try {
      const reply = await this.#reply(this.#timeouts.finalMs);
      this.#unfinished = false;
      if (reply.code >= 200 && reply.code < 300) return { kind: 'accepted', reply };
      return { kind: 'refused', stage: 'final', reply };
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      if (dotLeft) return { kind: 'unanswered', reason: error.reason };
      return { kind: 'unsent', stage: 'data', reason: error.reason };
    }
  }

  async #introduce(relay: Relay): Promise<void> {
    await this.#expect('greeting', 2);
    await this.#hello(relay);
    let encrypted = relay.implicitTls;
    if (!encrypted && this.#extensions.has('STARTTLS')) {
      this.#write('STARTTLS\r\n');
      await this.#expect('tls', 2);
      await this.#encrypt(relay);
      await this.#hello(relay);
      encrypted = true;
    }
    if (relay.user === undefined) return;
    if (!encrypted && !isLoopback(relay.host)) {
      throw new SmtpFailure({ kind: 'unsent', stage: 'auth', reason: 'tls_required' });
    }
    await this.#logIn(relay.user, relay.password ?? '');
  }

  async #hello(relay: Relay): Promise<void> {
    this.#write(`EHLO ${relay.clientName}\r\n`);
    const reply = await this.#expect('greeting', 2);
    this.#extensions = new Map();
    for (const line of reply.text.split('\n').slice(1)) {
      const space = line.indexOf(' ');
      const name = (space < 0 ? line : line.slice(0, space)).toUpperCase();
      this.#extensions.set(name, space < 0 ? '' : line.slice(space + 1).trim());
    }
  }

  async #encrypt(relay: Relay): Promise<void> {
    // Anything that came before the handshake was not said by whom the certificate names (CVE-2011-0411).
    if (this.#received !== '' || this.#replies.length > 0) {
      throw new SmtpFailure({ kind: 'unsent', stage: 'tls', reason: 'tls_injection' });
    }
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    const socket = connectTls({ socket: this.#socket, ...tlsOptions(relay) });
    this.#socket = socket;
    await settled(socket, 'secureConnect', 'tls', this.#timeouts.connectMs);
    this.#listen(socket);
  }

  async #logIn(user: string, password: string): Promise<void> {
    const mechanisms = (this.#extensions.get('AUTH') ?? '').toUpperCase().split(' ');
    const base64 = (text: string) => Buffer.from(text).toString('base64');
    if (mechanisms.includes('PLAIN')) {
      this.#write(`AUTH PLAIN ${base64(`\0${user}\0${password}`)}\r\n`);
    } else if (mechanisms.includes('LOGIN')) {
      this.#write('AUTH LOGIN\r\n');
      await this.#expect('auth', 3);
      this.#write(`${base64(user)}\r\n`);
      await this.#expect('auth', 3);
      this.#write(`${base64(password)}\r\n`);
    } else {
      throw new SmtpFailure({ kind: 'unsent', stage: 'auth', reason: 'auth_not_offered' });
    }
    await this.#expect('auth', 2);
  }

  /** The next reply, of this class (2 is 2xx), or an `SmtpFailure` of this stage. */
  async #expect(stage: SmtpStage, wanted: number): Promise<SmtpReply> {
    let reply: SmtpReply;
    try {
      reply = await this.#reply(this.#timeouts.replyMs);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      throw new SmtpFailure({ kind: 'unsent', stage, reason: error.reason });
    }
    if (Math.floor(reply.code / 100) === wanted) return reply;
    throw new SmtpFailure({ kind: 'refused', stage, reply });
  }

  #write(text: string): void {
    if (this.#lost === undefined) this.#socket.write(text, 'latin1');
  }

  #reply(timeoutMs: Millis): Promise<SmtpReply> {
    const early = this.#replies.shift();
    if (early !== undefined) return Promise.resolve(early);
    if (this.#lost !== undefined) return Promise.reject(this.#lost);
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => this.#lose('timeout'), timeoutMs);
      this.#waiting = {
        resolve: (reply) => {
          clearTimeout(timer);
          resolve(reply);
        },
        reject: (lost) => {
          clearTimeout(timer);
          reject(lost);
        },
      };
    });
  }

  #listen(socket: Socket): void {
    socket.on('data', this.#onData).on('end', this.#onEnd);
    socket.on('close', this.#onEnd).on('error', this.#onEnd);
  }

  readonly #onData = (chunk: Buffer): void => this.#read(chunk);
  readonly #onEnd = (): void => this.#lose('connection_lost');

  #read(chunk: Buffer): void {
    this.#received += chunk.toString('latin1');
    for (;;) {
      const end = endOfReply(this.#received);
      if (end < 0) break;
      const reply = parseReply(this.#received.slice(0, end));
      this.#received = this.#received.slice(end);
      if (reply === undefined) {
        this.#lose('connection_lost');
        return;
      }
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting === undefined) this.#replies.push(reply);
      else waiting.resolve(reply);
    }
    if (this.#received.length > replyBytesMax) this.#lose('connection_lost');
  }

  #lose(reason: Lost['reason']): void {
    this.#lost ??= new Lost(reason);
    this.#socket.destroy();
    const waiting = this.#waiting;
    this.#waiting = undefined;
    waiting?.reject(this.#lost);
  }
}

interface Command {
  readonly stage: SmtpStage;
  readonly text: string;
  /** The first digit of the reply that lets the conversation go on. */
  readonly wanted: number;
}

class Lost extends Error {
  override readonly name = 'Lost';
  readonly reason: 'timeout' | 'connection_lost';
  constructor(reason: 'timeout' | 'connection_lost') {
    super(reason);
    this.reason = reason;
  }
}

async function openSocket(relay: Relay, timeoutMs: Millis): Promise<Socket> {
  const address = { host: relay.host, port: relay.port };
  const socket = relay.implicitTls
    ? connectTls({ ...address, ...tlsOptions(relay) })
    : connectTcp(address);
  socket.setNoDelay(true);
  await settled(socket, relay.implicitTls ? 'secureConnect' : 'connect', 'connect', timeoutMs);
  return socket;
}

function tlsOptions(relay: Relay) {
  return {
    minVersion: 'TLSv1.2',
    ...(isIP(relay.host) === 0 && { servername: relay.host }),
    ...(relay.certificateAuthorities !== undefined && { ca: relay.certificateAuthorities }),
  } as const;
}

/** Waits for the event; a socket that fails before it is an `SmtpFailure` of this stage. */
function settled(
  socket: Socket,
  event: 'connect' | 'secureConnect',
  stage: SmtpStage,
  timeoutMs: Millis,
): Promise<void> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(() => fail('timeout'), timeoutMs);
    const done = () => {
      clearTimeout(timer);
      socket.off(event, succeed).off('error', onError).off('close', onClose);
    };
    const fail = (reason: string, at: SmtpStage = stage) => {
      done();
      socket.on('error', () => {}).destroy(); // whatever it still says changes nothing
      reject(new SmtpFailure({ kind: 'unsent', stage: at, reason }));
    };
    const succeed = () => {
      done();
      resolve();
    };
    const onClose = () => fail('connection_lost');
    const onError = (error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOTFOUND') fail('relay_not_found');
      else if (isTlsError(error.code)) fail('tls', 'tls');
      else fail(error.code === 'ECONNREFUSED' ? 'connection_refused' : 'connection_lost');
    };
    socket.on(event, succeed).on('error', onError).on('close', onClose);
  });
}

function isTlsError(code: string | undefined): boolean {
  return /^(ERR_TLS|ERR_SSL|CERT_|DEPTH_ZERO|SELF_SIGNED|UNABLE_TO_|EPROTO)/.test(code ?? '');
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || /^127\./.test(host);
}

/** Where the first whole reply ends: after the line whose fourth character is not a dash; -1 when there is none yet. */
function endOfReply(received: string): number {
  let start = 0;
  for (;;) {
    const end = received.indexOf('\n', start);
    if (end < 0) return -1;
    if (received[start + 3] !== '-') return end + 1;
    start = end + 1;
  }
}

/** The lines of a reply; `text` keeps one line each, without codes. `undefined` for what is no reply. */
function parseReply(raw: string): SmtpReply | undefined {
  const lines = raw.trimEnd().split(/\r?\n/);
  const code = Number(raw.slice(0, 3));
  if (!/^[2-5]\d\d/.test(raw)) return undefined;
  const texts = lines.map((line) => line.slice(4));
  const enhanced = /^[245]\.\d{1,3}\.\d{1,3}(?= |$)/.exec(texts[0] ?? '')?.[0];
  return { code, ...(enhanced !== undefined && { enhanced }), text: texts.join('\n') };
}
