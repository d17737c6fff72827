// Messages and entries of the gate: what its limits stand at, and which addresses rest.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';

/** What counts against an org's email allowance of this month. */
interface EmailsCounted {
  readonly delivered: number;
  /** In flight: granted, and without an outcome. */
  readonly reserved: number;
}

export type GateEntry =
  /** An address gets no marketing for a while. */
  Entry & {
    readonly kind: 'device.rested';
    readonly person: PersonOrdinal;
    readonly deviceId: string;
    readonly untilMs: Millis;
    readonly atMs: Millis;
  };

export interface GateProtocol {
  'org.emails': { body: Caller; reply: EmailsCounted };
}
