// Each recipe with the answers and reports of its gateway's documents: the request that it makes,
// what acceptances and errors mean, and what delivery reports and replies say.

import t, { type Test } from 'tap';
import { attemptUuid } from '../../../../../actors/channels/port/attempt-uuid.ts';
import type { OpenRelay } from '../../../../../actors/channels/port/open-relay.ts';
import type { RelayCall } from '../../../../../actors/channels/port/relay-events.ts';
import { readGatewayReports } from '../../../../../actors/channels/relays/gateway/events.ts';
import { http } from '../../../../../actors/channels/relays/gateway/kind.ts';
import {
  gatewayRecipes,
  recipeConfig,
} from '../../../../../actors/channels/relays/gateway/recipes/recipes.ts';
import { hasSentence } from '../../../../../actors/insight/timeline/reason-sentences.ts';
import { withProvider } from '../../http-rig.ts';
import { acceptedMs, anAttempt } from '../../stand-ins.ts';
import { gatewayConfig, throughRelay } from './gateways.ts';

const number = '+84901234567';
const attempt = {
  ...anAttempt({ channel: 'sms', endpoint: number }),
  content: { body: 'Xin chào bạn', options: {} },
};
const { sendId, deviceId, appId } = attempt;
const mark = `${sendId}-${deviceId}`;
const uuid = attemptUuid(sendId, deviceId);

function relayOf(recipe: string): OpenRelay {
  const credentials = Object.fromEntries(
    Object.keys(gatewayRecipes[recipe]?.credentials ?? {}).map((name) => [name, `the-${name}`]),
  );
  const config = http.configSchema.parse({ recipe, from: 'Shop', credentials });
  return { id: 'rel_1', kind: 'http', config, fingerprint: recipe };
}

interface Recipe {
  /** Of the request: its path behind the host, and members of its body or form. */
  readonly path: string;
  readonly sends: Readonly<Record<string, unknown>>;
  readonly accepts: object;
  readonly id: string | undefined;
  readonly refuses: readonly (readonly [
    status: number,
    body: object | string,
    outcome: string,
    reason: string,
  ])[];
  /** A report or reply as the gateway posts it; a text is a query. */
  readonly reports?: readonly (readonly [call: object | string, item: object])[];
}

const vonageCode = (status: string) => ({
  'message-count': '1',
  messages: [{ status, 'error-text': 'x' }],
});
const esmsCode = (CodeResult: string) => ({ CodeResult, ErrorMessage: 'x' });
const speedCode = (code: string) => ({ status: 'error', code, message: 'x' });
const birdCode = (code: number) => ({ errors: [{ code, description: 'x', parameter: null }] });
const infobipStatus = (name: string) => ({ messages: [{ status: { name, description: 'x' } }] });
const africaCode = (statusCode: number) => ({
  SMSMessageData: { Message: 'x', Recipients: [{ statusCode, status: 'x' }] },
});
const arrived = { kind: 'status', sendId, deviceId, news: { kind: 'arrived' } };
const failed = (reason: string, effect = 'none') => ({ news: { kind: 'failed', reason, effect } });

