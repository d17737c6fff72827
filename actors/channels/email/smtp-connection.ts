// One SMTP connection to a relay: connect, greet, encrypt, log in, then message after message (RFC
// 5321, 2920, 3207, 4954). A connection lost between the final dot and its reply is ambiguous.
// Anything earlier is not: without the dot the relay must discard the message.

import type { Socket } from 'node:net';
import { assert } from '../../../engine/base/assert.ts';
import type { Bytes, Millis } from '../../../engine/base/brand.ts';
import type { SmtpTimeouts } from '../port/provider-config.ts';
import type { MailPiece } from './attached.ts';
import {
  endOfReply,
  parseReply,
  SmtpFailure,
  type SmtpReply,
  type SmtpResult,
  type SmtpStage,
} from './smtp-reply.ts';
import {
  type AccessTokens,
  encryptSocket,
  isLoopback,
  openSocket,
  type Relay,
} from './smtp-socket.ts';

/**
 * `data` is ASCII with CRLF line ends, not yet dot-stuffed: in one text, or in pieces that each end
 * a line, of which bytes begin no line with a dot.
 */
export interface SmtpMessage {
  readonly from: string;
  /** Of several the first decides: refused copies are left out, and the mail goes to the others. */
  readonly to: string | readonly string[];
  readonly data: string | readonly MailPiece[];
}

const replyBytesMax: Bytes = 64 * 1024;

export class SmtpConnection {
  readonly #timeouts: SmtpTimeouts;
  #socket: Socket;
  #received = '';
  readonly #replies: SmtpReply[] = [];
  #waiting: { resolve: (reply: SmtpReply) => void; reject: (lost: Lost) => void } | undefined;
  #lost: Lost | undefined;
  #extensions = new Map<string, string>();
  /** The relay still holds half a message after a refusal; the next one starts with a reset. */
  #unfinished = false;
  /** Of the message that is sent now. */
  #copiesRefused = 0;
  tried = 0;

  private constructor(socket: Socket, timeouts: SmtpTimeouts) {
    this.#socket = socket;
    this.#timeouts = timeouts;
    this.#listen(socket);
  }

  /** Connects, encrypts where possible, and logs in. Rejects with `SmtpFailure`. */
  static async open(relay: Relay, timeouts: SmtpTimeouts): Promise<SmtpConnection> {
    try {
      return await SmtpConnection.#openOnce(relay, timeouts);
    } catch (error) {
      // A token can end before its time; many servers hang up on who shows one that did.
      if (!(error instanceof StaleToken)) throw error;
      return SmtpConnection.#openOnce(relay, timeouts);
    }
  }

