// A gateway as it is being edited: a recipe or a description of one's own, secrets, and prices; and
// the change that it becomes. A member that was removed from the description is sent as `null`.

import type { AnswerOf } from '../api/client.ts';
import type { Relay } from '../api/generated.ts';
import { type PriceDraft, priceDraftOf, pricesOf, type TextPrices } from './price-draft.ts';
import { blankRelay, type RelayDraft, relayDraftOf } from './relay-draft.ts';

export type GatewayRecipe = AnswerOf<'listRelayRecipes'>['items'][number];
type Members = Readonly<Record<string, unknown>>;

export interface GatewayDraft extends RelayDraft, PriceDraft {
  /** Empty: a description of one's own. */
  readonly recipe: string;
  readonly from: string;
  /** JSON. */
  readonly description: string;
  /** Typed anew; empty ones stay. */
  readonly credentials: Readonly<Record<string, string>>;
}

const example = {
  url: 'https://gateway.example.com/v1/messages',
  headers: { authorization: 'Bearer {{ credentials.key }}' },
  body: { to: '{{ to }}', from: '{{ from }}', text: '{{ text }}', reference: '{{ id }}' },
  answer: { id: 'id', code: 'status', accepted: { status: ['2*'], code: ['queued'] } },
};

export const blankGateway: GatewayDraft = {
  ...blankRelay,
  ...{ recipe: '', from: '', credentials: {}, ...priceDraftOf(null) },
  description: JSON.stringify(example, null, 2),
};

/** They have fields of their own. */
const ownFields = ['recipe', 'from', 'price'];

export function gatewayDraftOf(relay: Relay): GatewayDraft {
  const { recipe, from, price } = relay.config as {
    readonly recipe?: string;
    readonly from?: string;
    readonly price?: TextPrices;
  };
  return {
    ...relayDraftOf(relay),
    ...{ recipe: recipe ?? '', from: from ?? '', credentials: {}, ...priceDraftOf(price) },
    description: descriptionOf(relay.config),
  };
}

function descriptionOf(config: Members): string {
  const told = Object.entries(config).filter(([name]) => !ownFields.includes(name));
  return JSON.stringify(Object.fromEntries(told), null, 2);
}

/** The description as an object, or what is wrong with it as JSON. */
export function readDescription(
  text: string,
): { readonly members: Members } | { readonly problem: string } {
  try {
    const members: unknown = JSON.parse(text);
    if (typeof members === 'object' && members !== null && !Array.isArray(members))
      return { members: members as Members };
    return { problem: 'must be an object in JSON' };
  } catch (error) {
    return { problem: `is not JSON: ${error instanceof Error ? error.message : error}` };
  }
}

/** The names that placeholders and proofs of a description use, in their order. */
export function credentialNames(description: string): readonly string[] {
  const placeholders = [...description.matchAll(/credentials\.([a-zA-Z]\w{0,39})/g)];
  const read = readDescription(description);
  const proof =
    'members' in read
      ? (read.members['callbacks'] as { readonly proof?: Members } | undefined)?.proof
      : undefined;
  const proofs = ['secret', 'user', 'password'].flatMap((name) => {
    const value = proof?.[name];
    return typeof value === 'string' ? [value] : [];
  });
  return [...new Set([...placeholders.map(([, name = '']) => name), ...proofs])];
}

/** What a call sets of the configuration; `before`: what is stored, as it is shown. */
export function gatewayChange(draft: GatewayDraft, before?: Members): Members {
  const { recipe, credentials } = draft;
  const typed = Object.entries(credentials).filter(([, secret]) => secret !== '');
  const wanted: Members = {
    from: draft.from.trim() === '' ? null : draft.from.trim(),
    price: pricesOf(draft),
  };
  const isTaken = recipe !== '' && recipe !== before?.['recipe'];
  const read = readDescription(draft.description);
  const members: Members = isTaken
    ? { recipe }
    : { recipe: recipe === '' ? null : recipe, ...('members' in read && read.members) };
  const now: Members = { ...members, ...wanted };
  const change: Record<string, unknown> = {};
  for (const [name, value] of Object.entries(now))
    if (!isSame(value ?? undefined, before?.[name])) change[name] = value;
  // Before a recipe is taken, what it replaces is of no account.
  if (!isTaken)
    for (const name of Object.keys(before ?? {})) if (!(name in now)) change[name] = null;
  if (before === undefined)
    for (const [name, value] of Object.entries(change)) if (value === null) delete change[name];
  if (typed.length > 0 || before === undefined) change['credentials'] = Object.fromEntries(typed);
  // A recipe that stays is not taken anew: it would replace what its tenant changed.
  if (!isTaken && change['recipe'] === recipe) delete change['recipe'];
  return change;
}

/** Whatever the order of their members. */
function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(sorted(one)) === JSON.stringify(sorted(other));
}

function sorted(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(sorted);
  if (typeof value !== 'object' || value === null) return value;
  const members = Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1));
  return Object.fromEntries(members.map(([name, member]) => [name, sorted(member)]));
}
