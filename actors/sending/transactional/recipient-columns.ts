// Recipients of a batch as columns between threads: a thousand objects of the same form take three
// times as long to clone as lists of their values. Others travel as they are.

import type { Words2 } from '../../../engine/base/words.ts';
import type { BatchRecipient, RecipientColumns } from './protocol.ts';

type Recipients = readonly BatchRecipient[];

/** The same recipients, if they are not of one form. */
export function packRecipients(recipients: Recipients): Recipients | RecipientColumns {
  const [first] = recipients;
  if (first === undefined) return recipients;
  const by = 'id' in first.to ? 'id' : 'externalUserId';
  const names = first.variables && Object.keys(first.variables);
  // Assigning this one would not make a member.
  if (names?.includes('__proto__')) return recipients;
  const prints = first.fingerprint && new Uint32Array(recipients.length * 2);
  const to: string[] = [];
  const values: unknown[] = [];
  for (const [at, one] of recipients.entries()) {
    const name = soleName(one, by);
    if (name === undefined || !addValues(one, names, values)) return recipients;
    if ((one.fingerprint === undefined) !== (prints === undefined)) return recipients;
    to.push(name);
    if (one.fingerprint !== undefined) prints?.set(one.fingerprint, at * 2);
  }
  return { by, to, values, ...(names && { names }), ...(prints && { prints }) };
}

export function unpackRecipients(packed: Recipients | RecipientColumns): Recipients {
  if (!('to' in packed)) return packed;
  const { by, to, names, values, prints } = packed;
  let value = 0;
  return to.map((name, at) => {
    const one: { -readonly [Member in keyof BatchRecipient]: BatchRecipient[Member] } = {
      to: by === 'id' ? { id: name } : { externalUserId: name },
    };
    if (names !== undefined) {
      const variables: Record<string, unknown> = {};
      for (const key of names) variables[key] = values[value++];
      one.variables = variables;
    }
    if (prints !== undefined)
      one.fingerprint = [prints[at * 2], prints[at * 2 + 1]] as unknown as Words2;
    return one;
  });
}

/** What names a recipient who has nothing else than variables and a fingerprint. */
function soleName(one: BatchRecipient, by: RecipientColumns['by']): string | undefined {
  for (const member in one)
    if (member !== 'to' && member !== 'variables' && member !== 'fingerprint') return undefined;
  const { to } = one;
  if ('id' in to) return by === 'id' ? to.id : undefined;
  return by === 'externalUserId' && to.isPrefixed === undefined ? to.externalUserId : undefined;
}

/** False if the recipient's variables do not have exactly these names. */
function addValues(
  { variables }: BatchRecipient,
  names: readonly string[] | undefined,
  values: unknown[],
): boolean {
  if (variables === undefined || names === undefined) return variables === names;
  let at = 0;
  for (const name in variables) {
    if (name !== names[at++]) return false;
    values.push(variables[name]);
  }
  return at === names.length;
}
