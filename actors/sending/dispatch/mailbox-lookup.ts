// Whose mailbox an address has, where mails are sent: by the provider's own domains, else by the
// mail exchangers of the domain. No mail waits for a look-up: until its answer is there, the
// mailbox is one of the others. Answers are kept for a day.

import { dayMs, hourMs, type Millis } from '../../../engine/base/brand.ts';
import { hash32 } from '../../../engine/base/hash.ts';
import { groupOfExchangers, needsExchangers } from '../../channels/email/mail-exchangers.ts';
import { type MailboxGroup, mailboxGroupOf } from '../../channels/email/mailbox-groups.ts';

/** Names of the mail exchangers of a domain; rejects without an answer. */
export type ResolveExchangers = (domain: string) => Promise<readonly string[]>;

/** What a dispatcher tells of a recipient's mailbox. */
export interface FoundMailbox {
  readonly group: MailboxGroup;
  /** The domain's, where only its exchangers told the provider. */
  readonly hosted?: number;
}

const knownMax = 20_000;
const waitingMax = 1_000;
const runningMax = 16;
const keptMs: Millis = dayMs;
/** Without an answer: asked again after this. */
const failedMs: Millis = hourMs;

const unknown: FoundMailbox = { group: 'others' };

export class MailboxLookup {
  readonly #resolve: ResolveExchangers;
  readonly #now: () => Millis;
  /** The domain that was looked up first comes first. */
  readonly #known = new Map<string, { readonly found: FoundMailbox; readonly untilMs: Millis }>();
  readonly #waiting = new Set<string>();
  readonly #running = new Set<string>();

  constructor(resolve: ResolveExchangers, now: () => Millis) {
    this.#resolve = resolve;
    this.#now = now;
  }

  /** As far as it is known now; a domain in lower case. What is not known is looked up. */
  of(domain: string): FoundMailbox {
    if (!needsExchangers(domain)) return { group: mailboxGroupOf(domain) };
    const known = this.#known.get(domain);
    if (known === undefined || known.untilMs <= this.#now()) this.#ask(domain);
    return known?.found ?? unknown;
  }

  #ask(domain: string): void {
    if (this.#running.has(domain) || this.#waiting.size >= waitingMax) return;
    this.#waiting.add(domain);
    this.#next();
  }

  #next(): void {
    for (const domain of this.#waiting) {
      if (this.#running.size >= runningMax) return;
      this.#waiting.delete(domain);
      this.#running.add(domain);
      void this.#lookUp(domain);
    }
  }

  async #lookUp(domain: string): Promise<void> {
    let found = this.#known.get(domain)?.found ?? unknown;
    let forMs = failedMs;
    try {
      const group = groupOfExchangers(await this.#resolve(domain));
      found = group === 'others' ? unknown : { group, hosted: hash32(domain) };
      forMs = keptMs;
    } catch {
      // No answer, or no such domain: what was known stays, and an hour later it is asked again.
    }
    this.#running.delete(domain);
    this.#known.delete(domain);
    this.#known.set(domain, { found, untilMs: this.#now() + forMs });
    if (this.#known.size > knownMax) {
      for (const oldest of this.#known.keys()) {
        this.#known.delete(oldest);
        break;
      }
    }
    this.#next();
  }
}
