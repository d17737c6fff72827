// Sends a text, or what a voice says, through a tenant's gateway: one request for a number. The
// tenant chooses the address, so it passes the guard; redirects are never followed, and answers are
// bounded. Messages cost money, so a request without an answer is `ambiguous`, never tried again
// here.

import { nationalNumber } from '../../addresses/phone-number.ts';
import { mailMark } from '../../email/mail-mark.ts';
import { isHost } from '../../outbound/network-guard.ts';
import type { Outbound, OutboundCall, OutboundResult } from '../../outbound/outbound-call.ts';
import type { AdapterContext, MayBegin } from '../../port/adapter.ts';
import { failure, secondsLeft, unreached } from '../../port/answers.ts';
import { type Attempt, endpointText } from '../../port/attempt.ts';
import { attemptUuid } from '../../port/attempt-uuid.ts';
import { credentialFails, credentialWorks } from '../../port/credential-check.ts';
import type { OpenRelay } from '../../port/open-relay.ts';
import type { CredentialCheck, Failure, Outcome } from '../../port/outcome.ts';
import type { ProviderConfig } from '../../port/provider-config.ts';
import { canProviderReach } from '../../port/webhook-registration.ts';
import type { OpenRelayAccount } from '../relay.ts';
import { gatewayOutcome, passesCheck } from './answer.ts';
import type { GatewayConfig } from './config.ts';
import { buildRequest, type GatewayRequest, type Layout } from './request.ts';
import { secretForms } from './secret-forms.ts';
import { textSize } from './segments.ts';
import type { TemplateValues } from './template.ts';

type OutboundAnswer = Extract<OutboundResult, { kind: 'answered' }>;

/** What a person reads or hears. */
export interface GatewayWords {
  readonly text: string;
  /** Of a call. */
  readonly language?: string;
  readonly voice?: string;
}

/** The device's number comes from the attempt. */
export async function sendThroughGateway(
  attempt: Attempt,
  words: GatewayWords,
  relay: OpenRelay,
  context: AdapterContext,
  mayBegin?: MayBegin,
): Promise<Outcome> {
  const { outcome } = await callGateway(attempt, words, relay, context, mayBegin);
  return outcome.outcome === 'accepted' && relay.reports === true
    ? { ...outcome, reports: true }
    : outcome;
}

/** One call, and the answer that was judged; absent if there was none. */
export async function callGateway(
  attempt: Attempt,
  words: GatewayWords,
  relay: OpenRelay,
  context: AdapterContext,
  mayBegin?: MayBegin,
): Promise<{
  readonly outcome: Outcome;
  readonly answer?: OutboundAnswer;
  /** What of the answer must not be shown. */
  readonly secrets?: ReturnType<typeof secretForms>;
}> {
  const { config: operator, outbound, clock } = context;
  const config = relay.config as GatewayConfig;
  const made = gatewayRequest(attempt, words, relay, context);
  if ('outcome' in made) return { outcome: made };
  const result = await outbound.call({ ...made, ...placedCall(made, operator), mayBegin });
  // The address is the relay's fault, not the message's.
  if (result.kind === 'refused') return { outcome: { outcome: 'config', reason: result.reason } };
  if (result.kind !== 'answered') return { outcome: unreached(result) };
  const secrets = secretForms(config.credentials, made.headers);
  const unsaid = [...secrets.map(([form]) => form), endpointText(attempt)];
  const outcome = gatewayOutcome(result, config.answer, unsaid, clock.now());
  return { outcome, answer: result, secrets };
}

/** The request of a text, or why it is not sent. */
export function gatewayRequest(
  attempt: Attempt,
  words: GatewayWords,
  relay: OpenRelay,
  { config: operator, clock }: Pick<AdapterContext, 'config' | 'clock'>,
): GatewayRequest | Failure {
  const config = relay.config as GatewayConfig;
  const ttl = secondsLeft(attempt, clock.now());
  if (ttl === 'expired') return { outcome: 'permanent', reason: 'expired' };
  const refusal = attempt.channel === 'sms' ? sizeRefusal(words.text, config) : undefined;
  if (refusal !== undefined) return refusal;
  const request = buildRequest(config, valuesOf(attempt, words, ttl, relay, operator));
  return request ?? failure('permanent', 'invalid_request', 'a value cannot stand in a header');
}

/**
 * In the sandbox, and behind the operator's own gate, a path below one address names the host. The
 * tenant's address is read first: a `..` of theirs must not climb out of that path.
 */
