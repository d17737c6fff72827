// Faults on demand, in two ways: by the recipient's name (a token `dead-1`, an address `nouser@…`),
// which needs no shared state, and by rules that a control route sets. A rule wins over a name, the
// newest rule over an older one. Faults are played only on calls that would have been accepted: a
// malformed request still gets its true refusal.

/** What happens to a call instead of being accepted at once. */
export type Effect<Reply> =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Accepted, but only after this long. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never answered; the connection stays open. */
  | { readonly kind: 'hang' }
  /**
   * Read whole, then the connection is closed without an answer: the ambiguous case. Taken all the
   * same, or not.
   */
  | { readonly kind: 'drop'; readonly isTaken?: true };

/** A fault that a recipient's name asks for. */
export interface NamedFault<Reply> {
  /** Lower case; a recipient whose name starts with it gets the fault, in any case. */
  readonly prefix: string;
  /** For the fault panel: what the product will see. */
  readonly says: string;
  /**
   * What to do. `number` is what follows the prefix directly (`quota3-x` → 3): seconds for a
   * Retry-After, milliseconds for a delay. `undefined` accepts after all (a greylist that has been
   * waited out).
   */
  effect(number: number | undefined, name: string): Effect<Reply> | undefined;
}

/** A rule as the control route takes it. */
interface FaultRule {
  /** A channel, or `*` for every one. */
  readonly channel: string;
  /** Part of a recipient, in any case, or `*`. */
  readonly match: string;
  readonly fault: 'latency' | 'status' | 'hang' | 'drop';
  /** Milliseconds for `latency`, the HTTP status or SMTP code for `status`. */
  readonly value?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** How many calls it plays on; absent means until it is removed. */
  readonly count?: number | undefined;
}

/** A rule in force. */
interface ActiveFaultRule extends FaultRule {
  readonly id: number;
  /** Calls it has played on. */
  readonly hits: number;
}

/** What a stand-in tells about its faults. */
export interface FaultSource<Reply> {
  readonly channel: string;
  readonly namedFaults: readonly NamedFault<Reply>[];
  /** The provider's own way to say this status. */
  refusal(status: number, retryAfterSeconds: number | undefined): Reply;
}

const slowDefaultMs = 2_000;
/** The most rules at once; adding one more removes the oldest. */
const faultRulesMax = 100;

/** Names that work with every stand-in. */
export const sharedFaults = [
  {
    prefix: 'slow',
    says: 'accepted after 2 s (slow500… after 500 ms)',
    effect: (number) => ({ kind: 'slow', delayMs: Math.min(number ?? slowDefaultMs, 60_000) }),
  },
  { prefix: 'hang', says: 'never answered', effect: () => ({ kind: 'hang' }) },
  {
    prefix: 'drop',
    says: 'read, then hung up on without an answer',
    effect: () => ({ kind: 'drop' }),
  },
] as const satisfies readonly NamedFault<never>[];

/** The rules in force in one sandbox. */
export class FaultRules {
  #rules: { rule: FaultRule; id: number; hits: number }[] = [];
  #nextId = 1;

  /** Puts a rule in force, before all others. */
  add(rule: FaultRule): ActiveFaultRule {
    const active = { rule, id: this.#nextId++, hits: 0 };
    this.#rules.unshift(active);
    if (this.#rules.length > faultRulesMax) this.#rules.pop();
    return { ...rule, id: active.id, hits: 0 };
  }

  /** The rules in force, newest first. */
  list(): ActiveFaultRule[] {
    return this.#rules.map(({ rule, id, hits }) => ({ ...rule, id, hits }));
  }

  /** Removes one rule; says whether there was one. */
  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((active) => active.id !== id);
    return this.#rules.length < before;
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules = [];
  }

  /** The first rule for this recipient, counted as played; used up, it is removed. */
  take(channel: string, to: string): ActiveFaultRule | undefined {
    if (this.#rules.length === 0) return undefined; // the hot path
    const lowerTo = to.toLowerCase();
    const active = this.#rules.find(
      ({ rule }) =>
        (rule.channel === '*' || rule.channel === channel) &&
        (rule.match === '*' || lowerTo.includes(rule.match.toLowerCase())),
    );
    return active && this.#play(active);
  }

  /**
   * The first rule whose match is this very text, counted as played. For moments before a recipient
   * is known.
   */
  takeExactly(channel: string, match: string): ActiveFaultRule | undefined {
    const active = this.#rules.find(({ rule }) => rule.channel === channel && rule.match === match);
    return active && this.#play(active);
  }

  #play(active: { rule: FaultRule; id: number; hits: number }): ActiveFaultRule {
    active.hits++;
    if (active.hits === active.rule.count) this.remove(active.id);
    return { ...active.rule, id: active.id, hits: active.hits };
  }
}

/**
 * The fault to play on an acceptable call, if any, and what to call it in the inbox. `to` is
 * matched by rules; `name` is the part of it that carries a named fault (a mail's local part, a
 * subscription's id).
 */
export function chooseFault<Reply>(
  source: FaultSource<Reply>,
  rules: FaultRules,
  to: string,
  name: string,
): { readonly fault: string; readonly effect: Effect<Reply> } | undefined {
  const rule = rules.take(source.channel, to);
  if (rule) return { fault: `rule ${rule.id}: ${rule.fault}`, effect: effectOfRule(source, rule) };
  const lowerName = name.slice(0, 32).toLowerCase();
  for (const list of [source.namedFaults, sharedFaults]) {
    for (const named of list) {
      if (!lowerName.startsWith(named.prefix)) continue;
      const effect = named.effect(numberAfter(lowerName, named.prefix.length), name);
      return effect && { fault: `${named.prefix}*`, effect };
    }
  }
  return undefined;
}

function effectOfRule<Reply>(source: FaultSource<Reply>, rule: FaultRule): Effect<Reply> {
  switch (rule.fault) {
    case 'latency':
      return { kind: 'slow', delayMs: rule.value ?? slowDefaultMs };
    case 'status':
      return { kind: 'reply', reply: source.refusal(rule.value ?? 503, rule.retryAfterSeconds) };
    case 'hang':
    case 'drop':
      return { kind: rule.fault };
  }
}

function numberAfter(text: string, start: number): number | undefined {
  const digits = /^\d{1,6}/.exec(text.slice(start));
  return digits ? Number(digits[0]) : undefined;
}