const recipes: Readonly<Record<string, Recipe>> = {
  esms: {
    path: '/rest.esms.vn/MainService.svc/json/SendMultipleMessage_V4_post_json/',
    sends: {
      ApiKey: 'the-apiKey',
      Phone: '0901234567',
      IsUnicode: '1',
      RequestId: uuid,
      Brandname: 'Shop',
    },
    accepts: {
      CodeResult: '100',
      CountRegenerate: 0,
      SMSID: 'd8e0f1f0702544b2acb456ca9ccfd111250',
    },
    id: 'd8e0f1f0702544b2acb456ca9ccfd111250',
    refuses: [
      [200, esmsCode('99'), 'permanent', 'blocked_number'],
      [200, esmsCode('101'), 'config', 'unauthenticated'],
      [200, esmsCode('103'), 'config', 'balance_used_up'],
      [200, esmsCode('104'), 'config', 'sender_not_registered'],
      [200, esmsCode('108'), 'permanent', 'invalid_number'],
      [200, esmsCode('140'), 'config', 'account_blocked'],
      [200, esmsCode('118'), 'config', 'invalid_request'],
      [200, esmsCode('146'), 'permanent', 'template_invalid'],
      [200, esmsCode('177'), 'permanent', 'no_route'],
      [200, esmsCode('999'), 'permanent', 'code_999'],
    ],
    reports: [
      [
        `?SMSID=a&SendFailed=0&SendStatus=5&SendSuccess=1&RequestId=${uuid}&TypeId=2&phonenumber=0901234567`,
        { kind: 'status', news: { kind: 'arrived' }, sendId, addresses: [number] },
      ],
      ['&SMSID=a&SendFailed=1&SendStatus=5&SendSuccess=0&phonenumber=0901234567', failed('failed')],
      // Of a text in two parts, as in its documents.
      ['&SMSID=a&SendFailed=2&SendStatus=5&SendSuccess=0&TotalSent=2', failed('failed')],
      ['&SMSID=a&SendFailed=1&SendStatus=5&SendSuccess=1&TotalSent=2', failed('failed')],
      [
        '&SMSID=a&SendFailed=0&SendStatus=5&SendSuccess=2&TotalSent=2',
        { news: { kind: 'arrived' } },
      ],
      ['&SMSID=a&SendFailed=0&SendStatus=4&SendSuccess=0', failed('content_refused')],
      ['&SMSID=a&SendFailed=0&SendStatus=7&SendSuccess=0', { news: { kind: 'taken' } }],
    ],
  },
  speedsms: {
    path: '/api.speedsms.vn/index.php/sms/send',
    sends: { to: ['84901234567'], content: 'Xin chào bạn', sms_type: 3, sender: 'Shop' },
    accepts: {
      status: 'success',
      code: '00',
      data: { tranId: 123_456, totalSMS: 1, totalPrice: 250, invalidPhone: [] },
    },
    id: '123456',
    refuses: [
      [
        200,
        { status: 'success', code: '00', data: { tranId: 1, invalidPhone: ['84901234567'] } },
        'permanent',
        'invalid_number',
      ],
      [200, speedCode('008'), 'config', 'account_blocked'],
      [200, speedCode('105'), 'permanent', 'invalid_number'],
      [200, speedCode('113'), 'permanent', 'text_too_long'],
      [200, speedCode('300'), 'config', 'balance_used_up'],
      [200, speedCode('500'), 'retry', 'unavailable'],
      [429, { name: 'Too Many Requests', code: 0, status: 429 }, 'rate', 'throttled'],
    ],
    reports: [
      [
        { type: 'report', tranId: 123_456, phone: '84901234567', status: 0 },
        { kind: 'status', name: '123456', addresses: [number], news: { kind: 'arrived' } },
      ],
      [
        { type: 'report', tranId: 123_456, phone: '84901234567', status: 5 },
        { news: { kind: 'taken' } },
      ],
      [{ type: 'report', tranId: 123_456, phone: '84901234567', status: 66 }, failed('failed')],
      [
        { type: 'sms', phone: '84901234567', content: 'STOP' },
        { kind: 'inbound', from: number, keyword: 'stop' },
      ],
    ],
  },
  zenziva: {
    path: '/console.zenziva.net/reguler/api/sendsms/',
    sends: {
      userkey: 'the-userKey',
      passkey: 'the-passKey',
      to: '84901234567',
      message: 'Xin chào bạn',
    },
    accepts: { messageId: 98_765, to: '0812', status: '1', text: 'Success', cost: 1 },
    id: '98765',
    refuses: [
      [200, { status: '0', text: 'Userkey / Passkey salah' }, 'config', 'unauthenticated'],
      [200, { status: '0', text: 'Kredit tidak mencukupi' }, 'config', 'balance_used_up'],
      [200, { status: '0', text: 'Nomor tujuan tidak valid' }, 'permanent', 'invalid_number'],
      [200, { status: '0', text: 'Konten SMS rejected' }, 'permanent', 'code_0'],
    ],
  },
  '8x8': {
    path: '/sms.8x8.com/api/v1/subaccounts/the-subAccountId/messages',
    sends: { source: 'Shop', destination: number, text: 'Xin chào bạn', clientMessageId: mark },
    accepts: {
      umid: 'dec02e44-c76f-4a0a-b69f-6ac2a4386eb9',
      clientMessageId: mark,
      status: { state: 'queued', timestamp: '2020-12-22T01:24:30.60Z' },
    },
    id: 'dec02e44-c76f-4a0a-b69f-6ac2a4386eb9',
    refuses: [
      [
        200,
        { umid: 'x', status: { state: 'rejected', errorMessage: 'no' } },
        'permanent',
        'refused',
      ],
      [400, { code: 1002, message: 'no' }, 'permanent', 'code_1002'],
      [401, { code: 1200, message: 'no' }, 'config', 'unauthenticated'],
      [429, { message: 'slow' }, 'rate', 'throttled'],
    ],
    reports: [
      [
        {
          namespace: 'SMS',
          eventType: 'outbound_message_status_changed',
          payload: {
            umid: 'x',
            clientMessageId: mark,
            destination: number,
            status: { state: 'delivered', detail: 'delivered_to_recipient' },
          },
        },
        arrived,
      ],
      [
        {
          namespace: 'SMS',
          payload: {
            clientMessageId: mark,
            status: { state: 'undelivered', detail: 'rejected_by_operator' },
          },
        },
        failed('failed'),
      ],
      [
        {
          namespace: 'SMS',
          payload: {
            clientMessageId: mark,
            status: { state: 'undelivered', errorCode: 46, errorMessage: 'not reachable' },
          },
        },
        failed('handset_unreachable'),
      ],
      [
        {
          namespace: 'SMS',
          eventType: 'inbound_message_received',
          payload: { umid: 'y', source: number, body: 'HỦY' },
        },
        { kind: 'inbound', id: 'y', from: number },
      ],
    ],
  },
  vonage: {
    path: '/rest.nexmo.com/sms/json',
    sends: {
      api_key: 'the-apiKey',
      to: '84901234567',
      from: 'Shop',
      type: 'unicode',
      'client-ref': mark,
    },
    accepts: {
      'message-count': '1',
      messages: [
        {
          to: '84901234567',
          'message-id': '0A0000000123ABCD1',
          status: '0',
          'remaining-balance': '3.14',
        },
      ],
    },
    id: '0A0000000123ABCD1',
    refuses: [
      [200, vonageCode('1'), 'rate', 'throttled'],
      [200, vonageCode('3'), 'permanent', 'invalid_request'],
      [200, vonageCode('4'), 'config', 'unauthenticated'],
      [200, vonageCode('5'), 'retry', 'unavailable'],
      [200, vonageCode('6'), 'permanent', 'invalid_number'],
      [200, vonageCode('7'), 'permanent', 'blocked_number'],
      [200, vonageCode('8'), 'config', 'account_suspended'],
      [200, vonageCode('9'), 'config', 'balance_used_up'],
      [200, vonageCode('12'), 'permanent', 'text_too_long'],
      [200, vonageCode('15'), 'config', 'sender_not_registered'],
      [200, vonageCode('29'), 'permanent', 'recipient_not_allowed'],
      [200, vonageCode('33'), 'dead', 'invalid_number'],
      [200, vonageCode('99'), 'permanent', 'code_99'],
    ],
    reports: [
      [
        {
          msisdn: '84901234567',
          to: 'Shop',
          messageId: '0A',
          status: 'delivered',
          'err-code': '0',
          'client-ref': mark,
        },
        arrived,
      ],
      [
        { msisdn: '84901234567', status: 'failed', 'err-code': '3', 'client-ref': mark },
        failed('invalid_number', 'dead'),
      ],
      [
        { msisdn: '84901234567', status: 'rejected', 'err-code': '9', 'client-ref': mark },
        failed('opted_out', 'opted_out'),
      ],
      [
        { msisdn: '84901234567', status: 'failed', 'err-code': '2', 'client-ref': mark },
        failed('handset_unreachable'),
      ],
      [
        { msisdn: '84901234567', status: 'failed', 'err-code': '4', 'client-ref': mark },
        failed('blocked_number'),
      ],
      [`&msisdn=84901234567&status=expired&err-code=1&client-ref=${mark}`, failed('failed')],
      [
        { msisdn: '84901234567', messageId: '0B', text: 'Stop' },
        { kind: 'inbound', id: '0B', from: number, keyword: 'stop' },
      ],
    ],
  },
  messagebird: {
    path: '/rest.messagebird.com/messages',
    sends: {
      originator: 'Shop',
      recipients: ['84901234567'],
      body: 'Xin chào bạn',
      datacoding: 'auto',
      reference: mark,
    },
    accepts: {
      id: 'e8077d803532c0b5937c639b60216938',
      recipients: { items: [{ recipient: 84_901_234_567, status: 'sent' }] },
    },
    id: 'e8077d803532c0b5937c639b60216938',
    refuses: [
      [401, birdCode(2), 'config', 'unauthenticated'],
      [422, birdCode(9), 'permanent', 'invalid_request'],
      [402, birdCode(25), 'config', 'balance_used_up'],
      [500, birdCode(99), 'retry', 'unavailable'],
    ],
    reports: [
      [`&id=e8&reference=${mark}&recipient=84901234567&status=delivered`, arrived],
      [
        `&id=e8&reference=${mark}&recipient=84901234567&status=delivery_failed&statusErrorCode=1`,
        failed('invalid_number', 'dead'),
      ],
      [
        `&id=e8&reference=${mark}&recipient=84901234567&status=delivery_failed&statusErrorCode=27`,
        failed('handset_unreachable'),
      ],
      [
        '&id=e9&originator=84901234567&recipient=1&body=START',
        { kind: 'inbound', id: 'e9', from: number, keyword: 'start' },
      ],
    ],
  },
  infobip: {
    path: '/api.infobip.com/sms/3/messages',
    sends: {
      messages: [
        {
          sender: 'Shop',
          destinations: [{ to: '84901234567', messageId: uuid }],
          content: { text: 'Xin chào bạn' },
        },
      ],
    },
    accepts: {
      messages: [
        {
          messageId: 'MESSAGE-ID-123-xyz',
          status: { groupId: 1, groupName: 'PENDING', id: 26, name: 'PENDING_ACCEPTED' },
        },
      ],
    },
    id: 'MESSAGE-ID-123-xyz',
    refuses: [
      [200, infobipStatus('REJECTED_NOT_ENOUGH_CREDITS'), 'config', 'balance_used_up'],
      [200, infobipStatus('REJECTED_SENDER'), 'config', 'sender_not_registered'],
      [200, infobipStatus('REJECTED_DESTINATION'), 'permanent', 'invalid_number'],
      [200, infobipStatus('REJECTED_NETWORK'), 'permanent', 'no_route'],
      [200, infobipStatus('REJECTED_DESTINATION_BLOCKLISTED'), 'permanent', 'blocked_number'],
      [
        200,
        infobipStatus('REJECTED_DESTINATION_NOT_REGISTERED'),
        'permanent',
        'recipient_not_allowed',
      ],
      [200, infobipStatus('REJECTED_FLOODING_FILTER'), 'permanent', 'filtered'],
      [200, infobipStatus('REJECTED_MESSAGE_TOO_LONG'), 'permanent', 'text_too_long'],
      [200, infobipStatus('REJECTED_INVALID_UDH'), 'permanent', 'refused'],
      [
        401,
        {
          requestError: {
            serviceException: { messageId: 'UNAUTHORIZED', text: 'Invalid login details' },
          },
        },
        'config',
        'unauthenticated',
      ],
      [
        429,
        { requestError: { serviceException: { messageId: 'TOO_MANY_REQUESTS', text: 'x' } } },
        'rate',
        'throttled',
      ],
      [503, '', 'retry', 'unavailable'],
    ],
    reports: [
      [
        {
          results: [
            {
              messageId: 'x',
              to: '84901234567',
              callbackData: mark,
              status: { groupId: 3, groupName: 'DELIVERED', name: 'DELIVERED_TO_HANDSET' },
              error: { name: 'NO_ERROR' },
            },
          ],
        },
        arrived,
      ],
      [
        {
          results: [
            {
              messageId: 'x',
              to: '84901234567',
              callbackData: mark,
              status: { groupName: 'UNDELIVERABLE' },
              error: { name: 'EC_UNKNOWN_SUBSCRIBER' },
            },
          ],
        },
        failed('invalid_number', 'dead'),
      ],
      [
        {
          results: [
            {
              messageId: 'x',
              to: '84901234567',
              callbackData: mark,
              status: { groupName: 'UNDELIVERABLE' },
              error: { name: 'EC_ABSENT_SUBSCRIBER' },
            },
          ],
        },
        failed('handset_unreachable'),
      ],
      [
        { results: [{ messageId: 'in-1', from: '84901234567', to: 'Shop', text: 'stop' }] },
        { kind: 'inbound', id: 'in-1', from: number, keyword: 'stop' },
      ],
    ],
  },
  africastalking: {
    path: '/api.africastalking.com/version1/messaging',
    sends: { username: 'the-username', to: number, message: 'Xin chào bạn', from: 'Shop' },
    accepts: {
      SMSMessageData: {
        Message: 'Sent to 1/1',
        Recipients: [
          { statusCode: 101, number, status: 'Success', messageId: 'ATPid_SampleTxnId123' },
        ],
      },
    },
    id: 'ATPid_SampleTxnId123',
    refuses: [
      [201, africaCode(402), 'config', 'sender_not_registered'],
      [201, africaCode(403), 'permanent', 'invalid_number'],
      [201, africaCode(405), 'config', 'balance_used_up'],
      [201, africaCode(401), 'permanent', 'filtered'],
      [201, africaCode(406), 'opted_out', 'opted_out'],
      [201, africaCode(409), 'permanent', 'blocked_number'],
      [201, africaCode(501), 'retry', 'unavailable'],
      [
        201,
        { SMSMessageData: { Message: 'InvalidSenderId', Recipients: [] } },
        'config',
        'sender_not_registered',
      ],
      [401, 'The supplied authentication is invalid', 'config', 'unauthenticated'],
    ],
    reports: [
      [
        new URLSearchParams({
          id: 'ATPid_1',
          status: 'Success',
          phoneNumber: number,
          networkCode: '45201',
        }),
        { kind: 'status', name: 'ATPid_1', addresses: [number], news: { kind: 'arrived' } },
      ],
      [
        new URLSearchParams({
          id: 'ATPid_1',
          status: 'Rejected',
          phoneNumber: number,
          failureReason: 'UserInBlackList',
        }),
        failed('opted_out', 'opted_out'),
      ],
      [
        new URLSearchParams({ id: 'ATPid_1', status: 'Failed', phoneNumber: number }),
        failed('failed'),
      ],
      [
        new URLSearchParams({ id: 'in', from: number, text: 'STOP', to: '22384' }),
        { kind: 'inbound', id: 'in', from: number, keyword: 'stop' },
      ],
    ],
  },
};

