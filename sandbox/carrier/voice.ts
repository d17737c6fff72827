// Stand-in for the carrier's calls: `POST /carrier/2010-04-01/Accounts/<sid>/Calls.json`, and
// requested callbacks. Numbers below +1500555 trigger `namedFaults`.

import type { NamedFault } from '../faults.ts';
import type { Content } from '../message.ts';
import type { HttpStandIn, StandInResponse } from '../stand-in.ts';
import {
  type CarrierRequest,
  carrierError,
  oneOf,
  type Report,
  refusalOfCallback,
  testNumbers,
} from './carrier.ts';
import { numbered, refusedNumber, sharedNumbers } from './carrier-numbers.ts';
import { carrierStandIn, isAddressable, type Taken } from './carrier-stand-in.ts';
import { spokenIn } from './twiml.ts';

const twimlUnitsMax = 4000;
const ringSecondsMax = 600;

const known: ReadonlySet<string> = new Set([
  'To',
  'From',
  'Twiml',
  'Url',
  'StatusCallback',
  'StatusCallbackMethod',
  'StatusCallbackEvent',
  'Timeout',
  'MachineDetection',
  'TimeLimit',
]);
const events: ReadonlySet<string> = new Set(['initiated', 'ringing', 'answered', 'completed']);

export function voiceStandIn(): HttpStandIn {
  return carrierStandIn({
    channel: 'voice',
    label: 'Voice',
    look: 'call',
    resource: 'Calls',
    known,
    namedFaults,
    controls: (callbacks) => callbacks.controls('voice'),
    sidPrefixOf: () => 'CA',
    refusalOf,
    contentOf,
    resourceOf,
    reportsOf(taken) {
      const wanted = taken.form.get('StatusCallbackEvent') ?? ['completed'];
      return endOf(taken.to)
        .filter(({ event }) => wanted.includes(event))
        .map((report, index) => reportForm(taken, report, index));
    },
  });
}

function refusalOf(form: CarrierRequest['form']): StandInResponse | undefined {
  const to = oneOf(form, 'To');
  const from = oneOf(form, 'From');
  const twiml = oneOf(form, 'Twiml');
  const url = oneOf(form, 'Url');
  if (to === undefined) return carrierError(400, 21201, "No 'To' number specified");
  if (!isAddressable(to))
    return carrierError(400, 21217, `Phone number ${to} does not appear to be valid`);
  if (from === undefined) return carrierError(400, 21213, "'From' phone number is required");
  if (!isAddressable(from)) return carrierError(400, 21212, `Invalid 'From' Phone Number: ${from}`);
  if ((twiml === undefined) === (url === undefined)) {
    return carrierError(400, 21205, "Exactly one of 'Url' and 'Twiml' must be given");
  }
  if (twiml !== undefined && twiml.length > twimlUnitsMax) {
    return carrierError(400, 20001, "'Twiml' may have at most 4000 characters");
  }
  if (twiml !== undefined && spokenIn(twiml) === undefined) {
    return carrierError(400, 12100, 'Document parse failure');
  }
  for (const event of form.get('StatusCallbackEvent') ?? []) {
    if (!events.has(event)) return carrierError(400, 21626, `Invalid StatusCallbackEvent ${event}`);
  }
  const method = oneOf(form, 'StatusCallbackMethod');
  if (method !== undefined && method !== 'POST' && method !== 'GET') {
    return carrierError(400, 20001, "'StatusCallbackMethod' must be GET or POST");
  }
  const timeout = oneOf(form, 'Timeout');
  if (timeout !== undefined && !(/^\d{1,3}$/.test(timeout) && Number(timeout) <= ringSecondsMax)) {
    return carrierError(400, 20001, "'Timeout' must be at most 600 seconds");
  }
  return refusalOfCallback(oneOf(form, 'StatusCallback'));
}

