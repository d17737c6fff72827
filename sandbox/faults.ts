// Faults on demand: by recipient name (token `dead-1`, address `nouser@…`), without shared state,
// or by rules of a control route. Rules win over names, newer rules over older. Only calls that
// would be accepted get a fault: a malformed request gets its true refusal.

/** An effect other than immediate acceptance. */
export type Effect<Reply> =
  | { readonly kind: 'reply'; readonly reply: Reply }
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never answered; the connection stays open. */
  | { readonly kind: 'hang' }
  /** Read whole, then closed without a response: the sender cannot know the result. */
  | { readonly kind: 'drop'; readonly isTaken?: true };

export interface NamedFault<Reply> {
  /** Lower case. Matches the start of recipients in any case. */
  readonly prefix: string;
  /** For the fault panel: what the product will see. */
  readonly says: string;
  /**
   * `number` directly follows the prefix (`quota3-x` → 3): seconds for Retry-After, milliseconds
   * for a delay. `undefined` accepts after all, such as a greylist after the wait.
   */
  effect(number: number | undefined, name: string): Effect<Reply> | undefined;
}

/** A rule as the control route accepts it. */
interface FaultRule {
  /** A channel, or `*` for all. */
  readonly channel: string;
  /** Part of a recipient, in any case, or `*`. */
  readonly match: string;
  readonly fault: 'latency' | 'status' | 'hang' | 'drop';
  /** Milliseconds for `latency`, the HTTP status or SMTP code for `status`. */
  readonly value?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** Calls it applies to; absent: until removed. */
  readonly count?: number | undefined;
}

interface ActiveFaultRule extends FaultRule {
  readonly id: number;
  readonly hits: number;
}

export interface FaultSource<Reply> {
  readonly channel: string;
  readonly namedFaults: readonly NamedFault<Reply>[];
  /** The provider's own response with this status. */
  refusal(status: number, retryAfterSeconds: number | undefined): Reply;
}

const slowDefaultMs = 2_000;
/** Most rules at once; one more removes the oldest. */
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

export class FaultRules {
  #rules: { rule: FaultRule; id: number; hits: number }[] = [];
  #nextId = 1;

  /** Adds a rule before all others. */
  add(rule: FaultRule): ActiveFaultRule {
    const active = { rule, id: this.#nextId++, hits: 0 };
    this.#rules.unshift(active);
    if (this.#rules.length > faultRulesMax) this.#rules.pop();
    return { ...rule, id: active.id, hits: 0 };
  }

  list(): ActiveFaultRule[] {
    return this.#rules.map(({ rule, id, hits }) => ({ ...rule, id, hits }));
  }

  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((active) => active.id !== id);
    return this.#rules.length < before;
  }

  clear(): void {
    this.#rules = [];
  }

  /** The first rule for this recipient. Counts a use and removes a used-up rule. */
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

  /** The first rule for exactly this text, before a recipient is known. Counts a use. */
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
 * The fault for an acceptable call, if any, with its name for the inbox. Rules match `to`; `name`
 * is the part that may name a fault (a mail's local part, a subscription's id).
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
