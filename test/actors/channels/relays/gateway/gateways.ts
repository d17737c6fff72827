// A gateway for tests, in each form of body, and the sms adapter with it as its relay.

import type { Adapter, AdapterFactory } from '../../../../../actors/channels/port/adapter.ts';
import type { OpenRelay } from '../../../../../actors/channels/port/open-relay.ts';
import type { ProviderConfig } from '../../../../../actors/channels/port/provider-config.ts';
import { gatewaySchema } from '../../../../../actors/channels/relays/gateway/config.ts';
import { createSms } from '../../../../../actors/channels/sms/adapter.ts';

export const apiKey = 'key-4453b6ac1f114c0e';
export const reportToken = 'token-9b6f5c1f3e0a9d21';

/** What a tenant enters for a gateway with JSON. */
export const aGateway = {
  url: 'https://gateway.example.com/v2/messages',
  headers: { authorization: 'Bearer {{ credentials.apiKey }}', 'idempotency-key': '{{ uuid }}' },
  body: {
    from: '{{ from }}',
    to: '{{ to }}',
    text: '{{ text }}',
    reference: '{{ id }}',
    unicode: '{{ unicode }}',
    ttl: '{{ ttl_seconds }}',
    notify: '{{ callback_url }}',
  },
  from: 'Shop',
  answer: {
    id: 'message.id',
    code: ['message.status', 'error.code'],
    words: ['message.text', 'error.text'],
    accepted: { status: ['2*'], code: ['queued'] },
    meanings: [
      { code: ['unknown_number'], outcome: 'dead', reason: 'invalid_number' },
      { code: ['blocked'], outcome: 'opted_out', reason: 'opted_out' },
      { code: ['no_credit', 'suspended*'], outcome: 'config', reason: 'balance_used_up' },
      { code: ['slow'], outcome: 'rate', reason: 'throttled', waitSeconds: 20 },
      { code: ['busy'], outcome: 'retry', reason: 'unavailable' },
      { status: ['422'], outcome: 'permanent', reason: 'content_refused' },
    ],
  },
  check: { url: 'https://gateway.example.com/v2/balance', accepted: { status: ['200'] } },
  callbacks: {
    proof: { kind: 'token', secret: 'reports' },
    reports: {
      mark: 'reference',
      id: 'id',
      to: 'to',
      status: 'status',
      error: 'error',
      statuses: [
        { status: ['delivered'], means: 'arrived' },
        { status: ['sent', 'queued'], means: 'taken' },
        { status: ['failed'], error: ['absent*'], means: 'failed', reason: 'number_not_reachable' },
        { status: ['failed'], error: ['unknown_number'], means: 'dead', reason: 'invalid_number' },
        { status: ['failed'], error: ['blocked'], means: 'opted_out' },
        { status: ['failed'], means: 'failed' },
      ],
    },
    inbound: { id: 'id', from: 'from', text: 'text' },
  },
  credentials: { apiKey, reports: reportToken },
};

export function openRelay(config: object = aGateway, more: Partial<OpenRelay> = {}): OpenRelay {
  const id = 'rel_00000000000000000000000001';
  const fingerprint = JSON.stringify(config);
  return { id, kind: 'http', config: gatewaySchema.parse(config), fingerprint, ...more };
}

/** The sms adapter that sends through this relay, where a test hands in credentials at all. */
export function throughRelay(relay: OpenRelay): AdapterFactory {
  return (context) => {
    const adapter: Adapter = createSms(context);
    return {
      ...adapter,
      send: (attempt, credentials, mayBegin) =>
        credentials === undefined
          ? adapter.send(attempt, undefined, mayBegin)
          : adapter.send(attempt, undefined, mayBegin, relay),
    };
  };
}

/** Calls go to a stand-in; without its address to the gateway's own. */
export function gatewayConfig(url?: string, over: Partial<ProviderConfig> = {}): ProviderConfig {
  const urls = url === undefined ? {} : { GATEWAY: url };
  const publicUrl = 'https://engage.example.com';
  return { mode: 'live', urls, vapidSubject: 'mailto:a@example.com', publicUrl, ...over };
}
