// Stand-in for a mail relay on its own port: accepts all, delivers none, refuses by local part
// (smtp-faults.ts). smtp-server speaks the protocol, as an independent judge of our sender. About
// 17,000 mails per second and core.

import type { Socket } from 'node:net';
import { SMTPServer, type SMTPServerOptions, type SMTPServerSession } from 'smtp-server';
import { chooseFault, type Effect, type FaultSource, type NamedFault } from '../faults.ts';
import type { CallOutcome } from '../message.ts';
import type { ListeningStandIn, World } from '../stand-in.ts';
import type { KeysAt } from './dkim-verify.ts';
import { contentOfMail, idsOfReturnPath, idsOfSource, type MailIds } from './mail-content.ts';
import { mailLoginsOf } from './mail-logins.ts';
import { laterReturns, laterReturnTo, ReturnedMails } from './returned-mails.ts';
import { type SmtpReply, smtpNamedFaults, smtpRefusal } from './smtp-faults.ts';

/** Announced as SIZE. */
const mailBytesMax = 25 * 1024 * 1024;
/** A rule with this match refuses at the greeting, before a recipient is known. */
const greetingMatch = '(greeting)';

/** Chosen at RCPT TO, played after the data. */
interface Pending {
  readonly fault: string;
  readonly effect: Effect<SmtpReply>;
}

export function smtpStandIn(world: World): ListeningStandIn {
  const refusals = smtpNamedFaults();
  const returned = new ReturnedMails(world.bounceAddress);
  const namedFaults: readonly NamedFault<SmtpReply>[] = [
    ...refusals,
    ...laterReturns.map((one) => ({ ...one, effect: () => undefined })),
  ];
  return {
    transport: 'listener',
    channel: 'email',
    label: 'Email',
    look: 'email',
    urlName: 'SMTP',
    namedFaults,
    controls: returned.controls,
    async listen(host, port) {
      const source = { channel: 'email', namedFaults, refusal: smtpRefusal };
      const server = createServer(world, source, returned);
      await new Promise<void>((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, host, () => resolve());
      });
      // A sender that disconnects in a mail is no failure here.
      server.on('error', () => undefined);
      const address = server.server.address();
      const boundPort = typeof address === 'object' && address ? address.port : port;
      return {
        url: `smtp://${host.includes(':') ? `[${host}]` : host}:${boundPort}`,
        close() {
          returned.close();
          return closeNow(server);
        },
      };
    },
  };
}

const options: SMTPServerOptions = {
  name: 'sandbox.engage.test',
  banner: 'mail goes no further',
  size: mailBytesMax,
  authOptional: true,
  allowInsecureAuth: true,
  authMethods: ['PLAIN', 'LOGIN', 'XOAUTH2'],
  // STARTTLS would offer smtp-server's published certificate; loopback needs none.
  disabledCommands: ['STARTTLS'],
  disableReverseLookup: true,
};

function createServer(
  world: World,
  source: FaultSource<SmtpReply>,
  returned: ReturnedMails,
): SMTPServer {
  const socketOf = new Map<number, Socket>();
  const pendingOf = new WeakMap<SMTPServerSession, Pending>();
  const answerMail = mailAnswers(world, returned, socketOf);
  const logins = mailLoginsOf(world);

  const server = new SMTPServer({
    ...options,
    onAuth({ method, username = '', accessToken }, _session, done) {
      const login = { user: username, ...(accessToken !== undefined && { token: accessToken }) };
      if (logins.takes(login, world.clock.now())) return done(null, { user: 'anyone' });
      // With a token the reason is a challenge (334), and the refusal follows.
      if (method === 'XOAUTH2') done(null, { data: { status: '401', schemes: 'bearer' } });
      else done(smtpError({ code: 535, text: '5.7.8 Username and password not accepted' }));
    },

    onConnect(_session, done) {
      const rule = world.faults.takeExactly(source.channel, greetingMatch);
      done(rule ? smtpError(smtpRefusal(rule.value ?? 421)) : null);
    },

    onMailFrom(_address, session, done) {
      pendingOf.delete(session);
      done();
    },

    onRcptTo({ address }, session, done) {
      const chosen = chooseFault(source, world.faults, address, address);
      if (chosen?.effect.kind === 'reply' && chosen.effect.reply.stage === 'recipient') {
        const { reply } = chosen.effect;
        const from = senderOf(session);
        void record(
          world,
          session,
          address,
          'refused',
          reply,
          chosen.fault,
          noBytes,
          idsOfReturnPath(from),
        );
        done(smtpError(reply));
        return;
      }
      if (chosen) pendingOf.set(session, chosen);
      done();
    },

    onData(stream, session, done) {
      const chunks: Buffer[] = [];
      stream.on('data', (chunk: Buffer) => {
        if (!stream.sizeExceeded) chunks.push(chunk);
      });
      stream.on('end', () => {
        const pending = stream.sizeExceeded ? tooBig : pendingOf.get(session);
        answerMail(Buffer.concat(chunks), pending, session, done);
      });
    },
  });
  // Sessions hide their socket, which disconnecting without a reply needs.
  server.server.on('connection', (socket: Socket) => {
    const { remotePort } = socket;
    if (remotePort === undefined) return;
    socketOf.set(remotePort, socket);
    socket.once('close', () => socketOf.delete(remotePort));
  });
  return server;
}

