// Idempotency keys of logins: which session a key opened, so that its answer can be given again.

import type { Millis, PersonOrdinal } from '../../engine/base/brand.ts';
import { defineTable } from '../table.ts';

export interface LoginKeyRow {
  readonly person: PersonOrdinal;
  readonly session: {
    readonly generation: number;
    readonly number: number;
    readonly proof: number;
  };
  /** 64 bits of SHA-256 over the request. */
  readonly fingerprint: readonly [number, number];
  /** 32 bits of SHA-256 over the client token: another signing key makes another token. */
  readonly token: number;
  readonly atMs: Millis;
}

/** Key: [16 bytes of SHA-256 of app, route and idempotency key]. */
export const loginKeys = defineTable<LoginKeyRow>()({
  id: 29,
  name: 'login keys',
  version: 1,
  fields: ['person', 'session', 'fingerprint', 'token', 'atMs'],
});
