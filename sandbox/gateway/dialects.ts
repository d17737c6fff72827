// How gateways for texts speak, by the host that is called: what a request says, how each answers,
// and how it reports. Any other host speaks the plain JSON of the last one, for one's own gateways.

import type { Post } from '../callbacks.ts';
import { objectOrEmpty, parseJson, textOf } from '../json.ts';
import { jsonAnswer, type Received, type StandInResponse } from '../stand-in.ts';

export interface GatewayText {
  readonly to: string;
  readonly from?: string | undefined;
  readonly text: string;
  /** What the caller wants to hear again in reports. */
  readonly reference?: string | undefined;
  /** Where reports go, if the request says so. */
  readonly callback?: string | undefined;
  /** It is read on the phone, in this language if the request says one. */
  readonly call?: { readonly language: string | undefined };
}

export type Refusal = 'number' | 'opted_out' | 'credit' | 'key' | 'throttled';
export type GatewayReport = 'sent' | 'delivered' | 'absent' | 'gone';

export interface Dialect {
  readonly label: string;
  readonly host: string;
  /** `undefined`: the request is none of a message. */
  read(received: Received): GatewayText | undefined;
  /** Whether it is signed in; `revoked…` never is. */
  key(received: Received): string | undefined;
  accepted(id: string, text: GatewayText): StandInResponse;
  refused(why: Refusal): StandInResponse;
  report(
    report: GatewayReport,
    id: string,
    text: GatewayText,
  ): Omit<Post, 'url'> & { readonly query?: string };
  /** The id of the message that a call asks about; absent: it is never asked. */
  asked?(received: Received): string | undefined;
  /** The answer to that; without a report nothing is known of the message. */
  told?(report: GatewayReport | undefined, id: string, to: string): StandInResponse;
  /** A reply of a person. */
  reply(id: string, from: string, words: string): Omit<Post, 'url'> & { readonly query?: string };
}

type Fields = Readonly<Record<string, string | undefined>>;

const jsonIn = ({ body }: Received) => objectOrEmpty(parseJson(body.toString()));
const formIn = ({ body }: Received): Fields =>
  Object.fromEntries(new URLSearchParams(body.toString()));
const queryIn = ({ query }: Received): Fields => Object.fromEntries(new URLSearchParams(query));
const bearer = ({ headers }: Received) => headers.authorization?.replace(/^\w+ /, '');

function posted(body: object): Omit<Post, 'url'> {
  return { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) };
}

function form(fields: Readonly<Record<string, string>>): Omit<Post, 'url'> {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  return { headers, body: new URLSearchParams(fields).toString() };
}

function asked(fields: Readonly<Record<string, string>>) {
  return {
    method: 'GET',
    headers: {},
    body: '',
    query: new URLSearchParams(fields).toString(),
  } as const;
}

const esms: Dialect = {
  label: 'eSMS.vn',
  host: 'rest.esms.vn',
  key: (received) => textOf(jsonIn(received)['ApiKey']),
  read(received) {
    const { Phone, Content, Brandname, RequestId, CallbackUrl } = jsonIn(received);
    const [to, text] = [textOf(Phone), textOf(Content)];
    if (to === undefined || text === undefined) return undefined;
    return {
      to,
      text,
      from: textOf(Brandname),
      reference: textOf(RequestId),
      callback: textOf(CallbackUrl),
    };
  },
  accepted: (SMSID) => jsonAnswer(200, { CodeResult: '100', CountRegenerate: 0, SMSID }),
  refused(why) {
    const code = { number: '108', opted_out: '99', credit: '103', key: '101', throttled: '199' }[
      why
    ];
    return refusal(200, { CodeResult: code, ErrorMessage: `refused: ${why}` });
  },
  report: (report, SMSID, { to, reference = '' }) =>
    asked({
      SMSID,
      SendFailed: report === 'absent' || report === 'gone' ? '1' : '0',
      SendStatus: report === 'sent' ? '7' : '5',
      SendSuccess: report === 'delivered' ? '1' : '0',
      RequestId: reference,
      TypeId: '2',
      phonenumber: to,
    }),
  reply: (id, phonenumber, text) => asked({ id, phonenumber, text }),
};

