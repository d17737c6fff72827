// The list of areas; the runtime loops over it in this order. An area reads only those before it.
// The types below check that every message and entry has exactly one area.

import type { Area } from '../area.ts';
import { bulkArea } from '../audiences/bulk/area.ts';
import { exportArea } from '../audiences/export/area.ts';
import { flagsArea } from '../audiences/flags/area.ts';
import { inAppArea } from '../audiences/inapp/area.ts';
import { segmentsArea } from '../audiences/segments/area.ts';
import { assetsArea } from '../content/assets/area.ts';
import { filesArea } from '../content/files/area.ts';
import { messagesArea } from '../content/messages/area.ts';
import { templatesArea } from '../content/templates/area.ts';
import { eventsArea } from '../events/area.ts';
import { cdpArea } from '../events/cdp/area.ts';
import { auditArea } from '../insight/audit/area.ts';
import { insightsArea } from '../insight/insights/area.ts';
import { timelineArea } from '../insight/timeline/area.ts';
import { webhooksArea } from '../integrations/webhooks/area.ts';
import { audienceArea } from '../people/audience/area.ts';
import { identityArea } from '../people/identity/area.ts';
import { topicsArea } from '../people/topics/area.ts';
import { campaignsArea } from '../programs/campaigns/area.ts';
import { journeysArea } from '../programs/journeys/area.ts';
import { callbacksArea } from '../sending/callbacks/area.ts';
import { formsArea } from '../sending/forms/area.ts';
import { gateArea } from '../sending/gate/area.ts';
import { liveActivitiesArea } from '../sending/live-activities/area.ts';
import { mailboxesArea } from '../sending/mailboxes/area.ts';
import { optInArea } from '../sending/opt-in/area.ts';
import { outboxArea } from '../sending/outbox/area.ts';
import { transactionalArea } from '../sending/transactional/area.ts';
import { warmUpArea } from '../sending/warm-up/area.ts';
import { accountsArea } from '../tenants/accounts/area.ts';
import { billingArea } from '../tenants/billing/area.ts';
import { clientsArea } from '../tenants/clients/area.ts';
import { dmarcArea } from '../tenants/dmarc/area.ts';
import { mailStopsArea } from '../tenants/mail-stops/area.ts';
import { membersArea } from '../tenants/members/area.ts';
import { relaysArea } from '../tenants/relays/area.ts';
import { sessionsArea } from '../tenants/sessions/area.ts';
import { usageArea } from '../tenants/usage/area.ts';
import { credentialMarksArea } from './credential-marks.ts';
import { erasureArea } from './erasure.ts';
import { expiryArea } from './expiry.ts';
import { heldArea } from './held.ts';
import type { AnyEntry, AnyProtocol } from './protocols.ts';
import { restoreChangesArea } from './restore-changes.ts';
import { restoredArea } from './restored.ts';
import { secretsArea } from './rewrap.ts';
import type { ProductRules } from './rules.ts';
import type { AppState, OrgState, PartitionState } from './state.ts';

export type AnyArea = Area<ProductRules, PartitionState, AppState, OrgState>;

export const areas = [
  accountsArea,
  relaysArea,
  usageArea,
  billingArea,
  clientsArea,
  membersArea,
  sessionsArea,
  mailStopsArea,
  dmarcArea,
  topicsArea,
  audienceArea,
  identityArea,
  templatesArea,
  messagesArea,
  assetsArea,
  filesArea,
  eventsArea,
  cdpArea,
  segmentsArea,
  flagsArea,
  inAppArea,
  exportArea,
  bulkArea,
  gateArea,
  mailboxesArea,
  warmUpArea,
  outboxArea,
  transactionalArea,
  callbacksArea,
  liveActivitiesArea,
  formsArea,
  optInArea,
  campaignsArea,
  journeysArea,
  insightsArea,
  timelineArea,
  auditArea,
  webhooksArea,
  erasureArea,
  expiryArea,
  restoredArea,
  restoreChangesArea,
  secretsArea,
  heldArea,
  credentialMarksArea,
] as const satisfies readonly AnyArea[];

export type AreaName = (typeof areas)[number]['name'];

type Listed = (typeof areas)[number];
type MessagesOf<One> = One extends { decide: (rules: never) => infer Table } ? keyof Table : never;
type AsksOf<One> = One extends { asks: infer Table } ? keyof Table : never;
type EntriesOf<One> = One extends { apply: infer Table } ? keyof Table : never;
type MeaningsOf<One> =
  | (One extends { facts: infer Table } ? keyof Table : never)
  | (One extends { silent: readonly (infer Kind)[] } ? Kind : never);
type MembersOf<One> =
  | (One extends { app: { make: (from: never) => infer Own } } ? keyof Own : never)
  | (One extends { org: { make: (from: never) => infer Own } } ? keyof Own : never)
  | (One extends { partition: { make: (from: never) => infer Own } } ? keyof Own : never);
type WhenDiskIsFull<One> = One extends { whenDiskIsFull: readonly (infer Kind)[] } ? Kind : never;
type ClaimsOf<One> = MessagesOf<One> | EntriesOf<One> | MembersOf<One>;

/** What two areas of a list both claim. */
type Twice<List, Claimed = never> = List extends readonly [infer One, ...infer Rest]
  ? (ClaimsOf<One> & Claimed) | Twice<Rest, Claimed | ClaimsOf<One>>
  : never;

/** Members that the runtime makes itself. */
type Frame = 'ages' | 'orgs' | 'orgById' | 'apps' | 'tableKey' | 'addOrg' | 'addApp';
type Nothing<Left extends never> = Left;

/** Each is `never`; otherwise it does not compile and names the problem. */
export type Closed = [
  messagesWithoutArea: Nothing<Exclude<keyof AnyProtocol, MessagesOf<Listed> | AsksOf<Listed>>>,
  poolQuestionsWithoutProtocol: Nothing<Exclude<AsksOf<Listed>, keyof AnyProtocol>>,
  messagesWithoutProtocol: Nothing<Exclude<MessagesOf<Listed>, keyof AnyProtocol>>,
  entriesWithoutArea: Nothing<Exclude<AnyEntry['kind'], EntriesOf<Listed>>>,
  entriesWithoutType: Nothing<Exclude<EntriesOf<Listed>, AnyEntry['kind']>>,
  entriesWithoutMeaning: Nothing<Exclude<AnyEntry['kind'], MeaningsOf<Listed>>>,
  meaningsWithoutEntry: Nothing<Exclude<MeaningsOf<Listed>, AnyEntry['kind']>>,
  membersWithoutArea: Nothing<
    Exclude<keyof AppState | keyof OrgState | keyof PartitionState, MembersOf<Listed> | Frame>
  >,
  claimedTwice: Nothing<Exclude<Twice<typeof areas>, 'record'>>,
  unknownWhenDiskIsFull: Nothing<Exclude<WhenDiskIsFull<Listed>, keyof AnyProtocol>>,
];
