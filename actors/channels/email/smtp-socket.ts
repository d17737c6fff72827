// Connects to the relay: TCP, TLS from the start, or STARTTLS (RFC 3207). Certificates are always
// verified: a bad one is an error, and never leads to clear text.

import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import type { Millis } from '../../../engine/base/brand.ts';
import { LookupError } from '../outbound/guarded-lookup.ts';
import { isTlsErrorCode } from '../outbound/outbound-call.ts';
import type { Failure } from '../port/outcome.ts';
import { SmtpFailure, type SmtpStage } from './smtp-reply.ts';

export interface Relay {
  readonly host: string;
  readonly port: number;
  /** TLS from the first byte; otherwise STARTTLS if offered. */
  readonly implicitTls: boolean;
  readonly user?: string;
  readonly password?: string;
  /** Logs in with an access token instead of a password (RFC 6750). */
  readonly tokens?: AccessTokens;
  /** Resolves the host; the connection goes to an address that it gave. Default: the system's. */
  readonly lookup?: LookupFunction;
  /** Our name in EHLO. */
  readonly clientName: string;
  /** Trusted certificates instead of the system's, in PEM. */
  readonly certificateAuthorities?: string;
}

/** The access token of an account at its mail server. */
export interface AccessTokens {
  /** `isKept`: from an earlier call, so that a newer one may work where it is refused. */
  get(): Promise<{ readonly token: string; readonly isKept: boolean } | Failure>;
  /** Drops a token that the server refused, unless a newer one replaced it. */
  forget(token: string): void;
}

/** A connected socket, encrypted if TLS is implicit. Rejects with `SmtpFailure`. */
export async function openSocket(relay: Relay, timeoutMs: Millis): Promise<Socket> {
  const { host, port, lookup } = relay;
  const address = { host, port, ...(lookup && { lookup }) };
  const socket = relay.implicitTls
    ? connectTls({ ...address, ...tlsOptions(relay) })
    : connectTcp(address);
  socket.setNoDelay(true);
  await settled(socket, relay.implicitTls ? 'secureConnect' : 'connect', 'connect', timeoutMs);
  return socket;
}

/** The same connection, encrypted. Rejects with `SmtpFailure`. */
export async function encryptSocket(
  plain: Socket,
  relay: Relay,
  timeoutMs: Millis,
): Promise<Socket> {
  const socket = connectTls({ socket: plain, ...tlsOptions(relay) });
  await settled(socket, 'secureConnect', 'tls', timeoutMs);
  return socket;
}

function tlsOptions(relay: Relay) {
  return {
    minVersion: 'TLSv1.2',
    ...(isIP(relay.host) === 0 && { servername: relay.host }),
    ...(relay.certificateAuthorities !== undefined && { ca: relay.certificateAuthorities }),
  } as const;
}

/** Waits for the event; an earlier failure is an `SmtpFailure` of this stage. */
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
      socket.on('error', () => {}).destroy(); // further errors change nothing
      reject(new SmtpFailure({ kind: 'unsent', stage: at, reason }));
    };
    const succeed = () => {
      done();
      resolve();
    };
    const onClose = () => fail('connection_lost');
    const onError = (error: NodeJS.ErrnoException) => {
      if (error instanceof LookupError) return fail(error.refused ? 'private_address' : 'dns');
      if (error.code === 'ENOTFOUND') fail('relay_not_found');
      else if (isTlsErrorCode(error.code ?? '')) fail('tls', 'tls');
      else fail(error.code === 'ECONNREFUSED' ? 'connection_refused' : 'connection_lost');
    };
    socket.on(event, succeed).on('error', onError).on('close', onClose);
  });
}

/** Whether the host is this machine, so that a password may go in clear text. */
export function isLoopback(host: string): boolean {
  // `127.example.com` is a name, and anybody's.
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