export function placedCall(
  { url }: { readonly url: string },
  { urls }: Pick<ProviderConfig, 'urls'>,
): Pick<OutboundCall, 'destination'> & { readonly url: string } {
  const base = urls.GATEWAY;
  // The guard refuses what is no address, or has no host.
  if (base === undefined || !URL.canParse(url)) return { destination: 'guarded', url };
  const { host, hostname, pathname, search } = new URL(url);
  if (!isHost(hostname)) return { destination: 'guarded', url };
  return { destination: 'trusted', url: `${base}/${host}${pathname}${search}` };
}

function sizeRefusal(text: string, { encoding, segmentsMax }: GatewayConfig): Failure | undefined {
  const { alphabet, segments } = textSize(text);
  if (encoding?.only === 'gsm7' && alphabet !== 'gsm7')
    return failure('permanent', 'content_refused', 'the gateway takes the GSM alphabet alone');
  if (segmentsMax === undefined || segments <= segmentsMax) return undefined;
  const words = `the text has ${segments} segments, ${segmentsMax} are allowed`;
  return failure('permanent', 'text_too_long', words);
}

function valuesOf(
  attempt: Attempt,
  { text, language, voice }: GatewayWords,
  ttl: number | undefined,
  relay: OpenRelay,
  operator: ProviderConfig,
): TemplateValues {
  const { from, encoding, credentials, ...config } = relay.config as GatewayConfig;
  const { sendId, deviceId } = attempt;
  const { alphabet, segments } = textSize(text);
  const seconds = ttl === undefined ? undefined : Math.max(1, ttl);
  return {
    named: {
      to: numberIn(endpointText(attempt), config),
      from,
      text,
      language,
      voice,
      id: mailMark({ sendId, deviceId }),
      uuid: attemptUuid(sendId, deviceId),
      unicode: alphabet === 'ucs2',
      encoding: encoding?.[alphabet],
      segments,
      ttl_seconds: seconds,
      ttl_ms: seconds === undefined ? undefined : seconds * 1_000,
      callback_url: callbackUrl(attempt, relay, operator),
    },
    credentials,
  };
}

/** A number of another country than the national form's has all its digits. */
function numberIn(
  e164: string,
  {
    numberForm,
    country,
    nationalPrefix,
  }: Pick<GatewayConfig, 'numberForm' | 'country' | 'nationalPrefix'>,
): string {
  if (numberForm === 'e164') return e164;
  const digits = e164.replace(/^\+/, '');
  if (numberForm === 'digits' || country === undefined) return digits;
  const national = nationalNumber(e164);
  return national?.region === country ? nationalPrefix + national.digits : digits;
}

function callbackUrl(
  { appId, sendId, deviceId }: Attempt,
  { id, config }: OpenRelay,
  { mode, publicUrl }: ProviderConfig,
): string | undefined {
  const { callbacks, credentials } = config as GatewayConfig;
  if (callbacks === undefined || (mode === 'live' && !canProviderReach(publicUrl)))
    return undefined;
  const query = new URLSearchParams({ app: appId, mark: mailMark({ sendId, deviceId }) });
  const { proof } = callbacks;
  if (proof.kind === 'token') query.set(proof.query, credentials[proof.secret] ?? '');
  return `${publicUrl}/v1/webhooks/relay/${id}?${query}`;
}

/** The account as the relays' API tries it; mails have no business here. */
export const openGatewayAccount: OpenRelayAccount = (relay, { config, outbound }) => ({
  send: () => Promise.resolve({ outcome: 'config', reason: 'not_supported' }),
  check: () => checkGateway(relay.config as GatewayConfig, config, outbound),
  close: () => Promise.resolve(),
});

async function checkGateway(
  config: GatewayConfig,
  operator: ProviderConfig,
  outbound: Outbound,
): Promise<CredentialCheck> {
  const { check, answer, credentials } = config;
  if (check === undefined)
    return { checked: false, why: 'the relay has no call that tries the account (check)' };
  const { url, query } = check;
  const { body: _body, query: _query, ...layout } = config;
  const asked: Layout = {
    ...layout,
    method: 'GET',
    url,
    ...(query === undefined ? {} : { query }),
  };
  const request = buildRequest(asked, { named: {}, credentials });
  if (request === undefined) return credentialFails({ reason: 'invalid_request' });
  const result = await outbound.call({ ...request, ...placedCall(request, operator) });
  if (result.kind === 'refused') return credentialFails({ reason: result.reason });
  if (result.kind !== 'answered') return credentialFails(unreached(result));
  if (passesCheck(result, answer, check.accepted)) return credentialWorks;
  const words = `HTTP ${result.status}: ${result.body.slice(0, 300)}`;
  const secrets = secretForms(credentials, request.headers).map(([form]) => form);
  return credentialFails(failure('config', 'unauthenticated', words, secrets));
}
