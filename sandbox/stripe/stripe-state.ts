// What the Stripe stand-in knows: customers, payment methods, checkouts, setups, payments, answers
// by idempotency key. Kept in a file that each change replaces whole, so that a restart of the
// sandbox forgets no customer.

import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

type Metadata = Readonly<Record<string, string>>;

export interface Customer {
  readonly id: string;
  readonly name: string;
  readonly created: number;
  readonly metadata: Metadata;
}

export interface StripeMethod {
  readonly id: string;
  readonly created: number;
  customer: string | null;
  readonly card: {
    readonly brand: string;
    readonly last4: string;
    readonly exp_month: number;
    readonly exp_year: number;
  };
  /** How a charge of it ends: `ok`, or a decline code. */
  readonly behavior: string;
}

export interface Session {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  readonly clientReferenceId: string | null;
  readonly metadata: Metadata;
  readonly setupMetadata: Metadata;
  readonly successUrl: string;
  readonly cancelUrl: string;
  readonly setupIntent: string;
  status: 'open' | 'complete';
}

export interface Setup {
  readonly id: string;
  readonly created: number;
  readonly customer: string;
  readonly metadata: Metadata;
  status: 'requires_payment_method' | 'succeeded';
  method: string | null;
}

export interface Payment {
  readonly id: string;
  readonly created: number;
  readonly amount: number;
  readonly currency: string;
  readonly customer: string;
  readonly description: string | null;
  readonly metadata: Metadata;
  /** What it was tried with. */
  readonly triedMethod: string;
  status: 'succeeded' | 'requires_payment_method' | 'processing';
  /** A code and Stripe's sentence; `null` if it was not declined. */
  error: {
    readonly code: string;
    readonly decline: string | null;
    readonly message: string;
  } | null;
}

interface KeptAnswer {
  readonly fingerprint: string;
  readonly status: number;
  readonly body: string;
}

export interface StripeData {
  readonly customers: Map<string, Customer>;
  readonly methods: Map<string, StripeMethod>;
  readonly sessions: Map<string, Session>;
  readonly setups: Map<string, Setup>;
  readonly payments: Map<string, Payment>;
  readonly answers: Map<string, KeptAnswer>;
}

/** Of each kind; the oldest make room. */
const keptMax = 5_000;
const names = ['customers', 'methods', 'sessions', 'setups', 'payments', 'answers'] as const;

export class StripeState {
  readonly data: StripeData = {
    customers: new Map(),
    methods: new Map(),
    sessions: new Map(),
    setups: new Map(),
    payments: new Map(),
    answers: new Map(),
  };
  readonly #path: string | undefined;
  readonly #log: (line: string) => void;

  constructor(directory: string | undefined, log: (line: string) => void) {
    this.#path = directory === undefined ? undefined : join(directory, 'stripe.json');
    this.#log = log;
    if (this.#path !== undefined) this.#read(this.#path);
  }

  /** Makes the changes since the last time survive a restart. */
  keep(): void {
    for (const name of names) makeRoom(this.data[name]);
    if (this.#path === undefined) return;
    const plain = Object.fromEntries(names.map((name) => [name, [...this.data[name]]]));
    try {
      mkdirSync(join(this.#path, '..'), { recursive: true, mode: 0o700 });
      writeFileSync(`${this.#path}.new`, JSON.stringify(plain));
      renameSync(`${this.#path}.new`, this.#path);
    } catch (error) {
      this.#log(`what Stripe knows is not kept: ${String(error)}`);
    }
  }

  clear(): void {
    for (const name of names) this.data[name].clear();
    this.keep();
  }

  #read(path: string): void {
    try {
      const plain = JSON.parse(readFileSync(path, 'utf8')) as Record<string, [string, never][]>;
      for (const name of names)
        for (const [id, value] of plain[name] ?? []) this.data[name].set(id, value);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT')
        this.#log(`what Stripe knew cannot be read: ${String(error)}`);
    }
  }
}

function makeRoom(map: Map<string, unknown>): void {
  for (const id of map.keys()) {
    if (map.size <= keptMax) return;
    map.delete(id);
  }
}
