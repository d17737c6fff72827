// Faults on demand, in two ways: by the recipient's name (a token `dead-1`, an address `nouser@…`),
// which needs no shared state, and by rules that a control route sets. A rule wins over a name, a
// newer rule over an older one. Faults are played only on calls that would be accepted: a malformed
// request still gets its true refusal.

/** What happens to a call instead of immediate acceptance. */
export type Effect<Reply> =
  | { readonly kind: 'reply'; readonly reply: Reply }
  /** Accepted, after this delay. */
  | { readonly kind: 'slow'; readonly delayMs: number }
  /** Never answered; the connection stays open. */
  | { readonly kind: 'hang' }
  /**
   * Read whole, then the connection closes without a response. The sender cannot know whether the
   * message was accepted.
   */
  | { readonly kind: 'drop'; readonly isTaken?: true };

/** A fault triggered by a recipient's name. */
export interface NamedFault<Reply> {
  /** Lower case. Matches recipients whose name starts with it, in any case. */
  readonly prefix: string;
  /** For the fault panel: what the product will see. */
  readonly says: string;
  /**
   * The effect. `number` directly follows the prefix (`quota3-x` → 3): seconds for a Retry-After,
   * milliseconds for a delay. `undefined` accepts after all, such as a greylist after the wait.
   */
  effect(number: number | undefined, name: string): Effect<Reply> | undefined;
}

/** A rule as the control route accepts it. */
interface FaultRule {
  /** A channel, or `*` for every one. */
  readonly channel: string;
  /** Part of a recipient, in any case, or `*`. */
  readonly match: string;
  readonly fault: 'latency' | 'status' | 'hang' | 'drop';
  /** Milliseconds for `latency`, the HTTP status or SMTP code for `status`. */
  readonly value?: number | undefined;
  readonly retryAfterSeconds?: number | undefined;
  /** How many calls it applies to; absent means until it is removed. */
  readonly count?: number | undefined;
}

/** An active rule. */
interface ActiveFaultRule extends FaultRule {
  readonly id: number;
  /** Calls it was applied to. */
  readonly hits: number;
}

/** The faults of a stand-in. */
export interface FaultSource<Reply> {
  readonly channel: string;
  readonly namedFaults: readonly NamedFault<Reply>[];
  /** The provider's own response with this status. */
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

/** The active rules of one sandbox. */
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

  /** The active rules, newest first. */
  list(): ActiveFaultRule[] {
    return this.#rules.map(({ rule, id, hits }) => ({ ...rule, id, hits }));
  }

  /** Removes one rule; returns whether it existed. */
  remove(id: number): boolean {
    const before = this.#rules.length;
    this.#rules = this.#rules.filter((active) => active.id !== id);
    return this.#rules.length < before;
  }

  /** Removes all rules. */
  clear(): void {
    this.#rules = [];
  }

  /** The first rule for this recipient. Counts a use, and removes a rule that is used up. */
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
   * The first rule that matches exactly this text. Counts a use. For moments before a recipient is
   * known.
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
 * The fault to play on an acceptable call, if any, with its name for the inbox. Rules match `to`;
 * `name` is the part of it that may name a fault (a mail's local part, a subscription's id).
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
