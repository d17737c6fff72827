// Stripe as a dispatcher has it: loads the client with the first order or question, because most
// servers never need it. Every order gets a result; what cannot be asked is `unresolved`.

import type { Outbound } from '../../../channels/outbound/outbound-call.ts';
import type {
  ChargeOrder,
  ChargeResult,
  StripeAnswer,
  StripeQuestion,
  StripeSettings,
} from './port.ts';

interface Opened {
  charge(order: ChargeOrder): Promise<ChargeResult>;
  answer(question: StripeQuestion): Promise<StripeAnswer>;
}

interface StripeDoorOptions {
  readonly settings: StripeSettings | undefined;
  readonly outbound: () => Promise<Outbound>;
  /** For the log. The error contains no secret. */
  readonly onProblem: (what: string, reason: string) => void;
}

export class StripeDoor {
  readonly #options: StripeDoorOptions;
  #opening: Promise<Opened> | undefined;

  constructor(options: StripeDoorOptions) {
    this.#options = options;
  }

  /** Never rejects. */
  async charge(order: ChargeOrder): Promise<ChargeResult> {
    let result: ChargeResult;
    try {
      result = await (await this.#opened()).charge(order);
    } catch {
      result = { outcome: 'unresolved', reason: 'internal' };
    }
    if (result.outcome === 'unresolved') this.#options.onProblem('charge', result.reason);
    return result;
  }

  /** Never rejects. */
  async ask(question: StripeQuestion): Promise<StripeAnswer> {
    let answer: StripeAnswer;
    try {
      answer = await (await this.#opened()).answer(question);
    } catch {
      answer = { ok: false, reason: 'internal' };
    }
    if (!answer.ok) this.#options.onProblem(question.kind, answer.reason);
    return answer;
  }

  /** A failed load is repeated at the next call, when its cause may be fixed. */
  #opened(): Promise<Opened> {
    this.#opening ??= this.#open().catch((error: unknown) => {
      this.#opening = undefined;
      throw error;
    });
    return this.#opening;
  }

  async #open(): Promise<Opened> {
    const { settings, outbound } = this.#options;
    if (settings === undefined) throw new Error('no key of Stripe is set');
    const { stripeClient } = await import('./stripe-client.ts');
    const { chargeInvoice } = await import('./charge.ts');
    const { answerQuestion } = await import('./questions.ts');
    const stripe = stripeClient(settings, await outbound());
    return {
      charge: (order) => chargeInvoice(stripe, order),
      answer: (question) => answerQuestion(stripe, question),
    };
  }
}
