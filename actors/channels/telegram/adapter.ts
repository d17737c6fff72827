// Telegram through its Bot API, one call per chat. The bot's token is part of the URL, so no URL
// may reach a log, an error or a `detail`. Only a refusal contains the new id of a group that
// became a supergroup. An unknown chat is dead only if the bot reaches others: another bot's token
// knows none.

import type { Millis } from '../../../engine/base/brand.ts';
import { isObject } from '../../is-object.ts';
import type { Adapter, AdapterContext, MayBegin } from '../port/adapter.ts';
import {
  meantFailure,
  type ProviderResponse,
  retryAfterMs,
  secondsLeft,
  unreached,
} from '../port/answers.ts';
import { endpointText } from '../port/attempt.ts';
import { RecentSuccess } from '../port/bounded-cache.ts';
import { checkByCall } from '../port/credential-check.ts';
import { parseObject } from '../port/json.ts';
import type { Outcome } from '../port/outcome.ts';
import { credentialsOr, hasTexts } from '../port/provider-config.ts';
import { type TelegramCredential, telegram } from './channel.ts';
import { telegramMeaning } from './errors.ts';
import { type TelegramRequest, telegramMessage } from './message.ts';
import { registerTelegram } from './webhook.ts';

const isBot = hasTexts<Pick<TelegramCredential, 'botToken'>>('botToken');

/** The Telegram adapter. Without credentials it sends only in sandbox mode, as `sandbox`. */
export function createTelegram({ config, outbound, clock }: AdapterContext): Adapter {
  const base = config.urls.TELEGRAM ?? telegram.urls.TELEGRAM;
  const successes = new RecentSuccess();

  const call = (token: string, { method, body }: TelegramRequest, mayBegin?: MayBegin) =>
    outbound.call({
      method: 'POST',
      url: `${base}/bot${token}/${method}`,
      destination: 'trusted',
      headers: { 'content-type': 'application/json' },
      body,
      mayBegin,
    });

  return {
    async send(attempt, credentials, mayBegin) {
      const token = credentialsOr(config, isBot, credentials, { botToken: 'sandbox' })?.botToken;
      if (token === undefined) return { outcome: 'config', reason: 'not_configured' };
      if (secondsLeft(attempt, clock.now()) === 'expired')
        return { outcome: 'permanent', reason: 'expired' };
      const bot = token.slice(0, token.indexOf(':'));
      let chat = endpointText(attempt);
      const secrets = [token, token.slice(token.indexOf(':') + 1), chat];
      for (let isMoved = false; ; isMoved = true) {
        const request = telegramMessage(attempt, chat);
        if ('outcome' in request) return request;
        const result = await call(token, request, mayBegin);
        if (result.kind !== 'answered') return unreached(result);
        const answer = parseObject(result.body);
        if (result.status === 200 && answer['ok'] !== false) {
          successes.note(bot, clock.now());
          const id = messageId(answer['result'], chat);
          return {
            outcome: 'accepted',
            ...(id !== undefined && { providerMessageId: id }),
            ...(isMoved && { moved: { from: attempt.endpoint, endpoint: chat } }),
          };
        }
        const movedTo = parametersOf(answer)['migrate_to_chat_id'];
        if (typeof movedTo !== 'number' || isMoved) {
          const nowMs = clock.now();
          return classify(result, answer, secrets, nowMs, successes.has(bot, nowMs));
        }
        chat = String(movedTo);
        secrets.push(chat);
      }
    },
    registerWebhook: (url, credential) => registerTelegram({ config, outbound }, url, credential),
    check: (credential) => {
      const { botToken } = credential as TelegramCredential;
      const url = `${base}/bot${botToken}/getMe`;
      return checkByCall(outbound, { method: 'POST', url }, [botToken]);
    },
    // The outbound client owns and closes connections.
    close: () => Promise.resolve(),
  };
}

function classify(
  { status, headers }: ProviderResponse,
  answer: Readonly<Record<string, unknown>>,
  secrets: readonly string[],
  nowMs: Millis,
  othersSucceed: boolean,
): Outcome {
  const code = typeof answer['error_code'] === 'number' ? answer['error_code'] : status;
  const said = typeof answer['description'] === 'string' ? answer['description'] : '';
  const [meant, reason] = telegramMeaning(code, said);
  const outcome = reason === 'chat_not_found' && !othersSucceed ? 'permanent' : meant;
  const seconds = parametersOf(answer)['retry_after'];
  const asked =
    typeof seconds === 'number' && seconds >= 0
      ? retryAfterMs(String(Math.ceil(seconds)), nowMs)
      : retryAfterMs(headers['retry-after'], nowMs);
  const words = said === '' ? `${code}` : `${code}, ${said}`;
  return meantFailure([outcome, reason], words, secrets, asked);
}

function parametersOf(
  answer: Readonly<Record<string, unknown>>,
): Readonly<Record<string, unknown>> {
  const { parameters } = answer;
  return isObject(parameters) ? parameters : {};
}

/** Each chat numbers its messages, so the chat is part of the id. */
function messageId(result: unknown, chat: string): string | undefined {
  if (!isObject(result)) return undefined;
  const { message_id: number, chat: inChat } = result;
  if (typeof number !== 'number') return undefined;
  const id = isObject(inChat) ? inChat['id'] : undefined;
  return `${typeof id === 'number' ? id : chat}:${number}`;
}
