// Calls of the providers' webhooks that carry the right signature, one for each.

import { createHmac, generateKeyPairSync } from 'node:crypto';
import { catalog } from '../../actors/channels/catalog.ts';
import type { OpenApiDocument } from '../../http/describe/openapi-types.ts';
import {
  chatChannels,
  chatCredentials,
  inboundBody,
  proofOf,
} from '../actors/sending/callbacks/chat-provider.ts';
import { carrierSignature } from '../support/carrier-signature.ts';
import type { TestOrg } from '../support/server.ts';

/** A call, by the line of its operation and of its own. */
interface SignedCall {
  readonly operation: string;
  readonly line: string;
  readonly body?: string;
  readonly headers: Readonly<Record<string, string>>;
}

const json = { 'content-type': 'application/json' };
const [authToken, appSecret, clientToken] = [
  'a-token-of-tests',
  'a-secret-of-tests',
  'c'.repeat(20),
];
const eventsPassword = 'a-password-of-tests';

/** Stores the credentials in a new app, and signs with them. */
export async function signedCalls(
  { client: api }: TestOrg,
  { servers }: OpenApiDocument,
): Promise<readonly SignedCall[]> {
  const { id: app } = await api.must('POST /v1/apps', { name: 'Signed' });
  const credentials: Readonly<Record<string, object>> = {
    ...chatCredentials,
    carrier: { accountSid: `AC${'0'.repeat(32)}`, authToken, from: '+15005550006' },
    whatsapp: {
      ...{ phoneNumberId: '123456', accessToken: 'x'.repeat(32) },
      ...{ appSecret, verifyToken: 'verify me' },
    },
    rcs: { serviceAccount: googleAccount(), agentId: 'agent', region: 'us', clientToken },
  };
  for (const [channel, credential] of Object.entries(credentials))
    await api.must(`POST /v1/apps/${app}/credentials/${channel}`, credential);
  const { id: relay } = await api.must(`POST /v1/apps/${app}/relays`, {
    ...{ kind: 'postmark', name: 'Postmark' },
    config: { serverToken: 'x'.repeat(36), eventsPassword },
  });
  const { id: gateway } = await api.must(`POST /v1/apps/${app}/relays`, {
    ...{ kind: 'http', channel: 'sms', name: 'eSMS' },
    config: {
      recipe: 'esms',
      credentials: { apiKey: 'a', secretKey: 'b', reports: eventsPassword },
    },
  });
  return [
    ofRelay(String(relay)),
    ofGateway(String(gateway), app),
    ...ofCarrier(app, servers[0]?.url ?? ''),
    ...ofWhatsApp(app),
    ...ofRcs(app),
    ...ofChats(app),
    ofStripe(),
  ];
}

function googleAccount() {
  const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2048 });
  return {
    type: 'service_account',
    client_email: 'tests@example.iam.gserviceaccount.com',
    private_key: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
    project_id: 'tests-1',
  };
}

function ofCarrier(app: string, publicUrl: string): readonly SignedCall[] {
  const form = {
    MessageSid: 'SM1',
    MessageStatus: 'delivered',
    From: '+14155550123',
    Body: 'STOP',
  };
  const query = `?app=${app}&send=ntf_x&device=dev_x`;
  const call = (operation: string, path: string): SignedCall => ({
    operation: `POST ${operation}`,
    line: `POST ${path}`,
    body: `${new URLSearchParams(form)}`,
    headers: {
      'content-type': 'application/x-www-form-urlencoded',
      'x-carrier-signature': carrierSignature(authToken, publicUrl + path, Object.entries(form)),
    },
  });
  const at = '/v1/webhooks/twilio';
  return [
    ...['sms', 'voice'].flatMap((channel) => {
      const path = `${at}/${channel}-status`;
      return [call(path, path + query), call(path, path), call(path, `${path}?app=${app}`)];
    }),
    call(`${at}/sms-inbound/{appId}`, `${at}/sms-inbound/${app}`),
  ];
}

function ofWhatsApp(app: string): readonly SignedCall[] {
  const [operation, path] = ['/v1/webhooks/whatsapp/{appId}', `/v1/webhooks/whatsapp/${app}`];
  const hub = { mode: 'subscribe', verify_token: 'verify me', challenge: '11582' };
  const query = Object.entries(hub).map(([name, value]): [string, string] => [
    `hub.${name}`,
    value,
  ]);
  const body = '{"object":"whatsapp_business_account","entry":[]}';
  const signature = createHmac('sha256', appSecret).update(body).digest('hex');
  return [
    {
      operation: `GET ${operation}`,
      line: `GET ${path}?${new URLSearchParams(query)}`,
      headers: {},
    },
    {
      operation: `POST ${operation}`,
      line: `POST ${path}`,
      body,
      headers: { ...json, 'x-hub-signature-256': `sha256=${signature}` },
    },
  ];
}

function ofRcs(app: string): readonly SignedCall[] {
  const data = Buffer.from(JSON.stringify({ eventType: 'READ', messageId: 'm' }));
  const signature = createHmac('sha512', clientToken).update(data).digest('base64');
  const push = { message: { data: data.toString('base64') } };
  return [push, { clientToken, secret: 's' }].map((body) => ({
    operation: 'POST /v1/webhooks/rcs/{appId}',
    line: `POST /v1/webhooks/rcs/${app}`,
    body: JSON.stringify(body),
    headers: { ...json, 'x-goog-signature': signature },
  }));
}

function ofChats(app: string): readonly SignedCall[] {
  return chatChannels.map((channel) => {
    const body = inboundBody(channel, 'left', Date.now() - 60_000, 1, '123456789');
    const header = catalog[channel].webhook?.header ?? '';
    return {
      operation: `POST /v1/webhooks/${channel}/{appId}`,
      line: `POST /v1/webhooks/${channel}/${app}`,
      body,
      headers: { ...json, [header]: proofOf(channel, Buffer.from(body)) },
    };
  });
}

function ofRelay(relay: string): SignedCall {
  const proof = Buffer.from(`engage:${eventsPassword}`).toString('base64');
  return {
    operation: 'POST /v1/webhooks/relay/{relayId}',
    line: `POST /v1/webhooks/relay/${relay}`,
    body: JSON.stringify({ RecordType: 'Delivery', DeliveredAt: new Date().toISOString() }),
    headers: { ...json, authorization: `Basic ${proof}` },
  };
}

/** It reports by GET. */
function ofGateway(relay: string, app: string): SignedCall {
  const query = `app=${app}&token=${eventsPassword}&SMSID=a&SendStatus=5&phonenumber=0901234567`;
  const operation = 'GET /v1/webhooks/relay/{relayId}';
  return { operation, line: `GET /v1/webhooks/relay/${relay}?${query}`, headers: {} };
}

/** The sandbox's secret. */
function ofStripe(): SignedCall {
  const body = JSON.stringify({ id: 'evt_1', object: 'event', type: 'ping', data: { object: {} } });
  const at = Math.floor(Date.now() / 1_000);
  const v1 = createHmac('sha256', 'whsec_sandbox').update(`${at}.${body}`).digest('hex');
  return {
    operation: 'POST /v1/webhooks/stripe',
    line: 'POST /v1/webhooks/stripe',
    body,
    headers: { ...json, 'stripe-signature': `t=${at},v1=${v1}` },
  };
}