const speedsms: Dialect = {
  label: 'SpeedSMS',
  host: 'api.speedsms.vn',
  key: (received) =>
    Buffer.from(bearer(received) ?? '', 'base64')
      .toString()
      .split(':')[0],
  read(received) {
    const { to, content, sender } = jsonIn(received);
    const [number, text] = [Array.isArray(to) ? textOf(to[0]) : undefined, textOf(content)];
    if (number === undefined || text === undefined) return undefined;
    return { to: number, text, from: textOf(sender) };
  },
  accepted: (tranId) =>
    jsonAnswer(200, {
      status: 'success',
      code: '00',
      data: { tranId, totalSMS: 1, invalidPhone: [] },
    }),
  refused(why) {
    if (why === 'throttled')
      return refusal(429, { name: 'Too Many Requests', code: 0, status: 429 });
    const code = { number: '105', opted_out: '101', credit: '300', key: '008' }[why];
    return refusal(200, { status: 'error', code, message: `refused: ${why}` });
  },
  report: (report, tranId, { to }) =>
    posted({
      type: 'report',
      tranId,
      phone: to,
      status: { sent: 1, delivered: 0, absent: 64, gone: 65 }[report],
    }),
  reply: (_id, phone, content) => posted({ type: 'sms', phone, content }),
};

const zenziva: Dialect = {
  label: 'Zenziva',
  host: 'console.zenziva.net',
  key: (received) =>
    received.method === 'GET' ? queryIn(received)['userkey'] : formIn(received)['userkey'],
  read(received) {
    const { to, message } = formIn(received);
    return to === undefined || message === undefined ? undefined : { to, text: message };
  },
  accepted: (id, { to }) =>
    jsonAnswer(200, { messageId: id, to, status: '1', text: 'Success', cost: 1 }),
  refused(why) {
    const words = {
      number: 'Nomor tujuan tidak valid',
      opted_out: 'Konten SMS rejected',
      credit: 'Kredit tidak mencukupi',
      key: 'Userkey / Passkey salah',
      throttled: 'Pengiriman SMS berulang',
    };
    return refusal(200, { status: '0', text: words[why] });
  },
  report: () => posted({}),
  asked: (received) =>
    received.path.includes('/api/report') ? queryIn(received)['messageId'] : undefined,
  told(report, messageId, to) {
    const text = { sent: 'Sent', delivered: 'Delivered', absent: 'Failed', gone: 'Failed' };
    if (report === undefined) return jsonAnswer(200, { status: '0', text: 'No data' });
    return jsonAnswer(200, { messageId, to, status: '1', text: text[report] });
  },
  reply: () => posted({}),
};

const eightByEight: Dialect = {
  label: '8x8',
  host: 'sms.8x8.com',
  key: bearer,
  read(received) {
    const { destination, source, text, clientMessageId, dlrCallbackUrl } = jsonIn(received);
    const [to, words] = [textOf(destination), textOf(text)];
    if (to === undefined || words === undefined) return undefined;
    const [from, reference] = [textOf(source), textOf(clientMessageId)];
    return { to, text: words, from, reference, callback: textOf(dlrCallbackUrl) };
  },
  accepted: (umid, { to, reference }) =>
    jsonAnswer(200, {
      umid,
      clientMessageId: reference,
      destination: to,
      status: { state: 'queued' },
    }),
  refused(why) {
    if (why === 'throttled') return refusal(429, { message: 'too many requests' });
    if (why === 'key')
      return refusal(401, { code: 1200, message: 'Request was not authenticated' });
    const code = { number: 1002, opted_out: 1010, credit: 1402 }[why];
    return refusal(why === 'credit' ? 402 : 400, { code, message: `refused: ${why}` });
  },
  report: (report, umid, { to, reference }) =>
    posted({
      namespace: 'SMS',
      eventType: 'outbound_message_status_changed',
      payload: {
        ...{ umid, clientMessageId: reference, destination: to },
        status: {
          state: {
            sent: 'sent',
            delivered: 'delivered',
            absent: 'undelivered',
            gone: 'undelivered',
          }[report],
        },
      },
    }),
  reply: (umid, source, body) =>
    posted({
      namespace: 'SMS',
      eventType: 'inbound_message_received',
      payload: { umid, source, body },
    }),
};

const vonage: Dialect = {
  label: 'Vonage',
  host: 'rest.nexmo.com',
  key: (received) =>
    received.method === 'GET' ? queryIn(received)['api_key'] : formIn(received)['api_key'],
  read(received) {
    const { to, from, text, 'client-ref': reference } = formIn(received);
    return to === undefined || text === undefined ? undefined : { to, from, text, reference };
  },
  accepted: (id, { to }) =>
    jsonAnswer(200, { 'message-count': '1', messages: [{ to, 'message-id': id, status: '0' }] }),
  refused(why) {
    const status = { number: '6', opted_out: '7', credit: '9', key: '4', throttled: '1' }[why];
    return refusal(200, {
      'message-count': '1',
      messages: [{ status, 'error-text': `refused: ${why}` }],
    });
  },
  report: (report, messageId, { to, reference = '' }) =>
    posted({
      ...{ msisdn: to.replace(/^\+/, ''), to: 'Shop', messageId, 'client-ref': reference },
      status: { sent: 'accepted', delivered: 'delivered', absent: 'failed', gone: 'failed' }[
        report
      ],
      'err-code': { sent: '0', delivered: '0', absent: '2', gone: '3' }[report],
    }),
  reply: (messageId, msisdn, text) => posted({ messageId, msisdn, text, to: 'Shop' }),
};

