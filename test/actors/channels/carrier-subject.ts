// What the tests of sms and voice share: a scripted carrier, an account, and the meaning of every
// carrier error on both channels, written down a second time so that a change of the product's
// table fails a test.

import type { Test } from 'tap';
import type { CarrierAccount } from '../../../actors/channels/carrier/account.ts';
import type { AdapterFactory } from '../../../actors/channels/port/adapter.ts';
import type { Outcome } from '../../../actors/channels/port/outcome.ts';
import type { ProviderConfig } from '../../../actors/channels/port/provider-config.ts';
import type { ChannelSubject, ExpectedOutcome } from '../../conformance/channel.ts';
import { openHttp, withProvider } from './http-rig.ts';
import { acceptedMs, type HttpBehavior } from './stand-ins.ts';

export const number = '+14155550123';
export const account: CarrierAccount = {
  accountSid: `AC${'0a'.repeat(16)}`,
  authToken: 'f0'.repeat(16),
  from: '+14155550100',
};
const publicUrl = 'https://engage.example.com';

type Row = readonly [
  code: number,
  sms: readonly [Outcome['outcome'], string],
  voice?: readonly [Outcome['outcome'], string],
];

/** Every code with what it means on sms, and on voice where that differs. */
export const codes: readonly Row[] = [
  [13224, ['dead', 'invalid_number']],
  [21211, ['dead', 'invalid_number']],
  [21217, ['dead', 'invalid_number']],
  [21614, ['dead', 'not_a_mobile_number'], ['permanent', 'not_a_mobile_number']],
  [21635, ['dead', 'landline'], ['permanent', 'landline']],
  [30005, ['dead', 'unknown_handset']],
  [
    30006,
    ['dead', 'landline_or_unreachable_carrier'],
    ['permanent', 'landline_or_unreachable_carrier'],
  ],
  [30003, ['permanent', 'handset_unreachable']],
  [21214, ['permanent', 'number_not_reachable']],
  [21216, ['permanent', 'blocked_number']],
  [30004, ['permanent', 'blocked']],
  [21610, ['opted_out', 'opted_out']],
  [21201, ['permanent', 'recipient_missing']],
  [21602, ['permanent', 'text_missing']],
  [21604, ['permanent', 'recipient_missing']],
  [21617, ['permanent', 'text_too_long']],
  [21620, ['permanent', 'media_refused']],
  [30007, ['permanent', 'filtered']],
  [30019, ['permanent', 'content_too_large']],
  [30036, ['permanent', 'expired']],
  [30008, ['retry', 'unknown_error']],
  [30410, ['retry', 'provider_timeout']],
  [10001, ['config', 'account_not_active']],
  [13225, ['config', 'region_not_permitted']],
  [13227, ['config', 'region_not_permitted']],
  [20003, ['config', 'unauthenticated']],
  [20005, ['config', 'account_not_active']],
  [20404, ['config', 'account_not_found']],
  [21210, ['config', 'sender_not_usable']],
  [21212, ['config', 'sender_not_usable']],
  [21213, ['config', 'sender_missing']],
  [21215, ['config', 'region_not_permitted']],
  [21219, ['config', 'trial_account']],
  [21408, ['config', 'region_not_permitted']],
  [21603, ['config', 'sender_missing']],
  [21606, ['config', 'sender_not_usable']],
  [21608, ['config', 'trial_account']],
  [21609, ['config', 'callback_address_refused']],
  [21612, ['config', 'no_route']],
  [21659, ['config', 'sender_not_yours']],
  [21660, ['config', 'sender_not_yours']],
  [21703, ['config', 'sender_not_usable']],
  [30002, ['config', 'account_suspended']],
  [30024, ['config', 'sender_not_registered']],
  [30032, ['config', 'sender_not_registered']],
  [30034, ['config', 'sender_not_registered']],
  [14107, ['rate', 'too_many_requests']],
  [20429, ['rate', 'too_many_requests']],
  [21611, ['rate', 'sender_queue_full']],
  [30001, ['rate', 'queue_overflow']],
  [30022, ['rate', 'sender_rate_exceeded']],
  [30023, ['rate', 'daily_limit']],
  [63018, ['rate', 'sender_rate_exceeded']],
];

/** An error in the carrier's form. */
export function carrierError(
  status: number,
  code: number | undefined,
  message = '',
  headers: Record<string, string> = {},
): HttpBehavior {
  const body = { ...(code !== undefined && { code }), message, more_info: 'https://…', status };
  return { status, headers, body: JSON.stringify(body) };
}

