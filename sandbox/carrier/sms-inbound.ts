// Inbound texts, such as STOP, posted and signed by a control route. They answer the number's last
// message: its callback address, account and sender.

import { z } from 'zod';
import type { Callbacks } from '../callbacks.ts';
import { type ControlRoute, ok, parseControl, refused } from '../control-route.ts';
import type { World } from '../stand-in.ts';
import { type Caller, sandboxAccount, sidOf } from './carrier.ts';
import { signedForm } from './carrier-callbacks.ts';
import { segmentsOf } from './sms-segments.ts';

/** Numbers with a remembered message. */
const conversationsMax = 10_000;

export class Conversations {
  readonly #last = new Map<string, Conversation>();

  note(number: string, conversation: Conversation): void {
    this.#last.delete(number);
    const [oldest] = this.#last.size >= conversationsMax ? this.#last.keys() : [];
    if (oldest !== undefined) this.#last.delete(oldest);
    this.#last.set(number, conversation);
  }

  with(number: string): Conversation | undefined {
    return this.#last.get(number);
  }
}

interface Conversation {
  readonly caller: Caller;
  /** The sender's number, if any. */
  readonly from: string | undefined;
  readonly service: string | undefined;
  readonly callback: string | undefined;
}

const reply = z.strictObject({
  from: z.string().regex(/^\+[1-9]\d{1,14}$/, 'must be a phone number in E.164 form'),
  body: z.string().max(1600),
  to: z.string().optional(),
  url: z.url().optional(),
  accountSid: z.string().optional(),
  authToken: z.string().min(1).optional(),
  optOutType: z.enum(['STOP', 'START', 'HELP']).optional(),
  isForged: z.boolean().optional(),
});

/** Makes a number write to us. */
export function inboundRoute(
  world: World,
  callbacks: Callbacks,
  conversations: Conversations,
): ControlRoute {
  let received = 0;
  return {
    method: 'POST',
    path: '/sms/inbound',
    about:
      '{from, body, to?, url?, accountSid?, authToken?, optOutType?, isForged?}: somebody writes to us, such as STOP. ' +
      'What is left out is taken from the last message to them.',
    async handle({ body }) {
      const parsed = parseControl(reply, body);
      if ('refusal' in parsed) return parsed.refusal;
      const { from, body: text, optOutType, isForged, ...given } = parsed.value;
      const last = conversations.with(from);
      const url = given.url ?? inboundAddress(last?.callback);
      if (url === undefined) return refused(404, 'from: nothing was sent to this number; give url');
      const caller = last?.caller ?? sandboxAccount;
      const service = last?.service;
      const to = given.to ?? last?.from ?? '+15005550006';
      const sid = sidOf('SM', `inbound ${world.clock.now()} ${++received}`);
      const status = await callbacks.post(
        signedForm({
          url,
          authToken: given.authToken ?? caller.authToken ?? sandboxAccount.authToken,
          ...(isForged === true && { isForged }),
          form: [
            ['MessageSid', sid],
            ['SmsSid', sid],
            ['AccountSid', given.accountSid ?? caller.accountSid],
            ...(service === undefined ? [] : ([['MessagingServiceSid', service]] as const)),
            ['From', from],
            ['To', to],
            ['Body', text],
            ['NumMedia', '0'],
            ['NumSegments', String(segmentsOf(text).segments)],
            ['ApiVersion', '2010-04-01'],
            ...(optOutType === undefined ? [] : ([['OptOutType', optOutType]] as const)),
          ],
        }),
      );
      return typeof status === 'number' ? ok({ url, status }) : refused(502, `${url}: ${status}`);
    },
  };
}

/** From the callback address. */
function inboundAddress(callback: string | undefined): string | undefined {
  if (callback === undefined || !URL.canParse(callback)) return undefined;
  const url = new URL(callback);
  const app = url.searchParams.get('app');
  if (app === null || !url.pathname.endsWith('/sms-status')) return undefined;
  const path = url.pathname.replace(/sms-status$/, `sms-inbound/${encodeURIComponent(app)}`);
  return url.origin + path;
}
