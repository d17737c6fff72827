// One mail server of a tenant: a pool of connections of its own. The host passes the guard on
// addresses: its name is resolved by the connection's own lookup, which refuses private ones. In
// sandbox mode all mail goes to the sandbox's server, whatever the host says.

import { Resolver } from 'node:dns/promises';
import type { RelayAccount } from '../../email/relay-mail.ts';
import { emailOutcome } from '../../email/relay-outcome.ts';
import { SmtpFailure } from '../../email/smtp-reply.ts';
import { readRelayUrl, SmtpSender, type SmtpSenderConfig } from '../../email/smtp-sender.ts';
import type { Relay } from '../../email/smtp-socket.ts';
import { guardedLookup, type NameResolver } from '../../outbound/guarded-lookup.ts';
import { judgeMailHost } from '../../outbound/network-guard.ts';
import type { AdapterContext } from '../../port/adapter.ts';
import { credentialFails, credentialWorks } from '../../port/credential-check.ts';
import type { OpenRelay } from '../../port/open-relay.ts';
import type { Failure, Outcome } from '../../port/outcome.ts';
import { createAccessTokens } from './access-tokens.ts';
import type { SmtpRelayConfig } from './kind.ts';

/** `resolver` answers for the host; by default c-ares. */
export function openSmtp(
  relay: OpenRelay,
  context: AdapterContext,
  resolver: NameResolver = new Resolver({ timeout: 1000, tries: 2 }),
): RelayAccount {
  const config = relay.config as SmtpRelayConfig;
  const pool = poolOf(config, context, resolver);
  if ('outcome' in pool) return unusable(pool);
  const sender = new SmtpSender(pool);
  const withoutSecrets = hiding(config);
  return {
    async send({ mail, returnPath, pieces }, mayBegin) {
      const { to, cc = [], bcc = [], fromAddress, messageId } = mail;
      const message = { from: returnPath, to: distinct([to, ...cc, ...bcc]), data: pieces() };
      const result = await sender.send(message, mayBegin);
      return withoutSecrets(emailOutcome(result, messageId, { to, from: fromAddress }));
    },
    async check() {
      try {
        await sender.check();
        return credentialWorks;
      } catch (error) {
        if (!(error instanceof SmtpFailure)) throw error;
        const outcome = withoutSecrets(emailOutcome(error.result, '', { to: '', from: '' }));
        return outcome.outcome === 'accepted' ? credentialWorks : credentialFails(outcome);
      }
    },
    close: () => sender.close(),
  };
}

function unusable(failure: Failure): RelayAccount {
  return {
    send: () => Promise.resolve(failure),
    check: () => Promise.resolve(credentialFails(failure)),
    close: () => Promise.resolve(),
  };
}

function poolOf(
  config: SmtpRelayConfig,
  { config: provider, outbound, clock }: AdapterContext,
  resolver: NameResolver,
): SmtpSenderConfig | Failure {
  const { publicUrl, smtp, mode, urls } = provider;
  const { connections, messagesPerConnection } = config;
  const { user, password, oauth } = loginOf(config);
  const clientName = URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost';
  const isSandbox = mode === 'sandbox';
  const place = isSandbox
    ? sandboxPlace(smtp?.url, clientName)
    : placeOf(config, clientName, outbound.allowPrivateNetworks, resolver);
  if ('outcome' in place) return place;
  const trustedUrl = urls.SMTP_TOKEN;
  if (isSandbox && oauth !== undefined && trustedUrl === undefined) return notConfigured;
  const tokens = oauth && createAccessTokens({ outbound, clock, oauth, trustedUrl });
  return {
    relay: {
      // A sandbox with a server of the operator's own logs in as the operator does.
      ...(user !== undefined && { user, ...(password !== undefined && { password }) }),
      ...(tokens && { tokens }),
      ...place,
      ...(smtp?.certificateAuthorities !== undefined && {
        certificateAuthorities: smtp.certificateAuthorities,
      }),
    },
    ...(smtp?.timeouts && { timeouts: smtp.timeouts }),
    ...(connections !== undefined && { connectionsMax: connections }),
    ...(messagesPerConnection !== undefined && {
      messagesPerConnectionMax: messagesPerConnection,
    }),
  };
}

const notConfigured: Failure = { outcome: 'config', reason: 'not_configured' };

function sandboxPlace(url: string | undefined, clientName: string): Relay | Failure {
  return (url === undefined ? undefined : readRelayUrl(url, clientName)?.relay) ?? notConfigured;
}

function placeOf(
  { host, port, implicitTls }: SmtpRelayConfig,
  clientName: string,
  allowPrivateNetworks: boolean,
  resolver: NameResolver,
): Relay | Failure {
  const reason = judgeMailHost(host, port, allowPrivateNetworks);
  if (reason !== undefined) return { outcome: 'config', reason };
  return {
    host: host.toLowerCase(),
    port,
    implicitTls: implicitTls ?? port === 465,
    clientName,
    lookup: guardedLookup(resolver, allowPrivateNetworks),
  };
}

/** Each address once, the first spelling of it. */
function distinct(addresses: readonly string[]): readonly string[] {
  const lower = addresses.map((one) => one.toLowerCase());
  return addresses.filter((_, index) => lower.indexOf(lower[index] ?? '') === index);
}

function loginOf(config: SmtpRelayConfig) {
  const { user, password, oauth } = config;
  return {
    user: user ?? undefined,
    password: password ?? undefined,
    oauth: oauth ?? undefined,
  };
}

/** What a server says may repeat what it was told. */
function hiding(config: SmtpRelayConfig): (outcome: Outcome) => Outcome {
  const { user, password, oauth } = loginOf(config);
  const plain = [user, password, oauth?.clientSecret, oauth?.refreshToken].filter(
    (one) => one !== undefined && one.length >= 4,
  ) as string[];
  const secrets = [...plain, ...plain.map((one) => Buffer.from(one).toString('base64'))];
  return (outcome) => {
    if (outcome.outcome === 'accepted' || outcome.detail === undefined) return outcome;
    const detail = secrets.reduce((text, secret) => text.replaceAll(secret, '…'), outcome.detail);
    return { ...outcome, detail };
  };
}