const busy = (value: string) => carrierError(503, undefined, '', { 'retry-after': value });
const statuses: Readonly<Record<string, readonly [HttpBehavior, ExpectedOutcome]>> = {
  'a 401 without a code': [
    { status: 401, body: '' },
    { outcome: 'config', reason: 'unauthenticated' },
  ],
  'a 403 in HTML': [
    { status: 403, body: '<html>no</html>' },
    { outcome: 'config', reason: 'permission_denied' },
  ],
  'a wrong path': [
    { status: 404, body: '<html>no</html>' },
    { outcome: 'config', reason: 'account_not_found' },
  ],
  'a request that took too long': [
    carrierError(408, undefined),
    { outcome: 'retry', reason: 'http_408' },
  ],
  'an early request': [carrierError(425, undefined), { outcome: 'retry', reason: 'http_425' }],
  'a 429 without a code': [
    carrierError(429, undefined),
    { outcome: 'rate', reason: 'too_many_requests' },
  ],
  'an internal error': [carrierError(500, 20500), { outcome: 'retry', reason: 'http_500' }],
  'a bad gateway': [
    { status: 502, body: 'oops' },
    { outcome: 'retry', reason: 'http_502' },
  ],
  unavailable: [carrierError(503, 20503), { outcome: 'retry', reason: 'unavailable' }],
  'a redirect': [
    { status: 302, headers: { location: 'http://127.0.0.1:1/' } },
    { outcome: 'config', reason: 'http_302' },
  ],
  'a code that nobody knows': [
    carrierError(400, 29999),
    { outcome: 'permanent', reason: 'code_29999' },
  ],
  'a code that names a member of every object': [
    { status: 400, body: '{"code":"constructor"}' },
    { outcome: 'permanent', reason: 'http_400' },
  ],
  'a bad request without a code': [
    { status: 400, body: 'null' },
    { outcome: 'permanent', reason: 'http_400' },
  ],
  'taken and lost at once': [
    { status: 201, body: '{"sid":"SM1","status":"failed","error_code":30005}' },
    { outcome: 'dead', reason: 'unknown_handset' },
  ],
  'taken and lost at once, in text': [
    { status: 201, body: '{"sid":"SM1","status":"undelivered","error_code":"30007"}' },
    { outcome: 'permanent', reason: 'filtered' },
  ],
};

/** Behaviors for the tests of delays and of secrets. */
const others: Readonly<Record<string, HttpBehavior>> = {
  hang: 'hang',
  cut: 'cut',
  'seconds to wait': busy('7'),
  'a date to wait for': busy(new Date(acceptedMs + 90_000).toUTCString()),
  'a day to wait': busy('86400'),
  'a date in the past': busy(new Date(acceptedMs - 90_000).toUTCString()),
  'a throttle with a delay': carrierError(429, 20429, '', { 'retry-after': '3' }),
  'a throttle without a delay': carrierError(429, 20429),
  'a full queue of the sender': carrierError(400, 21611),
  'a daily limit': carrierError(400, 30023),
  echo: carrierError(
    400,
    21620,
    `no good: ${number} ${account.authToken} ${account.accountSid} ${account.from} ` +
      'someone@example.com +14155550124',
  ),
};

/** The conformance subject of one of the channels. */
export function carrierSubject(
  name: 'sms' | 'voice',
  create: AdapterFactory,
  accepted: object,
  rest: Pick<ChannelSubject, 'attempt' | 'tooLarge' | 'tooLargeReason'>,
): ChannelSubject {
  const lateBody = JSON.stringify(accepted);
  const accept: HttpBehavior = { status: 201, body: lateBody };
  const behaviors: Record<string, HttpBehavior> = { accept, ...others };
  const outcomes: Record<string, ExpectedOutcome> = {};
  for (const [code, sms, voice] of codes) {
    const [outcome, reason] = (name === 'voice' ? voice : undefined) ?? sms;
    behaviors[`code ${code}`] = carrierError(400, code, 'The carrier says why.');
    outcomes[`code ${code}`] = { outcome, reason };
  }
  for (const [what, [behavior, expected]] of Object.entries(statuses)) {
    behaviors[what] = behavior;
    outcomes[what] = expected;
  }
  return {
    name,
    ...rest,
    open: openHttp({
      create,
      config: (url) => configOf(url),
      credentials: account,
      accept,
      behaviors,
      lateBody,
    }),
    outcomes,
    delays: {
      'seconds to wait': 7_000,
      'a date to wait for': 90_000,
      'a day to wait': 3_600_000,
      'a date in the past': 0,
      'a throttle with a delay': 3_000,
      'a throttle without a delay': 0,
      'a full queue of the sender': 300_000,
      'a daily limit': 900_000,
    },
    secrets: [
      number,
      account.authToken,
      account.accountSid,
      '4155550100',
      'someone@example.com',
      '4155550124',
    ],
  };
}

/** An adapter at a scripted carrier that accepts messages under this id. */
export async function carrierAt(
  t: Test,
  create: AdapterFactory,
  sid: string,
  over?: Partial<ProviderConfig>,
) {
  const accept = { status: 201, body: JSON.stringify({ sid }) };
  const { provider: carrier, ...rest } = await withProvider(
    t,
    create,
    (url) => configOf(url, over),
    accept,
  );
  return { carrier, ...rest };
}

export const formOf = (body: Buffer | undefined) => [...new URLSearchParams(String(body))];

export function configOf(
  carrierUrl: string | undefined,
  over?: Partial<ProviderConfig>,
): ProviderConfig {
  return {
    mode: 'live',
    urls: carrierUrl === undefined ? {} : { CARRIER: carrierUrl },
    vapidSubject: 'mailto:a@example.com',
    publicUrl,
    ...over,
  };
}
