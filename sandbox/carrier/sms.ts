// Stand-in for the carrier's texts: `POST /carrier/2010-04-01/Accounts/<sid>/Messages.json`, and
// callbacks. Numbers below +1500555 trigger `namedFaults`. Replies are in sms-inbound.ts.

import type { NamedFault } from '../faults.ts';
import type { Content } from '../message.ts';
import type { HttpStandIn, StandInResponse, World } from '../stand-in.ts';
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
import { Conversations, inboundRoute } from './sms-inbound.ts';
import { segmentsOf } from './sms-segments.ts';

const textUnitsMax = 1600;
const validitySecondsMax = 36_000;
const mediaMax = 10;

const known: ReadonlySet<string> = new Set([
  'To',
  'From',
  'MessagingServiceSid',
  'Body',
  'MediaUrl',
  'StatusCallback',
  'ValidityPeriod',
  'SmartEncoded',
  'RiskCheck',
  'Attempt',
  'ProvideFeedback',
  'ContentSid',
  'ContentVariables',
  'ScheduleType',
  'SendAt',
]);

export function smsStandIn(world: World): HttpStandIn {
  const conversations = new Conversations();
  return carrierStandIn({
    channel: 'sms',
    label: 'SMS',
    look: 'chat',
    resource: 'Messages',
    known,
    namedFaults,
    controls: (callbacks) => [
      ...callbacks.controls('sms'),
      inboundRoute(world, callbacks, conversations),
    ],
    sidPrefixOf: (form) => (form.has('MediaUrl') ? 'MM' : 'SM'),
    refusalOf,
    contentOf,
    resourceOf,
    reportsOf: (taken) => fateOf(taken.to).map((report) => reportForm(taken, report)),
    note: ({ to, form, caller }) =>
      conversations.note(to, {
        caller,
        from: oneOf(form, 'From'),
        service: oneOf(form, 'MessagingServiceSid'),
        callback: oneOf(form, 'StatusCallback'),
      }),
  });
}

const isSender = (from: string) =>
  isAddressable(from) || /^\d{3,8}$/.test(from) || /^(?=.*[a-z])[a-z0-9 ]{1,11}$/i.test(from);

