// The calls of Stripe's API that the stand-in answers: customers, checkouts, setups, payments.

import { randomBytes } from 'node:crypto';
import type { StripeEvents } from './stripe-events.ts';
import { type Form, formIn, textIn, textsIn } from './stripe-form.ts';
import {
  customerObject,
  listOf,
  methodObject,
  paymentObject,
  sessionObject,
  setupObject,
} from './stripe-objects.ts';
import type { Payment, StripeMethod, StripeState } from './stripe-state.ts';

export interface ApiAnswer {
  readonly status: number;
  readonly body: object;
}

interface ApiCall {
  readonly method: string;
  /** After `/v1`. */
  readonly path: string;
  /** Of the query for GET, of the body for POST. */
  readonly form: Form;
  readonly nowSeconds: number;
  readonly pageUrl: (session: string) => string;
}

/** Cents. */
const amountMax = 99_999_999;

/** Stripe's error object. */
export function apiError(
  status: number,
  type: string,
  message: string,
  more: object = {},
): ApiAnswer {
  return { status, body: { error: { type, message, ...more } } };
}

export class StripeApi {
  readonly #state: StripeState;
  readonly #events: StripeEvents;

  constructor(state: StripeState, events: StripeEvents) {
    this.#state = state;
    this.#events = events;
  }

  answer(call: ApiCall): ApiAnswer {
    const { method, path } = call;
    const [first, second, third] = path.slice(1).split('/');
    if (method === 'POST') {
      if (path === '/customers') return this.#makeCustomer(call);
      if (path === '/checkout/sessions') return this.#makeSession(call);
      if (path === '/payment_intents') return this.#pay(call);
      if (first === 'payment_methods' && third === 'detach') return this.#detach(second ?? '');
    }
    if (method === 'GET') {
      if (path === '/payment_intents') return this.#listPayments(call);
      if (path === '/payment_intents/search') return this.#searchPayments(call);
      if (first === 'setup_intents' && third === undefined) return this.#setup(call, second ?? '');
      if (first === 'customers' && third === undefined) return this.#customer(second ?? '');
    }
    return apiError(
      404,
      'invalid_request_error',
      `Unrecognized request URL (${method}: /v1${path}).`,
    );
  }

