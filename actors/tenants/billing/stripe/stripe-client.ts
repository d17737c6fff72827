// Stripe's client on top of this product's HTTP client: time limits, connections and certificates
// are the same as for every other call. It never repeats a call by itself.

import { Stripe } from 'stripe';
import type { Outbound, OutboundCall } from '../../../channels/outbound/outbound-call.ts';
import type { StripeSettings } from './port.ts';

/** Lists of payments are larger than a message provider's answers. */
const answerBytesMax = 1024 * 1024;
/** A charge waits for the card's bank. */
const timeoutMs = 60_000;

export function stripeClient({ secretKey, url }: StripeSettings, outbound: Outbound): Stripe {
  return new Stripe(secretKey, {
    maxNetworkRetries: 0,
    telemetry: false,
    timeout: timeoutMs,
    httpClient: httpClient(url, outbound) as unknown as Stripe.HttpClient,
  });
}

/** `base` replaces scheme, host and port, and precedes the path. */
function httpClient(base: string | undefined, outbound: Outbound) {
  return {
    getClientName: () => 'engage',
    async makeRequest(
      host: string,
      port: string | number,
      path: string,
      method: string,
      headers: Readonly<Record<string, string | number | string[]>>,
      requestData: string | null,
      protocol: string,
      limitMs: number,
    ) {
      const origin = base ?? `${protocol}://${host}:${port}`;
      const result = await outbound.call({
        method: method as OutboundCall['method'],
        url: origin + path,
        destination: 'trusted',
        headers: plainHeaders(headers),
        ...(requestData === null || requestData === '' ? {} : { body: requestData }),
        timeoutMs: limitMs,
        answerBytesMax,
      });
      if (result.kind !== 'answered') throw new Error(`${result.kind}: ${result.reason}`);
      if (!result.complete) throw new Error('unanswered: the answer was cut off');
      const { status, body } = result;
      return {
        getStatusCode: () => status,
        getHeaders: () => result.headers,
        getRawResponse: () => result,
        toStream: () => {
          throw new Error('streams are not used');
        },
        toJSON: async () => JSON.parse(body) as unknown,
      };
    },
  };
}

/** The client under ours counts the body's bytes itself. */
function plainHeaders(
  headers: Readonly<Record<string, string | number | string[]>>,
): Record<string, string> {
  const plain: Record<string, string> = {};
  for (const [name, value] of Object.entries(headers))
    if (!/^(content-length|connection)$/i.test(name) && value !== undefined)
      plain[name.toLowerCase()] = String(value);
  return plain;
}