function refusalOf(form: CarrierRequest['form']): StandInResponse | undefined {
  const to = oneOf(form, 'To');
  const from = oneOf(form, 'From');
  const service = oneOf(form, 'MessagingServiceSid');
  const text = oneOf(form, 'Body');
  const media = form.get('MediaUrl') ?? [];
  const validity = oneOf(form, 'ValidityPeriod');
  if (to === undefined) return carrierError(400, 21604, "A 'To' phone number is required.");
  if (!isAddressable(to)) return carrierError(400, 21211, `Invalid 'To' Phone Number: ${to}`);
  if (from === undefined && service === undefined) {
    return carrierError(400, 21603, "A 'From' phone number is required.");
  }
  if (from !== undefined && !isSender(from)) {
    return carrierError(400, 21212, `Invalid From Number: ${from}`);
  }
  if (service !== undefined && !/^MG[0-9a-f]{32}$/i.test(service)) {
    return carrierError(400, 21703, `Messaging Service ${service} is not usable.`);
  }
  if (text === undefined && media.length === 0 && !form.has('ContentSid')) {
    return carrierError(400, 21602, 'Message body is required.');
  }
  if (text !== undefined && text.length > textUnitsMax) {
    const words = 'The concatenated message body exceeds the 1600 character limit';
    return carrierError(400, 21617, words);
  }
  if (media.length > mediaMax || !media.every((url) => /^https?:\/\//i.test(url))) {
    return carrierError(400, 21620, 'Invalid media URL(s)');
  }
  if (validity !== undefined) {
    const seconds = /^\d{1,6}$/.test(validity) ? Number(validity) : 0;
    if (seconds < 1 || seconds > validitySecondsMax) {
      return carrierError(400, 20001, 'ValidityPeriod must be between 1 and 36000');
    }
  }
  return refusalOfCallback(oneOf(form, 'StatusCallback'));
}

function resourceOf({ accountSid, sid, form, nowMs }: Taken): object {
  const text = oneOf(form, 'Body') ?? '';
  return {
    sid,
    status: form.has('MessagingServiceSid') ? 'accepted' : 'queued',
    account_sid: accountSid,
    to: oneOf(form, 'To'),
    from: oneOf(form, 'From') ?? null,
    messaging_service_sid: oneOf(form, 'MessagingServiceSid') ?? null,
    body: text,
    num_segments: String(segmentsOf(text).segments),
    num_media: String(form.get('MediaUrl')?.length ?? 0),
    direction: 'outbound-api',
    api_version: '2010-04-01',
    price: null,
    price_unit: 'USD',
    error_code: null,
    error_message: null,
    date_created: new Date(nowMs).toUTCString().replace('GMT', '+0000'),
    uri: `/2010-04-01/Accounts/${accountSid}/Messages/${sid}.json`,
  };
}

/** A message's states by number, in order. */
function fateOf(to: string): readonly (readonly [status: string, code?: number])[] {
  switch (to) {
    case `${testNumbers}0007`:
      return [['sent'], ['undelivered', 30005]];
    case `${testNumbers}0013`:
      return [['sent'], ['delivered'], ['undelivered', 30005]];
    case `${testNumbers}0014`:
      return [['sent'], ['undelivered', 30003]];
    case `${testNumbers}0020`:
      return [['sent'], ['undelivered', 30007]];
    default:
      return [['sent'], ['delivered']];
  }
}

function reportForm(
  { to, accountSid, sid, form, nowMs }: Taken,
  [status, code]: readonly [status: string, code?: number],
): Report {
  const service = oneOf(form, 'MessagingServiceSid');
  const isFinal = status !== 'sent';
  return [
    ['MessageSid', sid],
    ['SmsSid', sid],
    ['AccountSid', accountSid],
    ['From', oneOf(form, 'From') ?? '+15005550006'],
    ['To', to],
    ['MessageStatus', status],
    ['SmsStatus', status],
    ['ApiVersion', '2010-04-01'],
    ...(code === undefined ? [] : ([['ErrorCode', String(code)]] as const)),
    ...(service === undefined ? [] : ([['MessagingServiceSid', service]] as const)),
    ...(isFinal
      ? ([
          ['RawDlrDoneDate', new Date(nowMs).toISOString().replace(/\D/g, '').slice(2, 12)],
        ] as const)
      : []),
  ];
}

function contentOf(form: CarrierRequest['form']): Content {
  const text = oneOf(form, 'Body') ?? '';
  const [image] = form.get('MediaUrl') ?? [];
  const { alphabet, segments } = segmentsOf(text);
  const link = /https?:\/\/\S+/i.exec(text)?.[0];
  const later = namedFaults.find(({ prefix }) => prefix === oneOf(form, 'To'));
  return {
    sender: oneOf(form, 'From') ?? oneOf(form, 'MessagingServiceSid') ?? '',
    text,
    ...(image !== undefined && { image }),
    ...(link !== undefined && { link }),
    details: [
      ['parts', `${segments} in ${alphabet}`],
      ...[...form]
        .filter(([name]) => !['To', 'From', 'Body', 'MediaUrl'].includes(name))
        .map(([name, values]) => [name, values.join(', ')] as const),
    ],
    ...(later !== undefined && { note: `This number: ${later.says}` }),
  };
}

const namedFaults: readonly NamedFault<StandInResponse>[] = [
  refusedNumber('0001', 21211, "Invalid 'To' Phone Number"),
  refusedNumber('0002', 21612, "The 'To' phone number is not reachable from this 'From' number"),
  refusedNumber('0003', 21408, 'Permission to send an SMS has not been enabled for the region'),
  refusedNumber('0004', 21610, 'Attempt to send to unsubscribed recipient'),
  numbered('0007', 'accepted; later undelivered, 30005: unknown handset', undefined),
  refusedNumber('0009', 21614, "'To' number is not a valid mobile number"),
  numbered('0013', 'accepted and delivered; still later undelivered, 30005', undefined),
  numbered('0014', 'accepted; later undelivered, 30003: handset unreachable', undefined),
  numbered('0020', 'accepted; later undelivered, 30007: filtered', undefined),
  ...sharedNumbers,
];