  /** Somebody entered a card on the hosted page. */
  complete(
    sessionId: string,
    card: StripeMethod['card'],
    behavior: string,
    nowSeconds: number,
  ): void {
    const { sessions, setups, methods } = this.#state.data;
    const session = sessions.get(sessionId);
    const setup = setups.get(session?.setupIntent ?? '');
    if (session === undefined || setup === undefined || session.status !== 'open') return;
    const method: StripeMethod = {
      id: newId('pm'),
      created: nowSeconds,
      customer: session.customer,
      card,
      behavior,
    };
    methods.set(method.id, method);
    setup.status = 'succeeded';
    setup.method = method.id;
    session.status = 'complete';
    this.#state.keep();
    this.#events.happened([
      ['setup_intent.succeeded', setupObject(setup, method, false)],
      ['payment_method.attached', methodObject(method)],
      ['checkout.session.completed', sessionObject(session, '')],
    ]);
  }

  #makeCustomer({ form, nowSeconds }: ApiCall): ApiAnswer {
    const customer = {
      id: newId('cus'),
      name: textIn(form, 'name') ?? '',
      created: nowSeconds,
      metadata: textsIn(form, 'metadata'),
    };
    this.#state.data.customers.set(customer.id, customer);
    this.#state.keep();
    return { status: 200, body: customerObject(customer) };
  }

  #customer(id: string): ApiAnswer {
    const customer = this.#state.data.customers.get(id);
    if (customer === undefined) return missing('customer', id, 'id');
    return { status: 200, body: customerObject(customer) };
  }

  #makeSession({ form, nowSeconds, pageUrl }: ApiCall): ApiAnswer {
    const { customers, sessions, setups } = this.#state.data;
    const customer = textIn(form, 'customer') ?? '';
    const successUrl = textIn(form, 'success_url');
    if (textIn(form, 'mode') !== 'setup' || successUrl === undefined)
      return apiError(
        400,
        'invalid_request_error',
        'The stand-in makes sessions in setup mode with a success_url.',
        { param: successUrl === undefined ? 'success_url' : 'mode' },
      );
    if (!customers.has(customer)) return missing('customer', customer, 'customer');
    const setupMetadata = textsIn(formIn(form, 'setup_intent_data'), 'metadata');
    const setup = {
      id: newId('seti'),
      created: nowSeconds,
      customer,
      metadata: setupMetadata,
      status: 'requires_payment_method' as const,
      method: null,
    };
    const session = {
      id: newId('cs_test'),
      created: nowSeconds,
      customer,
      clientReferenceId: textIn(form, 'client_reference_id') ?? null,
      metadata: textsIn(form, 'metadata'),
      setupMetadata,
      successUrl,
      cancelUrl: textIn(form, 'cancel_url') ?? successUrl,
      setupIntent: setup.id,
      status: 'open' as const,
    };
    setups.set(setup.id, setup);
    sessions.set(session.id, session);
    this.#state.keep();
    return { status: 200, body: sessionObject(session, pageUrl(session.id)) };
  }

  #setup({ form }: ApiCall, id: string): ApiAnswer {
    const setup = this.#state.data.setups.get(id);
    if (setup === undefined) return missing('setupintent', id, 'intent');
    const isExpanded = Object.values(formIn(form, 'expand')).includes('payment_method');
    const method = this.#state.data.methods.get(setup.method ?? '');
    return { status: 200, body: setupObject(setup, method, isExpanded) };
  }

  #pay({ form, nowSeconds }: ApiCall): ApiAnswer {
    const amount = Number(textIn(form, 'amount'));
    if (!Number.isInteger(amount) || amount < 50)
      return apiError(400, 'invalid_request_error', 'Amount must be at least $0.50 usd', {
        code: 'amount_too_small',
        param: 'amount',
      });
    if (amount > amountMax)
      return apiError(400, 'invalid_request_error', 'Amount must be no more than $999,999.99', {
        code: 'amount_too_large',
        param: 'amount',
      });
    const { customers, methods, payments } = this.#state.data;
    const customer = textIn(form, 'customer') ?? '';
    if (!customers.has(customer)) return missing('customer', customer, 'customer');
    const methodId = textIn(form, 'payment_method') ?? '';
    const method = methods.get(methodId);
    if (method === undefined || method.customer !== customer)
      return missing('PaymentMethod', methodId, 'payment_method');
    const declined = declineOf(method.behavior);
    const payment: Payment = {
      id: newId('pi'),
      created: nowSeconds,
      amount,
      currency: textIn(form, 'currency') ?? 'usd',
      customer,
      description: textIn(form, 'description') ?? null,
      metadata: textsIn(form, 'metadata'),
      triedMethod: methodId,
      status: declined === null ? 'succeeded' : 'requires_payment_method',
      error: declined,
    };
    payments.set(payment.id, payment);
    this.#state.keep();
    const object = paymentObject(payment);
    if (declined === null) {
      this.#events.happened([['payment_intent.succeeded', object]]);
      return { status: 200, body: object };
    }
    this.#events.happened([['payment_intent.payment_failed', object]]);
    return apiError(402, 'card_error', declined.message, {
      code: declined.code,
      ...(declined.decline === null ? {} : { decline_code: declined.decline }),
      payment_intent: object,
    });
  }

  /** Newest first, as Stripe lists. */
  #listPayments({ form }: ApiCall): ApiAnswer {
    const customer = textIn(form, 'customer');
    if (customer !== undefined && !this.#state.data.customers.has(customer))
      return missing('customer', customer, 'customer');
    const since = Number(textIn(formIn(form, 'created'), 'gte') ?? 0);
    const limit = Math.min(100, Number(textIn(form, 'limit') ?? 10));
    const all = [...this.#state.data.payments.values()]
      .reverse()
      .filter((one) => customer === undefined || one.customer === customer)
      .filter(({ created }) => created >= since);
    const after = textIn(form, 'starting_after');
    const from = after === undefined ? 0 : all.findIndex(({ id }) => id === after) + 1;
    const shown = all.slice(from, from + limit);
    const hasMore = all.length > from + limit;
    return { status: 200, body: listOf('/v1/payment_intents', shown.map(paymentObject), hasMore) };
  }

  #searchPayments({ form }: ApiCall): ApiAnswer {
    const query = textIn(form, 'query') ?? '';
    const [, name, value] = /^metadata\['([^']+)'\]:'([^']*)'$/.exec(query) ?? [];
    if (name === undefined)
      return apiError(400, 'invalid_request_error', `We were unable to parse your search query.`, {
        param: 'query',
      });
    const found = [...this.#state.data.payments.values()].filter(
      ({ metadata }) => metadata[name] === value,
    );
    const body = {
      object: 'search_result',
      url: '/v1/payment_intents/search',
      data: found.map(paymentObject),
      has_more: false,
      next_page: null,
    };
    return { status: 200, body };
  }

  #detach(id: string): ApiAnswer {
    const method = this.#state.data.methods.get(id);
    if (method === undefined || method.customer === null)
      return missing('PaymentMethod', id, 'payment_method');
    const { customer } = method;
    method.customer = null;
    this.#state.keep();
    const object = methodObject(method);
    this.#events.happened([['payment_method.detached', object, { customer }]]);
    return { status: 200, body: object };
  }
}

function declineOf(behavior: string): Payment['error'] {
  if (behavior === 'ok') return null;
  if (behavior === 'expired_card')
    return { code: 'expired_card', decline: null, message: 'Your card has expired.' };
  if (behavior === 'authentication_required')
    return {
      code: 'authentication_required',
      decline: 'authentication_required',
      message: 'Your card was declined. This transaction requires authentication.',
    };
  return { code: 'card_declined', decline: behavior, message: 'Your card was declined.' };
}

function missing(what: string, id: string, param: string): ApiAnswer {
  return apiError(404, 'invalid_request_error', `No such ${what}: '${id}'`, {
    code: 'resource_missing',
    param,
  });
}

function newId(prefix: string): string {
  return `${prefix}_${randomBytes(12).toString('hex')}`;
}