const ofTexts = Object.keys(gatewayRecipes).filter(
  (name) => gatewayRecipes[name]?.channel === undefined,
);
t.same(Object.keys(recipes).sort(), ofTexts.sort(), 'each recipe for texts is here');

function bodyIn(body: Buffer, contentType: string | undefined): object {
  const text = String(body);
  if (contentType?.startsWith('application/json') === true) return JSON.parse(text);
  return Object.fromEntries(new URLSearchParams(text));
}

async function sending(t: Test, name: string, recipe: Recipe): Promise<void> {
  const accept = { status: 200, body: JSON.stringify(recipe.accepts) };
  const { adapter, provider } = await withProvider(
    t,
    throughRelay(relayOf(name)),
    gatewayConfig,
    accept,
  );
  t.same(await adapter.send(attempt, {}), { outcome: 'accepted', providerMessageId: recipe.id });
  const [call] = provider.calls;
  t.equal(call?.path, recipe.path);
  t.match(bodyIn(call?.body ?? Buffer.alloc(0), call?.headers['content-type']), recipe.sends);
  for (const [status, body, outcome, reason] of recipe.refuses) {
    provider.meet({ status, body: typeof body === 'string' ? body : JSON.stringify(body) });
    t.match(await adapter.send(attempt, {}), { outcome, reason }, JSON.stringify(body));
  }
  const config = recipeConfig(name);
  for (const { reason } of config?.answer.meanings ?? [])
    t.ok(hasSentence(reason), `${reason} has a sentence`);
  for (const { reason = 'failed' } of config?.callbacks?.reports?.statuses ?? [])
    t.ok(hasSentence(reason), `${reason} has a sentence`);
}

