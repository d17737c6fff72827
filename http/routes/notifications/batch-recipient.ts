// Reads one recipient of a batch by itself, so that an invalid one refuses nobody else. Its faults
// name members as if the recipient were the body of a call. Also computes the fingerprint of its
// request: the shared members with the recipient's own in their place, but not the recipient's id.
// So a retry may name the same person by the other id, and in another order.

import type { z } from 'zod';
import { acceptContent } from '../../../actors/content/accept-content.ts';
import { mergedOver } from '../../../actors/content/variables.ts';
import { fingerprintWords } from '../../../actors/sending/transactional/idempotency-claim.ts';
import type {
  BatchRecipient,
  SharedRequest,
} from '../../../actors/sending/transactional/protocol.ts';
import { type Fault, FaultError, fieldFault } from '../../../engine/base/fault.ts';
import type { Words2 } from '../../../engine/base/words.ts';
import { faultOfIssues } from '../../errors.ts';
import { externalUserIdSchema } from '../../schemas.ts';
import { recipientSchema } from './batch-shape.ts';
import { canonicalJson, checkedKey } from './idempotency.ts';
import { recipientOf } from './recipient.ts';

/**
 * Reads a recipient, or returns its fault. `prints` is used if the batch or the recipient has a
 * key.
 */
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
 * Whether a recipient has the common form, valid ids and variables, which the schema would accept
 * unchanged. Asking the schema takes five times as long. It checks all other recipients.
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

/**
 * Fingerprints of the recipients of one batch. The canonical form of the shared members is made
 * once.
 */
export class BatchPrints {
  readonly #names: readonly string[];
  readonly #texts = new Map<string, string>();
  readonly #variables: Variables;

  /** `sent` is the batch as it was sent. */
  constructor(sent: Readonly<Record<string, unknown>>) {
    const { idempotencyKey: _key, recipients: _recipients, ...shared } = sent;
    for (const [name, value] of Object.entries(shared))
      this.#texts.set(name, canonicalJson({ [name]: value }));
    this.#variables = shared['variables'] as Variables; // the schema has seen that it is an object
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
