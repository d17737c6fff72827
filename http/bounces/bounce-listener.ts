// The mail server for bounces, complaints, opt-outs and DMARC reports. It accepts mail only for
// addresses that we signed and forwards none, so it is no relay. It answers 250 once the content is
// durable, else 451, so that the sender retries. It keeps only a mail's beginning, where a bounce
// has its report; DMARC reports, which anybody may send, it keeps whole, but few at a time.

import type { Socket } from 'node:net';
import type { Readable } from 'node:stream';
import { SMTPServer, type SMTPServerDataStream, type SMTPServerSession } from 'smtp-server';
import {
  type ReturnedMail,
  readDmarcAddress,
  readPlatformReturn,
  readReturnAddress,
} from '../../actors/channels/email/return-path.ts';
import type { DeliveryReport } from '../../actors/channels/port/delivery-report.ts';
import type { CallbackCounts } from '../../actors/channels/port/outcome.ts';
import type { CallbacksProtocol } from '../../actors/sending/callbacks/protocol.ts';
import type { DmarcResult } from '../../actors/tenants/dmarc/protocol.ts';
import type { Asker } from '../../engine/actor/asker.ts';
import type { Message } from '../../engine/actor/message.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { HmacSha256 } from '../../engine/base/hmac.ts';
import { stopMails } from '../call/session/mail-stop.ts';
import { normalAddress } from '../server/client-address.ts';
import { dmarcMailBytesMax, dmarcReportIn } from './dmarc-mail.ts';
import { OpenConnections } from './open-connections.ts';
import { newsIn } from './returned-mail.ts';

interface BounceListenerOptions {
  readonly router: Pick<Asker, 'ask'>;
  readonly domain: string;
  /** Any of them may have signed an address. */
  readonly macs: readonly HmacSha256[];
  readonly host: string;
  /** 0 picks a free port. */
  readonly port: number;
  count?(counts: CallbackCounts): void;
  /** A connection's total lifetime in seconds. */
  readonly connectionSecondsMax?: number;
}

export interface BounceListener {
  readonly port: number;
  close(): Promise<void>;
}

/** Announced as SIZE: a bounce may return the whole of our largest mail. */
const mailBytesMax = 10 * 1024 * 1024;
/** Per mail; 8 MiB for all connections together. */
const keptBytesMax = 128 * 1024;
/** More than `OpenConnections` allows, so that it decides who stays. */
const clientsMax = 128;
/** Mails with DMARC reports that are read at once. */
const reportsMax = 8;
const recipientsMax = 10;
/** Unknown addresses per connection, so that nobody can guess addresses at speed. */
const refusalsMax = 10;
const idleMsMax = 60_000;
const connectionSecondsMaxDefault = 600;

/** Rejects if the port is in use. */
export async function startBounceListener(options: BounceListenerOptions): Promise<BounceListener> {
  const connections = new OpenConnections();
  const sockets = new Map<string, Socket>();
  const refusals = new WeakMap<SMTPServerSession, number>();
  /** Whose mails with reports are being read. */
  const reporting = new Set<SMTPServerSession>();
  const server = new SMTPServer({
    name: options.domain,
    banner: 'this server accepts bounces only',
    size: mailBytesMax,
    maxClients: clientsMax,
    maxRecipients: recipientsMax,
    socketTimeout: idleMsMax,
    closeTimeout: 1_000,
    authOptional: true,
    disabledCommands: ['AUTH', 'STARTTLS'],
    disableReverseLookup: true,

    onConnect(session, done) {
      const hasPlace = connections.enter(peerOf(session), session.remoteAddress, sockets);
      done(hasPlace ? null : smtpError(421, '4.7.0 Too many connections'));
    },

    onClose(session) {
      reporting.delete(session);
      connections.leave(peerOf(session));
    },

    onRcptTo({ address }, session, done) {
      if (isOurs(address, options)) {
        connections.useful(peerOf(session));
        return done();
      }
      const refused = (refusals.get(session) ?? 0) + 1;
      refusals.set(session, refused);
      if (refused > refusalsMax) return done(smtpError(421, '4.7.0 Too many unknown addresses'));
      done(smtpError(550, '5.1.1 No such address here'));
    },

    onData: (stream, session, done) => takeData(options, reporting, stream, session, done),
  });
  server.server.on('connection', (socket: Socket) => {
    const lastMs = 1000 * (options.connectionSecondsMax ?? connectionSecondsMaxDefault);
    const timer = setTimeout(() => socket.destroy(), lastMs).unref();
    const peer = peerOf(socket);
    sockets.set(peer, socket);
    socket.once('close', () => {
      clearTimeout(timer);
      sockets.delete(peer);
      connections.leave(peer);
    });
  });
  await listening(server, options);
  // A sender that disconnects mid-mail must send it again; this is not an error here.
  server.on('error', () => undefined);
  const address = server.server.address();
  return {
    port: typeof address === 'object' && address ? address.port : options.port,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}

/** Answers once the mail is durable, or is not to be. */
function takeData(
  options: BounceListenerOptions,
  reporting: Set<SMTPServerSession>,
  stream: SMTPServerDataStream,
  session: SMTPServerSession,
  done: (error: Error | null, words?: string) => void,
): void {
  const recipients = session.envelope.rcptTo.map(({ address }) => address);
  const isReport = recipients.some((one) => isForReports(one, options));
  const isBusy = isReport && reporting.size >= reportsMax;
  if (isReport && !isBusy) reporting.add(session);
  const answer = (error: Error | null, words?: string) => {
    reporting.delete(session);
    done(error, words);
  };
  readMail(stream, isReport && !isBusy ? dmarcMailBytesMax : keptBytesMax, (mail) => {
    if (isBusy) return answer(notNow);
    if (stream.sizeExceeded) return answer(smtpError(552, '5.3.4 Message too large'));
    takeMail(options, recipients, mail).then(
      (isTaken) => answer(isTaken ? null : notNow, '2.0.0 Taken'),
      () => answer(notNow),
    );
  });
}

/** Rejects if the port is in use. */
function listening(server: SMTPServer, { port, host }: BounceListenerOptions): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve());
  });
}