type Done = (error?: Error | null, text?: string) => void;

/** Plays each mail's pending fault, or accepts it. */
function mailAnswers(world: World, returned: ReturnedMails, socketOf: ReadonlyMap<number, Socket>) {
  let queued = 0;
  return (
    mail: Buffer,
    pending: Pending | undefined,
    session: SMTPServerSession,
    done: Done,
  ): void => {
    const finish = (outcome: CallOutcome, reply: SmtpReply | undefined) => {
      const ids = idsOfSource(mail);
      return session.envelope.rcptTo.map(({ address }) =>
        record(world, session, address, outcome, reply, pending?.fault, mail, ids),
      );
    };
    const accept = () => {
      const text = `2.0.0 OK: queued as ${(++queued).toString(36).padStart(8, '0')}`;
      const kept = finish('accepted', { stage: 'data', code: 250, text });
      // Before `done`, which allows the next mail.
      for (const { address } of session.envelope.rcptTo) {
        const later = laterReturnTo(address);
        const mailed = { returnPath: senderOf(session), to: address, source: mail };
        if (later !== undefined) returned.play(later, mailed);
      }
      // A mail whose sender heard that it was accepted must survive a kill.
      void Promise.allSettled(kept).then(() => done(null, text));
    };
    switch (pending?.effect.kind) {
      case undefined:
        accept();
        return;
      case 'slow':
        setTimeout(accept, pending.effect.delayMs).unref();
        return;
      case 'reply':
        void finish('refused', pending.effect.reply);
        done(smtpError(pending.effect.reply));
        return;
      case 'drop':
        void finish('unanswered', undefined);
        socketOf.get(session.remotePort)?.destroy();
        return;
      case 'hang':
        void finish('unanswered', undefined);
    }
  };
}

const noBytes = Buffer.alloc(0);
const tooBig: Pending = { fault: 'SIZE', effect: { kind: 'reply', reply: smtpRefusal(552) } };

function record(
  world: World,
  session: SMTPServerSession,
  to: string,
  outcome: CallOutcome,
  reply: SmtpReply | undefined,
  fault: string | undefined,
  mail: Buffer,
  ids: MailIds,
): Promise<void> | undefined {
  const from = senderOf(session);
  return world.ledger.record({
    channel: 'email',
    look: 'email',
    to,
    ...ids,
    outcome,
    ...(fault === undefined ? undefined : { fault }),
    exchange: {
      request: `MAIL FROM:<${from}>\nRCPT TO:<${to}>${mail.length > 0 ? '\nDATA' : ''}`,
      requestHeaders: [],
      requestBody: mail,
      ...(reply && { answer: { status: reply.code, headers: {}, body: reply.text } }),
    },
    read: () =>
      mail.length > 0
        ? contentOfMail(mail, keysOf(world), laterReturnTo(to))
        : { sender: from, note: 'Refused before the mail itself was sent' },
  });
}

/** The keys of senders are in the sandbox's DNS. */
function keysOf({ zone }: World): KeysAt {
  return (name) => {
    const resolved = zone.resolve(name, 'TXT');
    if (resolved.status !== 'ok') return [];
    return resolved.records.flatMap(({ type, value }) => (type === 'TXT' ? value : []));
  };
}

function senderOf({ envelope }: SMTPServerSession): string {
  return envelope.mailFrom ? envelope.mailFrom.address : '';
}

function smtpError({ code, text }: Pick<SmtpReply, 'code' | 'text'>): Error {
  return Object.assign(new Error(text), { responseCode: code });
}

function closeNow(server: SMTPServer): Promise<void> {
  return new Promise((resolve) => {
    server.close(() => resolve());
    // close() waits for open sessions, and pooled senders never end theirs.
    for (const connection of server.connections) connection.close();
  });
}