function resourceOf({ accountSid, sid, form }: Taken): object {
  return {
    sid,
    account_sid: accountSid,
    status: 'queued',
    to: oneOf(form, 'To'),
    from: oneOf(form, 'From'),
    direction: 'outbound-api',
    api_version: '2010-04-01',
    answered_by: null,
    price: null,
    price_unit: 'USD',
    start_time: null,
    end_time: null,
    duration: null,
    uri: `/2010-04-01/Accounts/${accountSid}/Calls/${sid}.json`,
  };
}

interface CallReport {
  readonly event: 'initiated' | 'ringing' | 'answered' | 'completed';
  readonly status: string;
  readonly more?: Report;
}

const dialled: readonly CallReport[] = [
  { event: 'initiated', status: 'initiated' },
  { event: 'ringing', status: 'ringing' },
];

/** A call's states by number, in order. */
function endOf(to: string): readonly CallReport[] {
  const ended = (status: string, more: Report): CallReport => ({
    event: 'completed',
    status,
    more,
  });
  switch (to) {
    case `${testNumbers}0007`:
      return [
        ...dialled.slice(0, 1),
        ended('failed', [
          ['SipResponseCode', '404'],
          ['ErrorCode', '13224'],
          ['ErrorMessage', 'Invalid phone number'],
        ]),
      ];
    case `${testNumbers}0009`:
      return [...dialled.slice(0, 1), ended('failed', [['SipResponseCode', '404']])];
    case `${testNumbers}0013`:
      return [...dialled.slice(0, 1), ended('busy', [['SipResponseCode', '486']])];
    case `${testNumbers}0014`:
      return [...dialled, ended('no-answer', [['SipResponseCode', '487']])];
    default:
      return [
        ...dialled,
        { event: 'answered', status: 'in-progress' },
        ended('completed', [
          ['CallDuration', '7'],
          ['Duration', '1'],
          ['SipResponseCode', '200'],
        ]),
      ];
  }
}

function reportForm(
  { to, accountSid, sid, form, nowMs }: Taken,
  { status, more = [] }: CallReport,
  index: number,
): Report {
  return [
    ['CallSid', sid],
    ['AccountSid', accountSid],
    ['From', oneOf(form, 'From') ?? ''],
    ['To', to],
    ['CallStatus', status],
    ['ApiVersion', '2010-04-01'],
    ['Direction', 'outbound-api'],
    ['Timestamp', new Date(nowMs + index * 1000).toUTCString().replace('GMT', '+0000')],
    ['SequenceNumber', String(index)],
    ['CallbackSource', 'call-progress-events'],
    ...more,
  ];
}

function contentOf(form: CarrierRequest['form']): Content {
  const twiml = oneOf(form, 'Twiml');
  const said = twiml === undefined ? undefined : spokenIn(twiml);
  const later = namedFaults.find(({ prefix }) => prefix === oneOf(form, 'To'));
  return {
    sender: `Call from ${oneOf(form, 'From') ?? 'nobody'}`,
    ...(said !== undefined && { text: said.join('\n'), said }),
    details: [...form]
      .filter(([name]) => !['To', 'From'].includes(name))
      .map(([name, values]) => [name, values.join(', ')] as const),
    ...(later !== undefined && { note: `This number: ${later.says}` }),
  };
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  refusedNumber('0001', 21217, 'Phone number does not appear to be valid'),
  refusedNumber('0002', 21214, "'To' phone number cannot be reached"),
  refusedNumber('0003', 21215, 'Account not authorized to call this region'),
  refusedNumber('0004', 21216, 'Account not allowed to call this number'),
  numbered('0007', 'accepted; the call fails with 13224: no such number', undefined),
  numbered('0009', 'accepted; the call fails with SIP 404, which may be the route', undefined),
  numbered('0013', 'accepted; the line is busy', undefined),
  numbered('0014', 'accepted; nobody answers', undefined),
  ...sharedNumbers,
];