function peerOf({ remoteAddress, remotePort }: Pick<Socket, 'remoteAddress' | 'remotePort'>) {
  return `${normalAddress(remoteAddress ?? '')} ${remotePort}`;
}

/** Reads a mail to its end, and passes on the kept beginning. */
function readMail(stream: Readable, keptMax: number, then: (mail: Buffer) => void): void {
  const kept: Buffer[] = [];
  let bytes = 0;
  stream.on('data', (chunk: Buffer) => {
    if (bytes < keptMax) kept.push(chunk.subarray(0, keptMax - bytes));
    bytes += chunk.length;
  });
  stream.on('end', () => then(Buffer.concat(kept)));
}

function isOurs(address: string, { domain, macs }: BounceListenerOptions): boolean {
  return (
    readReturnAddress(address, domain, macs) !== undefined ||
    readPlatformReturn(address, domain, macs) !== undefined ||
    readDmarcAddress(address, domain, macs) !== undefined
  );
}

function isForReports(address: string, { domain, macs }: BounceListenerOptions): boolean {
  return readDmarcAddress(address, domain, macs) !== undefined;
}

/** Processes everything that a mail reports. False if it cannot be durable now. */
async function takeMail(
  options: BounceListenerOptions,
  recipients: readonly string[],
  source: Buffer,
): Promise<boolean> {
  const { domain, macs, router } = options;
  const about = recipients.map((one) => readReturnAddress(one, domain, macs));
  const reported = recipients.flatMap((one) => readDmarcAddress(one, domain, macs) ?? []);
  const hashes = recipients.flatMap((one) => readPlatformReturn(one, domain, macs) ?? []);
  const isReport = hashes.length > 0 || about.some((one) => one?.purpose === 'bounce');
  const news = isReport ? await newsIn(source) : undefined;
  const taken = about.map((one) => {
    if (one === undefined) return true;
    if (one.purpose !== 'bounce') return optOut(options, one);
    if (news !== undefined) return tell(options, one, news);
    options.count?.({ taken: 0, repeated: 0, ignored: 1 });
    return true;
  });
  if (news !== undefined && isOver(news.news))
    for (const hash of hashes) taken.push(stopMails(router, hash, 'bounce'));
  if (reported.length > 0) taken.push(takeReport(options, reported, source));
  return (await Promise.all(taken)).every((one) => one);
}

/** Passes an aggregate report to the app of each address; what is none is dropped. */
async function takeReport(
  { router, count }: BounceListenerOptions,
  addresses: readonly { readonly app: Ordinal; readonly mark: string }[],
  source: Buffer,
): Promise<boolean> {
  const report = await dmarcReportIn(source);
  if (report === undefined) {
    count?.({ taken: 0, repeated: 0, ignored: 1 });
    return true;
  }
  let isTaken = true;
  for (const { app, mark } of addresses) {
    const body = { mark, report };
    const answer = await router.ask(app, inside('dmarc.report', body), { lane: 'bulk' });
    if (answer.ok) count?.({ taken: 0, repeated: 0, ignored: 0, [answer.value as DmarcResult]: 1 });
    else isTaken &&= isGone(answer.fault);
  }
  return isTaken;
}

/** There is no such mailbox, or it wants none of our mails. */
function isOver(news: DeliveryReport): boolean {
  return news.kind === 'complained' || (news.kind === 'failed' && news.effect === 'dead');
}

async function tell(
  { router, count }: BounceListenerOptions,
  { app, sendId, person, deviceMark }: ReturnedMail,
  more: object,
): Promise<boolean> {
  const body = { sendId, person, deviceMark, ...more };
  const answer = await router.ask(app, inside('callback.email', body), { lane: 'express' });
  if (answer.ok) count?.(answer.value as CallbackCounts);
  return answer.ok || isGone(answer.fault);
}

type EmailAddress = CallbacksProtocol['callback.email_address']['reply'];

/** Like the unsubscribe link: reads where the mail went, then suppresses that address. */
async function optOut(
  { router }: BounceListenerOptions,
  { app, sendId, person, deviceMark, purpose }: ReturnedMail & { readonly purpose: string },
): Promise<boolean> {
  const ask = (kind: string, body: object) =>
    router.ask(app, inside(kind, body), { lane: 'express' });
  const found = await ask('callback.email_address', { person, deviceMark });
  if (!found.ok) return isGone(found.fault);
  const { address, deviceId } = found.value as EmailAddress;
  if (address === null) return true;
  const scope = purpose === 'marketing' ? { scope: purpose } : {};
  const about = deviceId === undefined ? {} : { about: { sendId, deviceId } };
  const body = { channel: 'email', address, source: 'unsubscribe', ...scope, ...about };
  const added = await ask('suppression.add', body);
  return added.ok || isGone(added.fault);
}

function inside(kind: string, body: object): Message {
  return { ...body, kind, by: -1 } as Message;
}

/** The app is deleted; its reports do not matter. */
function isGone({ code }: { readonly code: string }): boolean {
  return code === 'not_found';
}

function smtpError(responseCode: number, words: string): Error {
  return Object.assign(new Error(words), { responseCode });
}

const notNow = smtpError(451, '4.3.0 Temporary failure, try again later');
