// Reads one recipient of a batch alone, so that an invalid one refuses nobody else; its faults name
// fields as in a single call. The fingerprint covers the shared fields with the recipient's in
// their place, but not its id: a retry may use another id and another order.

import type { z } from 'zod';
import { acceptContent } from '../../../actors/content/accept/accept-content.ts';
import { mergedOver } from '../../../actors/content/accept/variables.ts';
import { fingerprintWords } from '../../../actors/sending/transactional/idempotency-claim.ts';
import type {
  BatchRecipient,
  SharedRequest,
} from '../../../actors/sending/transactional/protocol.ts';
import { type Fault, FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Words2 } from '../../../engine/base/words.ts';
import { faultOfIssues } from '../../call/answer/errors.ts';
import { canonicalJson, checkedKey } from '../../call/idempotency.ts';
import { externalUserIdSchema } from '../../call/schemas/schemas.ts';
import { recipientSchema } from './batch-shape.ts';
import { recipientOf } from './recipient.ts';

/** A recipient or its fault. `prints` is used if the batch or the recipient has a key. */
export function readRecipient(
  sent: unknown,
  prints: BatchPrints,
  hasKey: boolean,
): BatchRecipient | { readonly fault: Fault } {
  try {
    return read(sent, prints, hasKey);
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault };
    throw error;
  }
}

function read(sent: unknown, prints: BatchPrints, hasKey: boolean): BatchRecipient {
  if (typeof sent !== 'object' || sent === null || Array.isArray(sent))
    throw new FaultError(fieldFault('recipient', 'expected an object'));
  const members = isOrdinary(sent) ? sent : parsed(sent);
  const { title, body, data, variables, idempotencyKey } = members;
  const recipient: { -readonly [Member in keyof BatchRecipient]: BatchRecipient[Member] } = {
    to: recipientOf(members),
  };
  if (title !== undefined || body !== undefined || data !== undefined) {
    const own = acceptContent({ title, body, data }, 'transactional');
    if ('fault' in own) throw new FaultError(own.fault);
    Object.assign(recipient, own.content);
  }
  if (variables !== undefined) recipient.variables = variables;
  if (idempotencyKey != null) recipient.key = checkedKey(idempotencyKey);
  if (hasKey || recipient.key !== undefined)
    recipient.fingerprint = prints.of(sent as Readonly<Record<string, unknown>>);
  return recipient;
}

type Members = z.output<typeof recipientSchema>;

function parsed(sent: object): Members {
  const read = recipientSchema.safeParse(sent, { reportInput: true });
  if (!read.success) throw new FaultError(faultOfIssues(read.error, 'body'));
  return read.data;
}

/**
 * Whether the schema would accept a recipient unchanged: the common form with valid ids and
 * variables. The schema takes five times as long and checks the others.
 */
function isOrdinary(sent: object): sent is Members {
  for (const name in sent) {
    const value = (sent as Readonly<Record<string, unknown>>)[name];
    switch (name) {
      case 'subscriberId':
        if (typeof value !== 'string') return false;
        break;
      case 'externalUserId':
        if (!externalUserIdSchema.safeParse(value).success) return false;
        break;
      case 'variables':
        if (typeof value !== 'object' || value === null || Array.isArray(value)) return false;
        break;
      default:
        return false;
    }
  }
  return true;
}

const replaced = ['title', 'body', 'data'];

type Variables = SharedRequest['variables'];

/** Recipients' fingerprints; the shared fields' canonical form is made once per batch. */
export class BatchPrints {
  readonly #names: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #variables: Variables;

  constructor(sent: Readonly<Record<string, unknown>>) {
    const { idempotencyKey: _key, recipients: _recipients, ...shared } = sent;
    for (const [name, value] of Object.entries(shared))
      this.#texts.set(name, canonicalJson({ [name]: value }));
    this.#variables = shared['variables'] as Variables; // the schema checked that it is an object
    this.#names = [...new Set([...Object.keys(shared), ...replaced, 'variables'])].sort();
  }

  of(recipient: Readonly<Record<string, unknown>>): Words2 {
    let text = '';
    for (const name of this.#names) text += this.#text(name, recipient) ?? '';
    return fingerprintWords(text);
  }

  #text(name: string, recipient: Readonly<Record<string, unknown>>): string | undefined {
    const own = recipient[name];
    if (own !== undefined && name === 'variables')
      return `{"variables":${canonicalJson(mergedOver(this.#variables, own as Variables))}}`;
    if (own !== undefined && replaced.includes(name)) return canonicalJson({ [name]: own });
    return this.#texts.get(name);
  }
}
