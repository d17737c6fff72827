// Stand-in for Stripe: its API below `/v1`, the hosted checkout page, and a page that shows what it
// knows. Answers by idempotency key as Stripe does: the first answer again, a refusal of other
// parameters. Fault rules match `POST /payment_intents` and the like; what they cut off has
// happened.

import { z } from 'zod';
import type { ControlRoute } from '../control-route.ts';
import { ok, parseControl } from '../control-route.ts';
import { isFromHere } from '../same-machine.ts';
import {
  type HttpStandIn,
  jsonAnswer,
  type Received,
  type StandInResponse,
  type Verdict,
  type World,
} from '../stand-in.ts';
import { type ApiAnswer, apiError, StripeApi } from './stripe-api.ts';
import { StripeEvents } from './stripe-events.ts';
import { type Form, parseForm, textIn } from './stripe-form.ts';
import { checkoutPage, overviewPage, pageAnswer, seeOther } from './stripe-pages.ts';
import { StripeState } from './stripe-state.ts';

const bodyBytesMax = 64 * 1024;
/** As `http/process/config.ts` has it. */
const sandboxSecret = 'whsec_sandbox';
/** Cards of the hosted page by its buttons. */
const cards = {
  pays: { brand: 'visa', last4: '4242', behavior: 'ok' },
  declines: { brand: 'visa', last4: '0341', behavior: 'insufficient_funds' },
  asks: { brand: 'mastercard', last4: '3184', behavior: 'authentication_required' },
} as const;

const setting = z.strictObject({
  isDown: z.boolean().optional(),
  keyInUse: z.int().min(0).optional(),
});

export function stripeStandIn(world: World): HttpStandIn {
  const { directory, log = () => undefined } = world.kept ?? {};
  const state = new StripeState(directory, log);
  const events = new StripeEvents(world, world.stripeWebhook ?? { secret: sandboxSecret });
  const stripe = new StripeStandIn(world, state, events);
  return {
    transport: 'http',
    channel: 'stripe',
    mount: '/stripe',
    urls: { STRIPE: '/stripe' },
    bodyBytesMax,
    namedFaults: [],
    refusal: (status) => answerOf(apiError(status, 'api_error', `Fault ${status} on demand.`)),
    receive: (received) => stripe.receive(received),
    controls: [...stripe.controls(), ...events.controls()],
    close: () => events.close(),
  };
}

class StripeStandIn {
  readonly #world: World;
  readonly #state: StripeState;
  readonly #api: StripeApi;
  readonly #events: StripeEvents;
  #isDown = false;
  #keyInUse = 0;

  constructor(world: World, state: StripeState, events: StripeEvents) {
    this.#world = world;
    this.#state = state;
    this.#events = events;
    this.#api = new StripeApi(state, events);
  }

