// Tries a description of a gateway with one text. The request that is shown is built from names
// in place of the secrets, so that no filter or encoding can give one away; the answer has them
// hidden.

import { isObject } from '../../../is-object.ts';
import type { AdapterContext } from '../../port/adapter.ts';
import type { Attempt } from '../../port/attempt.ts';
import type { OpenRelay } from '../../port/open-relay.ts';
import type { Outcome, Trial, TrialResult } from '../../port/outcome.ts';
import { callGateway, gatewayRequest } from './account.ts';
import type { GatewayConfig } from './config.ts';
import type { GatewayRequest } from './request.ts';
import type { secretForms } from './secret-forms.ts';

const shownCharsMax = 4_000;

export async function tryGateway(
  channel: 'sms' | 'voice',
  trial: Trial,
  relay: OpenRelay,
  context: AdapterContext,
): Promise<TrialResult> {
  const attempt = attemptOf(channel, trial, context.clock.now());
  const words = { text: trial.text };
  const shown = gatewayRequest(attempt, words, masked(relay), context);
  if ('outcome' in shown) return { outcome: toldOf(shown) };
  const request = shownRequest(shown, relay);
  if (!trial.isSent) return { request };
  const { outcome, answer, secrets } = await callGateway(attempt, words, relay, context);
  const told = { request, outcome: toldOf(outcome) };
  if (answer === undefined || secrets === undefined) return told;
  const { status, body } = answer;
  return { ...told, answer: { status, body: hidden(body, secrets).slice(0, shownCharsMax) } };
}

function attemptOf(channel: 'sms' | 'voice', trial: Trial, nowMs: number): Attempt {
  const { appId, sendId, deviceId, to, text } = trial;
  return {
    ...{ appId, sendId, deviceId, appName: '', channel, lane: 'express', attempt: 1 },
    ...{ endpoint: to, registeredMs: nowMs, acceptedMs: nowMs },
    content: { body: text, options: {} },
  };
}

const maskOf = (name: string) => `*${name}*`;

function masked(relay: OpenRelay): OpenRelay {
  const { credentials } = relay.config as GatewayConfig;
  const masks = Object.keys(credentials).map((name) => [name, maskOf(name)]);
  return { ...relay, config: { ...relay.config, credentials: Object.fromEntries(masks) } };
}

/** A login is shown as it is written, before its encoding. */
function shownRequest(
  { method, url, headers, body }: GatewayRequest,
  { config }: OpenRelay,
): NonNullable<TrialResult['request']> {
  const { authorization = '' } = headers;
  const isLogin = isObject(config['basic']);
  const login = isLogin && Buffer.from(authorization.slice('Basic '.length), 'base64').toString();
  return {
    ...{ method, url },
    headers: { ...headers, ...(login !== false && { authorization: `Basic ${login}` }) },
    ...(body !== undefined && { body }),
  };
}

function hidden(text: string, forms: ReturnType<typeof secretForms>): string {
  let shown = text;
  for (const [form, name] of forms) shown = shown.replaceAll(form, maskOf(name));
  return shown;
}

function toldOf(outcome: Outcome): NonNullable<TrialResult['outcome']> {
  if (outcome.outcome === 'accepted') {
    const { providerMessageId } = outcome;
    return { outcome: 'accepted', ...(providerMessageId !== undefined && { providerMessageId }) };
  }
  const { outcome: what, reason, detail } = outcome;
  return { outcome: what, reason, ...(detail !== undefined && { detail }) };
}
