// A refusal as a value: public `message`, logged `detail`; codes are in actors/faults.ts.

import type { Millis } from './brand.ts';

export interface Fault {
  /** Stable snake_case, from `actors/faults.ts`. */
  readonly code: string;
  /** A sentence, field name first (`body: undefined variable: order_id`). */
  readonly message: string;
  /** Dotted path of the field, with indexes (`devices[1].endpoint`). */
  readonly field?: string;
  readonly issues?: readonly FaultIssue[];
  /** Whole seconds; becomes `Retry-After`. */
  readonly retryAfterSeconds?: number;
  /** Who changed something before this call could, and when; 412. */
  readonly change?: FaultChange;
  /** For the log only. Never a secret, never a body. */
  readonly detail?: string;
}

/** `null` where it is not known. */
interface FaultChange {
  readonly by: string | null;
  readonly byName: string | null;
  readonly atMs: Millis | null;
  /** Of the newest version; `null` if there is none any more. */
  readonly etag: string | null;
}

interface FaultIssue {
  readonly field: string;
  readonly error: string;
}

/** The message starts with the field's name. */
export function fieldFault(field: string, problem: string, code = 'invalid'): Fault {
  return { code, field, message: `${field}: ${problem}` };
}

/** Carries a fault through parsers and validators; never control flow between layers. */
export class FaultError extends Error {
  override readonly name = 'FaultError';
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.message);
    this.fault = fault;
  }
}