const messagebird: Dialect = {
  label: 'MessageBird',
  host: 'rest.messagebird.com',
  key: bearer,
  read(received) {
    const { recipients, originator, body, reference, reportUrl } = jsonIn(received);
    const to = Array.isArray(recipients) ? textOf(recipients[0]) : undefined;
    const text = textOf(body);
    if (to === undefined || text === undefined) return undefined;
    return {
      to,
      text,
      from: textOf(originator),
      reference: textOf(reference),
      callback: textOf(reportUrl),
    };
  },
  accepted: (id, { to }) =>
    jsonAnswer(201, {
      id,
      recipients: { totalCount: 1, items: [{ recipient: to, status: 'sent' }] },
    }),
  refused(why) {
    if (why === 'throttled')
      return refusal(429, { errors: [{ code: 101, description: 'rate limit' }] });
    const code = { number: 9, opted_out: 9, credit: 25, key: 2 }[why];
    const status = { number: 422, opted_out: 422, credit: 402, key: 401 }[why];
    return refusal(status, { errors: [{ code, description: `refused: ${why}`, parameter: null }] });
  },
  report: (report, id, { to, reference = '' }) =>
    asked({
      ...{ id, reference, recipient: to },
      status: {
        sent: 'sent',
        delivered: 'delivered',
        absent: 'delivery_failed',
        gone: 'delivery_failed',
      }[report],
      ...(report === 'absent' || report === 'gone'
        ? { statusErrorCode: report === 'absent' ? '27' : '1' }
        : {}),
    }),
  reply: (id, originator, body) => asked({ id, originator, body }),
};

const infobip: Dialect = {
  label: 'Infobip',
  host: 'api.infobip.com',
  key: bearer,
  read(received) {
    const { messages } = jsonIn(received);
    const message = objectOrEmpty(Array.isArray(messages) ? messages[0] : undefined);
    const { destinations, sender, content, webhooks } = message;
    const first = objectOrEmpty(Array.isArray(destinations) ? destinations[0] : undefined);
    const hooks = objectOrEmpty(webhooks);
    const [to, text] = [textOf(first['to']), textOf(objectOrEmpty(content)['text'])];
    if (to === undefined || text === undefined) return undefined;
    const callback = textOf(objectOrEmpty(hooks['delivery'])['url']);
    return { to, text, from: textOf(sender), reference: textOf(hooks['callbackData']), callback };
  },
  accepted: (messageId) =>
    jsonAnswer(200, {
      messages: [
        { messageId, status: { groupId: 1, groupName: 'PENDING', name: 'PENDING_ACCEPTED' } },
      ],
    }),
  refused(why) {
    const failed = (status: number, messageId: string) =>
      refusal(status, {
        requestError: { serviceException: { messageId, text: `refused: ${why}` } },
      });
    if (why === 'key') return failed(401, 'UNAUTHORIZED');
    if (why === 'throttled') return failed(429, 'TOO_MANY_REQUESTS');
    const name = {
      number: 'REJECTED_DESTINATION',
      opted_out: 'REJECTED_DND',
      credit: 'REJECTED_NOT_ENOUGH_CREDITS',
    }[why];
    return refusal(200, {
      messages: [{ status: { groupName: 'REJECTED', name, description: why } }],
    });
  },
  report: (report, messageId, { to, reference }) =>
    posted({
      results: [
        {
          ...{ messageId, to, callbackData: reference },
          status: {
            groupName: {
              sent: 'PENDING',
              delivered: 'DELIVERED',
              absent: 'UNDELIVERABLE',
              gone: 'UNDELIVERABLE',
            }[report],
          },
          error: {
            name: {
              sent: 'NO_ERROR',
              delivered: 'NO_ERROR',
              absent: 'EC_ABSENT_SUBSCRIBER',
              gone: 'EC_UNKNOWN_SUBSCRIBER',
            }[report],
          },
        },
      ],
    }),
  reply: (messageId, from, text) => posted({ results: [{ messageId, from, text }] }),
};