  static async #openOnce(relay: Relay, timeouts: SmtpTimeouts): Promise<SmtpConnection> {
    const connection = new SmtpConnection(await openSocket(relay, timeouts.connectMs), timeouts);
    try {
      await connection.#introduce(relay);
      return connection;
    } catch (error) {
      connection.destroy();
      throw error;
    }
  }

  /** Whether it can send another message: not after an unsolicited reply (a 421). */
  get usable(): boolean {
    return this.#lost === undefined && this.#replies.length === 0;
  }

  /** Sends one message. Never rejects. */
  async send(message: SmtpMessage): Promise<SmtpResult> {
    this.tried++;
    this.#copiesRefused = 0;
    const sizeMax = Number(this.#extensions.get('SIZE') || Number.POSITIVE_INFINITY);
    if (charsOf(message.data) > sizeMax) {
      const reply = { code: 552, enhanced: '5.3.4', text: 'larger than the relay takes' };
      return { kind: 'refused', stage: 'mail', reply };
    }
    const [to = '', ...copies] = typeof message.to === 'string' ? [message.to] : message.to;
    const commands: Command[] = [
      { stage: 'mail', text: `MAIL FROM:<${message.from}>\r\n`, wanted: 2 },
      { stage: 'rcpt', text: `RCPT TO:<${to}>\r\n`, wanted: 2 },
      ...copies.map((copy): Command => {
        return { stage: 'copy', text: `RCPT TO:<${copy}>\r\n`, wanted: 2 };
      }),
    ];
    if (this.#unfinished) commands.unshift({ stage: 'mail', text: 'RSET\r\n', wanted: 2 });
    this.#unfinished = true;
    const data: Command = { stage: 'data', text: 'DATA\r\n', wanted: 3 };
    // With copies the relay may have a recipient although the first was refused: it must not be
    // told to expect a message before that is known.
    const refused =
      copies.length === 0
        ? await this.#converse([...commands, data])
        : ((await this.#converse(commands)) ?? (await this.#converse([data])));
    return refused ?? this.#transfer(message.data);
  }

  /** Says the commands, all at once where the relay pipelines. `undefined`: it agreed to all. */
  async #converse(commands: readonly Command[]): Promise<SmtpResult | undefined> {
    const pipelining = this.#extensions.has('PIPELINING');
    if (pipelining) this.#write(commands.map((command) => command.text).join(''));
    let refused: SmtpResult | undefined;
    let stage: SmtpStage = 'mail';
    try {
      for (const command of commands) {
        if (command.stage !== 'copy') stage = command.stage;
        if (!pipelining) this.#write(command.text);
        const reply = await this.#reply(this.#timeouts.replyMs);
        const agreed = Math.floor(reply.code / 100) === command.wanted;
        if (command.stage === 'copy') {
          if (!agreed) this.#copiesRefused++;
          continue;
        }
        if (!agreed) refused ??= { kind: 'refused', stage, reply };
        if (refused === undefined) continue;
        if (!pipelining) return refused;
        // The relay expects a message without a recipient; an empty one ends that (RFC 2920 3.1).
        if (agreed && stage === 'data') {
          this.#write('.\r\n');
          await this.#reply(this.#timeouts.replyMs);
        }
      }
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      return refused ?? { kind: 'unsent', stage, reason: error.reason };
    }
    return refused;
  }

  /** Says goodbye and closes, without waiting. */
  quit(): void {
    if (this.#lost === undefined) {
      this.#lost = new Lost('connection_lost');
      this.#socket.end('QUIT\r\n');
      this.#socket.setTimeout(1000, () => this.#socket.destroy());
    }
  }

  /** Closes at once; the result of a message in flight depends on its stage. */
  destroy(): void {
    this.#lose('connection_lost');
  }

  async #transfer(data: SmtpMessage['data']): Promise<SmtpResult> {
    const pieces = typeof data === 'string' ? [data] : data;
    const end = pieces.at(-1) ?? '';
    assert(typeof end === 'string', 'a mail ends with text');
    const last = stuffed(end);
    for (const piece of pieces.slice(0, -1)) {
      if (typeof piece === 'string') this.#socket.write(stuffed(piece), 'latin1');
      else this.#socket.write(piece);
    }
    const wire = `${last}${last.endsWith('\r\n') ? '' : '\r\n'}.\r\n`;
    // Until the kernel accepts the last byte, the final dot cannot have reached the relay.
    let dotLeft = false;
    this.#socket.write(wire, 'latin1', (error) => {
      if (!error) dotLeft = true;
    });
    try {
      const reply = await this.#reply(this.#timeouts.finalMs);
      this.#unfinished = false;
      if (reply.code >= 200 && reply.code < 300) {
        const copiesRefused = this.#copiesRefused;
        return { kind: 'accepted', reply, ...(copiesRefused > 0 && { copiesRefused }) };
      }
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
    if (relay.tokens === undefined) await this.#logIn(relay.user, relay.password ?? '');
    else await this.#logInByToken(relay.user, relay.tokens, relay);
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
    // Data before the handshake is not from the certificate's owner (CVE-2011-0411).
    if (this.#received !== '' || this.#replies.length > 0) {
      throw new SmtpFailure({ kind: 'unsent', stage: 'tls', reason: 'tls_injection' });
    }
    this.#socket.off('data', this.#onData).off('end', this.#onEnd).off('close', this.#onEnd);
    this.#socket = await encryptSocket(this.#socket, relay, this.#timeouts.connectMs);
    this.#listen(this.#socket);
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

  /** XOAUTH2 of Google and Microsoft, or OAUTHBEARER (RFC 7628), which is its standard. */
  async #logInByToken(
    user: string,
    tokens: AccessTokens,
    { host, port }: Pick<Relay, 'host' | 'port'>,
  ): Promise<void> {
    const mechanisms = (this.#extensions.get('AUTH') ?? '').toUpperCase().split(' ');
    const name = ['XOAUTH2', 'OAUTHBEARER'].find((one) => mechanisms.includes(one));
    if (name === undefined)
      throw new SmtpFailure({ kind: 'unsent', stage: 'auth', reason: 'auth_not_offered' });
    const got = await tokens.get();
    if ('outcome' in got) {
      const { reason } = got;
      throw new SmtpFailure({ kind: 'unsent', stage: 'auth', reason, failure: got });
    }
    const { token, isKept } = got;
    const said =
      name === 'XOAUTH2'
        ? `user=${user}\x01auth=Bearer ${token}\x01\x01`
        : `n,a=${gs2Name(user)},\x01host=${host}\x01port=${port}\x01auth=Bearer ${token}\x01\x01`;
    this.#write(`AUTH ${name} ${Buffer.from(said).toString('base64')}\r\n`);
    let reply = await this.#expectAny('auth');
    if (reply.code === 334) {
      // The reason is in the challenge; the refusal itself comes once that is answered.
      this.#write(name === 'XOAUTH2' ? '\r\n' : 'AQ==\r\n');
      reply = await this.#expectAny('auth');
    }
    if (reply.code >= 200 && reply.code < 300) return;
    if (reply.code >= 500) tokens.forget(token);
    const result = { kind: 'refused', stage: 'auth', reply } as const;
    throw reply.code >= 500 && isKept ? new StaleToken(result) : new SmtpFailure(result);
  }

  /** The next reply of this class (2 is 2xx), or an `SmtpFailure` of this stage. */
  async #expect(stage: SmtpStage, wanted: number): Promise<SmtpReply> {
    const reply = await this.#expectAny(stage);
    if (Math.floor(reply.code / 100) === wanted) return reply;
    throw new SmtpFailure({ kind: 'refused', stage, reply });
  }

  async #expectAny(stage: SmtpStage): Promise<SmtpReply> {
    try {
      return await this.#reply(this.#timeouts.replyMs);
    } catch (error) {
      if (!(error instanceof Lost)) throw error;
      throw new SmtpFailure({ kind: 'unsent', stage, reason: error.reason });
    }
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

function charsOf(data: SmtpMessage['data']): number {
  if (typeof data === 'string') return data.length;
  return data.reduce((sum, piece) => sum + piece.length, 0);
}

function stuffed(text: string): string {
  return (text.startsWith('.') ? `.${text}` : text).replaceAll('\r\n.', '\r\n..');
}

interface Command {
  readonly text: string;
  /** A copy that is refused does not stop the mail. */
  readonly stage: SmtpStage | 'copy';
  /** The first digit of a positive reply. */
  readonly wanted: number;
}

/** RFC 5801 4. */
function gs2Name(user: string): string {
  return user.replaceAll('=', '=3D').replaceAll(',', '=2C');
}

/** The server refused an access token that worked before. */
class StaleToken extends SmtpFailure {}

class Lost extends Error {
  override readonly name = 'Lost';
  readonly reason: 'timeout' | 'connection_lost';
  constructor(reason: 'timeout' | 'connection_lost') {
    super(reason);
    this.reason = reason;
  }
}
