// WhatsApp through Meta's Cloud API, one call per number. Without an idempotency key, a call
// without a response is ambiguous and not repeated; `biz_opaque_callback_data` lets a later status
// prove it.

import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import { otherForms } from '../addresses/phone-forms.ts';
import type { Adapter, AdapterContext } from '../port/adapter.ts';
import {
  type Meaning,
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  secondsLeft,
  unreached,
} from '../port/answers.ts';
import { type Attempt, endpointText } from '../port/attempt.ts';
import { checkByCall } from '../port/credential-check.ts';
import { parseObject } from '../port/json.ts';
import type { Outcome } from '../port/outcome.ts';
import { credentialsOr, hasTexts } from '../port/provider-config.ts';
import { type WhatsAppCredential, whatsapp } from './channel.ts';
import { meaningOfStatus, pairLimit, whatsappMeaning } from './errors.ts';
import { whatsappMessage } from './message.ts';

/** The default Graph API version; an address that ends in a version keeps its own. */
export const graphVersion = 'v25.0';

type Account = Pick<WhatsAppCredential, 'phoneNumberId' | 'accessToken'>;

const sandboxAccount: Account = { phoneNumberId: 'sandbox', accessToken: 'sandbox' };

const isAccount = hasTexts<Account>('phoneNumberId', 'accessToken');

/** The WhatsApp adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createWhatsApp({ config, outbound, clock }: AdapterContext): Adapter {
  const base = versioned(
    config.urls.WHATSAPP ?? whatsapp.urls.WHATSAPP,
    config.whatsappVersion ?? graphVersion,
  );

  return {
    async send(attempt, credentials, mayBegin) {
      const account = credentialsOr(config, isAccount, credentials, sandboxAccount);
      if (account === undefined) return { outcome: 'config', reason: 'not_configured' };
      if (secondsLeft(attempt, clock.now()) === 'expired')
        return { outcome: 'permanent', reason: 'expired' };
      const number = endpointText(attempt);
      const message = whatsappMessage(attempt, number);
      if ('outcome' in message) return message;

      const result = await outbound.call({
        method: 'POST',
        url: `${base}/${encodeURIComponent(account.phoneNumberId)}/messages`,
        destination: 'trusted',
        headers: {
          'content-type': 'application/json',
          authorization: `Bearer ${account.accessToken}`,
        },
        body: message.body,
        mayBegin,
      });
      if (result.kind !== 'answered') return unreached(result);
      if (result.status === 200) {
        const id = messageId(result.body);
        const knownAs = otherName(result.body, number);
        return {
          outcome: 'accepted',
          ...(id !== undefined && { providerMessageId: id }),
          ...(knownAs !== undefined && { moved: { from: attempt.endpoint, knownAs } }),
        };
      }
      const secrets = [account.accessToken, number, number.replace('+', '')];
      return classify(result, attempt, secrets, clock.now());
    },
    check: (credential) => {
      const { phoneNumberId, accessToken } = credential as Account;
      return checkByCall(
        outbound,
        {
          method: 'GET',
          url: `${base}/${encodeURIComponent(phoneNumberId)}?fields=id`,
          headers: { authorization: `Bearer ${accessToken}` },
        },
        [accessToken],
      );
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

function classify(
  answer: ProviderResponse,
  attempt: Attempt,
  secrets: readonly string[],
  nowMs: Millis,
): Outcome {
  const { error } = parseObject(answer.body);
  const said = isObject(error) ? error : {};
  const code = numberOf(said['code']);
  const meaning =
    meaningIn(code, numberOf(said['error_subcode']), attempt) ?? meaningOfStatus(answer.status);
  const data = isObject(said['error_data']) ? said['error_data'] : {};
  const words = [`${answer.status}`, code, said['message'], data['details']]
    .filter((part) => part !== undefined && part !== '')
    .join(', '); // adjacent digits look like a phone number, which is masked
  return meantFailure(meaning, words, secrets, delayOf(answer, meaning[0], nowMs));
}

function meaningIn(
  code: number | undefined,
  subcode: number | undefined,
  { attempt, lane }: Attempt,
): Meaning | undefined {
  if (code === undefined) return undefined;
  // 4, 16, 64 … seconds, as Meta asks. `rate` would delay everyone because of one person.
  if (code === pairLimit) return ['retry', 'pair_limit', Math.min(4 ** attempt, 900) * 1000];
  const meaning = whatsappMeaning(code, subcode);
  // Stopping marketing leaves transactional messages and the number's other channels.
  if (meaning?.[0] === 'opted_out' && lane === 'express') return ['permanent', meaning[1]];
  return meaning;
}

/** The delay that Meta asks for: `Retry-After`, or the minutes in its own header. */
function delayOf(answer: ProviderResponse, outcome: Meaning[0], nowMs: Millis): Millis | undefined {
  if (outcome !== 'rate' && outcome !== 'retry') return undefined;
  const asked = retryAfterMs(answer.headers['retry-after'], nowMs);
  const usage = answer.headers['x-business-use-case-usage'];
  if (asked !== undefined || outcome === 'retry' || typeof usage !== 'string') return asked;
  const minutes = Object.values(parseObject(usage))
    .flat()
    .filter(isObject)
    .map((one) => numberOf(one['estimated_time_to_regain_access']) ?? 0);
  const longest = Math.max(0, ...minutes);
  return longest > 0 ? retryAfterMs(String(Math.ceil(longest * 60)), nowMs) : undefined;
}

function messageId(body: string): string | undefined {
  const { messages } = parseObject(body);
  const first: unknown = Array.isArray(messages) ? messages[0] : undefined;
  const id = isObject(first) ? first['id'] : undefined;
  return typeof id === 'string' && id !== '' ? id.slice(0, 512) : undefined;
}

/** WhatsApp's id of the number, if nobody could derive it from the number. */
function otherName(body: string, number: string): string | undefined {
  const { contacts } = parseObject(body);
  const first: unknown = Array.isArray(contacts) ? contacts[0] : undefined;
  const id = isObject(first) ? first['wa_id'] : undefined;
  if (typeof id !== 'string' || !/^\d{5,15}$/.test(id)) return undefined;
  const name = `+${id}`;
  return name === number || otherForms(number).includes(name) ? undefined : name;
}

function numberOf(value: unknown): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

function versioned(base: string, version: string): string {
  return /\/v\d+\.\d+$/.test(base) ? base : `${base}/${version}`;
}