const africastalking: Dialect = {
  label: "Africa's Talking",
  host: 'api.africastalking.com',
  key: ({ headers }) => (typeof headers['apikey'] === 'string' ? headers['apikey'] : undefined),
  read(received) {
    const { to, from, message } = formIn(received);
    return to === undefined || message === undefined ? undefined : { to, from, text: message };
  },
  accepted: (messageId, { to }) =>
    jsonAnswer(201, {
      SMSMessageData: {
        Message: 'Sent to 1/1',
        Recipients: [{ statusCode: 101, number: to, status: 'Success', messageId }],
      },
    }),
  refused(why) {
    if (why === 'key')
      return { ...jsonAnswer(401, {}), body: 'The supplied authentication is invalid' };
    if (why === 'throttled') return refusal(429, { message: 'rate limit' });
    const statusCode = { number: 403, opted_out: 406, credit: 405 }[why];
    return refusal(201, {
      SMSMessageData: { Message: 'x', Recipients: [{ statusCode, status: why }] },
    });
  },
  report: (report, id, { to }) =>
    form({
      ...{ id, phoneNumber: to },
      status: { sent: 'Sent', delivered: 'Success', absent: 'Failed', gone: 'Failed' }[report],
      ...(report === 'absent' || report === 'gone'
        ? { failureReason: report === 'absent' ? 'AbsentSubscriber' : 'UserDoesNotExist' }
        : {}),
    }),
  reply: (id, from, text) => form({ id, from, text }),
};

/** Voice messages of the same host: a request of theirs has another path. */
const infobipVoice: Dialect = {
  ...infobip,
  label: 'Infobip, calls',
  read(received) {
    const { messages } = jsonIn(received);
    const message = objectOrEmpty(Array.isArray(messages) ? messages[0] : undefined);
    const { destinations, from, text, language, notifyUrl, callbackData } = message;
    const first = objectOrEmpty(Array.isArray(destinations) ? destinations[0] : undefined);
    const [to, words] = [textOf(first['to']), textOf(text)];
    if (to === undefined || words === undefined) return undefined;
    return {
      ...{ to, text: words, from: textOf(from), reference: textOf(callbackData) },
      ...{ callback: textOf(notifyUrl), call: { language: textOf(language) } },
    };
  },
  report: (report, messageId, { to, reference }) =>
    posted({
      results: [
        {
          ...{ messageId, to, callbackData: reference },
          status: {
            groupName: {
              sent: 'PENDING',
              delivered: 'DELIVERED',
              absent: 'UNDELIVERABLE',
              gone: 'UNDELIVERABLE',
            }[report],
          },
          error: {
            name: {
              sent: 'NO_ERROR',
              delivered: 'VOICE_ANSWERED',
              absent: 'EC_VOICE_NO_ANSWER',
              gone: 'EC_VOICE_ERROR_DESTINATION_NOT_FOUND',
            }[report],
          },
        },
      ],
    }),
};

/** For gateways of one's own: what the page on gateways walks through. */
const plain: Dialect = {
  label: 'Gateway',
  host: '',
  key: bearer,
  read(received) {
    const { to, from, text, reference, notify } = jsonIn(received);
    const [number, words] = [textOf(to), textOf(text)];
    if (number === undefined || words === undefined) return undefined;
    const rest = { from: textOf(from), reference: textOf(reference), callback: textOf(notify) };
    return { to: number, text: words, ...rest };
  },
  accepted: (id) => jsonAnswer(202, { id, status: 'queued' }),
  refused(why) {
    const status = { number: 400, opted_out: 400, credit: 402, key: 401, throttled: 429 }[why];
    return refusal(status, { error: why });
  },
  report: (report, id, { to, reference }) =>
    posted({
      ...{ id, to, reference },
      status: { sent: 'sent', delivered: 'delivered', absent: 'failed', gone: 'failed' }[report],
      ...(report === 'absent' || report === 'gone' ? { error: report } : {}),
    }),
  asked: ({ path }) => /\/messages\/([^/]+)$/.exec(path)?.[1],
  told: (report, id) =>
    report === undefined
      ? jsonAnswer(404, { error: 'unknown' })
      : jsonAnswer(200, {
          id,
          status: { sent: 'sent', delivered: 'delivered', absent: 'failed', gone: 'failed' }[
            report
          ],
          ...(report === 'absent' || report === 'gone' ? { error: report } : {}),
        }),
  reply: (id, from, text) => posted({ id, from, text }),
};

const dialects: readonly Dialect[] = [
  ...[esms, speedsms, zenziva, eightByEight, vonage, messagebird, infobip, africastalking],
  plain,
];

/** `rest.nexmo.com`, or a part before it: accounts of Infobip have their own names. */
export function dialectOf(host: string, path = ''): Dialect {
  if (host.endsWith(infobip.host) && path.startsWith('/tts/')) return infobipVoice;
  return (
    dialects.find(
      (one) => one.host !== '' && (host === one.host || host.endsWith(`.${one.host}`)),
    ) ?? plain
  );
}

function refusal(status: number, body: object): StandInResponse {
  return { ...jsonAnswer(status, body), isRefusal: true };
}