function callOf(call: object | string, query: string): RelayCall {
  const isForm = call instanceof URLSearchParams;
  const body = typeof call === 'string' ? '' : isForm ? call.toString() : JSON.stringify(call);
  const type = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
  return {
    body: Buffer.from(body),
    headers: body === '' ? {} : { 'content-type': type },
    query: typeof call === 'string' ? query + call : query,
    nowMs: acceptedMs,
    fetchText: () => Promise.resolve(undefined),
  };
}

async function reporting(t: Test, name: string, { reports = [] }: Recipe): Promise<void> {
  const { config } = relayOf(name);
  for (const [call, item] of reports) {
    const told = await readGatewayReports(
      callOf(call, `app=${appId}&mark=${mark}&token=the-reports`),
      config,
    );
    const read = told.state === 'read' ? (told.items ?? []) : [];
    t.equal(read.length, 1, JSON.stringify(told));
    // What the address says names the message where the gateway echoes nothing of ours.
    const expected = 'name' in item ? { ...item, name: undefined, sendId, deviceId } : item;
    t.match(read[0]?.item, expected, JSON.stringify(call));
    const shared = await readGatewayReports(callOf(call, `app=${appId}&token=the-reports`), config);
    if (shared.state === 'read' && 'name' in item) t.match(shared.items?.[0]?.item, item);
    for (const token of ['', '&token=', '&token=the-other', '&token=the-reportsx'])
      t.same(await readGatewayReports(callOf(call, `app=${appId}${token}`), config), {
        state: 'refused',
        reason: 'signature',
      });
  }
}