  receive(received: Received): Verdict {
    const { path } = received;
    if (path.startsWith('/v1/')) return this.#receiveCall(received);
    if (!isFromHere(received.headers.host, received.headers.origin))
      return { answer: jsonAnswer(403, { error: 'open the sandbox by its address' }) };
    const session = /^\/pay\/(cs_test_[0-9a-f]+)$/.exec(path)?.[1];
    if (session !== undefined) return { answer: this.#pageOf(session, received) };
    if (received.method === 'GET' && (path === '' || path === '/'))
      return { answer: pageAnswer(overviewPage(this.#state.data, this.#events.newestFirst)) };
    const method = /^\/methods\/(pm_[0-9a-f]+)\/detach$/.exec(path)?.[1];
    if (received.method === 'POST' && method !== undefined) {
      this.#call(`/payment_methods/${method}/detach`, 'POST', {}, received);
      return { answer: seeOther('/stripe/') };
    }
    return { answer: jsonAnswer(404, { error: 'nothing here' }) };
  }

  controls(): readonly ControlRoute[] {
    const view = () => {
      const { data } = this.#state;
      return ok({
        isDown: this.#isDown,
        keyInUse: this.#keyInUse,
        customers: [...data.customers.values()],
        methods: [...data.methods.values()],
        payments: [...data.payments.values()],
      });
    };
    return [
      {
        method: 'GET',
        path: '/stripe',
        about: 'Customers, payment methods and payments.',
        handle: view,
      },
      {
        method: 'POST',
        path: '/stripe',
        about:
          '{isDown?, keyInUse?}: answers 503 without doing anything; answers the next so many calls with an idempotency key as if the key were in use.',
        handle: ({ body }) => {
          const parsed = parseControl(setting, body);
          if ('refusal' in parsed) return parsed.refusal;
          this.#isDown = parsed.value.isDown ?? this.#isDown;
          this.#keyInUse = parsed.value.keyInUse ?? this.#keyInUse;
          return view();
        },
      },
      {
        method: 'DELETE',
        path: '/stripe/keys',
        about: 'Forgets all idempotency keys, as Stripe does after a day.',
        handle: () => {
          this.#state.data.answers.clear();
          this.#state.keep();
          return ok({ forgotten: true });
        },
      },
      {
        method: 'DELETE',
        path: '/stripe',
        about: 'Forgets everything.',
        handle: () => {
          this.#state.clear();
          return view();
        },
      },
    ];
  }

  #receiveCall(received: Received): Verdict {
    const { method, headers, query, body } = received;
    const path = received.path.slice('/v1'.length);
    if (!/^Bearer sk_/.test(headers.authorization ?? ''))
      return {
        answer: answerOf(apiError(401, 'invalid_request_error', 'Invalid API Key provided')),
      };
    if (this.#isDown)
      return { answer: answerOf(apiError(503, 'api_error', 'Stripe is down, on demand.')) };
    const form = parseForm(method === 'GET' ? query : body.toString());
    if (form === undefined)
      return {
        answer: answerOf(apiError(400, 'invalid_request_error', 'Invalid form-encoded body.')),
      };
    const to = `${method} ${path}`;
    const key = headers['idempotency-key'];
    const answer =
      method === 'POST' && typeof key === 'string'
        ? this.#keyed(key, path, form, received)
        : answerOf(this.#call(path, method, form, received));
    return { answer, to };
  }

  /** The first answer under a key, whatever it was. */
  #keyed(key: string, path: string, form: Form, received: Received): StandInResponse {
    const { answers } = this.#state.data;
    const fingerprint = `${path} ${JSON.stringify(form)}`;
    if (this.#keyInUse > 0) {
      this.#keyInUse--;
      return answerOf(
        apiError(
          409,
          'idempotency_error',
          'There is currently another in-progress request using this Idempotency Key.',
          { code: 'idempotency_key_in_use' },
        ),
      );
    }
    const kept = answers.get(key);
    if (kept !== undefined && kept.fingerprint !== fingerprint)
      return answerOf(
        apiError(
          400,
          'idempotency_error',
          `Keys for idempotent requests can only be used with the same parameters they were first used with. Try using a key other than '${key}' if you meant to execute a different request.`,
        ),
      );
    if (kept !== undefined) {
      const headers = { 'content-type': 'application/json', 'idempotent-replayed': 'true' };
      return { status: kept.status, headers, body: kept.body };
    }
    const answer = answerOf(this.#call(path, 'POST', form, received));
    answers.set(key, { fingerprint, status: answer.status, body: answer.body });
    this.#state.keep();
    return answer;
  }

  #call(path: string, method: string, form: Form, { nowMs }: Received): ApiAnswer {
    return this.#api.answer({
      method,
      path,
      form,
      nowSeconds: Math.floor(nowMs / 1_000),
      pageUrl: (session) => `${this.#world.url()}/stripe/pay/${session}`,
    });
  }

  /** The hosted page, and what its buttons do. */
  #pageOf(id: string, { method, body, nowMs }: Received): StandInResponse {
    const session = this.#state.data.sessions.get(id);
    if (session === undefined) return jsonAnswer(404, { error: 'no such checkout' });
    const customer = this.#state.data.customers.get(session.customer);
    if (method !== 'POST') return pageAnswer(checkoutPage(session, customer?.name ?? ''));
    const does = textIn(parseForm(body.toString()) ?? {}, 'card') ?? '';
    if (does === 'leave') return seeOther(session.cancelUrl);
    const card = does in cards ? cards[does as keyof typeof cards] : undefined;
    if (card === undefined)
      return jsonAnswer(400, { error: 'card: expected pays, declines or asks' });
    const { brand, last4, behavior } = card;
    const expires = { exp_month: 4, exp_year: new Date(nowMs).getUTCFullYear() + 2 };
    this.#api.complete(id, { brand, last4, ...expires }, behavior, Math.floor(nowMs / 1_000));
    return seeOther(session.successUrl);
  }
}

function answerOf({ status, body }: ApiAnswer): StandInResponse {
  return jsonAnswer(status, body, { 'request-id': `req_sandbox${status}` });
}
