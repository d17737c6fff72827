// What a restore holds back until somebody lets it go: journeys whose people came due before it,
// and campaigns that it paused. For `engage resume`, which then sends `journeys.release` and
// `campaign.resume` to the apps, each durable by itself.

import { accepted } from '../../engine/actor/message.ts';
import type { Decisions } from '../../engine/actor/protocol.ts';
import type { Ordinal } from '../../engine/base/brand.ts';
import type { Area } from '../area.ts';
import type { Caller } from '../tenants/accounts/protocol.ts';

interface HeldObject {
  readonly id: string;
  readonly name: string;
}

/** Of an app, the part that is looked at. */
interface HeldView {
  readonly record: HeldObject & { readonly ordinal: Ordinal };
  readonly journeys: {
    all(): Iterable<{ readonly heldMs: number; readonly record: HeldObject }>;
  };
  readonly campaigns: {
    unfinished(): Iterable<{
      readonly record: HeldObject & { readonly state: string; readonly stateReason?: string };
    }>;
  };
}

interface HeldMemory {
  readonly apps: ReadonlyMap<Ordinal, HeldView>;
}

/** An app of which something waits. */
export interface HeldApp {
  readonly ordinal: Ordinal;
  readonly id: string;
  readonly name: string;
  readonly journeys: readonly HeldObject[];
  readonly campaigns: readonly HeldObject[];
}

/** For the operator's tools only. */
export interface HeldProtocol {
  /** To any address of a partition: covers all its apps. */
  'held.survey': { body: Caller; reply: readonly HeldApp[] };
}

function heldOf({ record, journeys, campaigns }: HeldView): HeldApp {
  const nameOf = ({ id, name }: HeldObject): HeldObject => ({ id, name });
  return {
    ordinal: record.ordinal,
    id: record.id,
    name: record.name,
    journeys: [...journeys.all()]
      .filter(({ heldMs }) => heldMs > 0)
      .map((journey) => nameOf(journey.record)),
    campaigns: [...campaigns.unfinished()]
      .map((campaign) => campaign.record)
      .filter(({ state, stateReason }) => state === 'paused' && stateReason === 'restored')
      .map(nameOf),
  };
}

const heldDecisions: Decisions<HeldProtocol, HeldMemory> = {
  'held.survey': (state) =>
    accepted(
      [...state.apps.values()]
        .map(heldOf)
        .filter(({ journeys, campaigns }) => journeys.length + campaigns.length > 0),
    ),
};

export const heldArea = {
  name: 'held',
  decide: () => heldDecisions,
  whenDiskIsFull: ['held.survey'],
} as const satisfies Area<never, HeldMemory, HeldView, object>;