for (const [name, recipe] of Object.entries(recipes)) {
  t.test(`${name}: what it is sent, and what its answers mean`, (t) => sending(t, name, recipe));
  t.test(`${name}: what its reports mean, and forged ones`, (t) => reporting(t, name, recipe));
}

t.test('an earlier try that got through is an acceptance', async (t) => {
  const again: readonly (readonly [recipe: string, answer: object])[] = [
    ['esms', esmsCode('124')],
    ['infobip', infobipStatus('REJECTED_DUPLICATE_MESSAGE_ID')],
  ];
  for (const [name, body] of again) {
    const answer = { status: 200, body: JSON.stringify(body) };
    const { adapter } = await withProvider(t, throughRelay(relayOf(name)), gatewayConfig, answer);
    t.match(await adapter.send(attempt, {}), { outcome: 'accepted' }, name);
  }
});

t.test("Vonage's callback has no room for an address that names the message", async (t) => {
  t.notMatch(JSON.stringify(recipeConfig('vonage')?.body), 'callback_url');
  t.match(gatewayRecipes['vonage']?.setup, /inbound SMS/);
});

t.test('an unknown recipe is refused with those that there are', async (t) => {
  const { error } = http.configSchema.safeParse({ recipe: 'vonnage', credentials: {} });
  t.match(error?.issues, [{ path: ['recipe'], message: /there are esms, .*vonage/ }]);
});

t.test('a member of the tenant replaces that of the recipe', async (t) => {
  const credentials = { apiKey: 'a', reports: 'r' };
  const url = 'https://abc123.api.infobip.com/sms/3/messages';
  t.match(http.configSchema.parse({ recipe: 'infobip', url, credentials }), {
    url,
    numberForm: 'digits',
  });
});
