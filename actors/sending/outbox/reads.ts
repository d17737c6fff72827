// What other areas see of sends: what they read, and what folds of campaigns and journeys do to
// them; and what the outbox, and whoever hands it sends, sees of a partition's memory.

import { dayMs, type Ordinal } from '../../../engine/base/brand.ts';
import type { Aged, AppsOf } from '../../area.ts';
import type { TemplatesReads } from '../../content/templates/reads.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads, OrgsOf } from '../../tenants/accounts/reads.ts';
import type { RelaysOrgReads, RelaysReads } from '../../tenants/relays/reads.ts';
import type { GateFacts } from '../gate/gate-facts.ts';
import type { GateOrgView, GateReads, InFlight } from '../gate/reads.ts';
import type { MailboxesReads } from '../mailboxes/reads.ts';
import type { WarmUpFolds, WarmUpReads } from '../warm-up/reads.ts';
import type { SendsApp, SendsOrg, SendsPartition } from './memory.ts';
import type { Outbox } from './outbox.ts';
import type { RelayDay } from './relay-days.ts';

export interface SendsReads extends RelaysReads {
  readonly outbox: Pick<Outbox, 'begunOf' | 'channels' | 'health' | 'jobs' | 'of' | 'openOn'>;
}

export interface SendsFolds {
  readonly outbox: Pick<Outbox, 'add' | 'endJourney' | 'pause' | 'probe' | 'resume' | 'stand'>;
  readonly relayDays: Map<string, RelayDay>;
}

export interface ReadyFolds {
  readonly ready: Pick<Set<Ordinal>, 'add'>;
}

export type SentTodayFolds = SendsOrg;

/** Counts sends of an org's UTC day. */
export function countSend(
  state: OrgsOf<SentTodayFolds>,
  org: number,
  atMs: number,
  sends = 1,
): void {
  const kept = state.orgs.get(org);
  if (kept === undefined) return;
  const day = Math.floor(atMs / dayMs);
  if (kept.sendsDay !== day) {
    kept.sendsDay = day;
    kept.sendsToday = 0;
  }
  kept.sendsToday += sends;
}

export type SendsView = SendsApp &
  WarmUpReads &
  WarmUpFolds &
  GateFacts &
  GateReads &
  InFlight &
  MailboxesReads &
  AccountsReads &
  RelaysReads &
  AudienceReads &
  TemplatesReads & {
    readonly campaigns: CampaignsOfSends;
    readonly journeys: JourneysOfSends;
  };

export type SendsOrgView = SendsOrg & GateOrgView & Pick<RelaysOrgReads, 'relays'>;

export type SendsMemory = AppsOf<SendsView> & OrgsOf<SendsOrgView> & SendsPartition & Aged;

/** Interfaces, because campaigns and journeys belong to a later house. */
interface CampaignsOfSends {
  get(
    id: string,
  ): { readonly state: string; readonly number: number; readonly name: string } | undefined;
  isPaused(id: string | undefined): boolean;
}

interface JourneysOfSends {
  get(
    id: string,
  ): { readonly record: { readonly active: boolean; readonly name: string } } | undefined;
}
