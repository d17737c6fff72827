// The memory of a partition, composed of what each area adds.

import type { GapMemory } from '../../engine/actor/machine.ts';
import type { HashKey } from '../../engine/base/hash.ts';
import type { BulkApp } from '../audiences/bulk/memory.ts';
import type { FlagsApp } from '../audiences/flags/memory.ts';
import type { InAppApp } from '../audiences/inapp/memory.ts';
import type { SegmentsApp } from '../audiences/segments/memory.ts';
import type { AssetsApp } from '../content/assets/memory.ts';
import type { FilesApp } from '../content/files/memory.ts';
import type { MessagesApp } from '../content/messages/memory.ts';
import type { TemplatesApp } from '../content/templates/memory.ts';
import type { CdpApp } from '../events/cdp/memory.ts';
import type { EventsApp, EventsPartition } from '../events/memory.ts';
import type { AuditOrg } from '../insight/audit/memory.ts';
import type { WebhooksApp } from '../integrations/webhooks/memory.ts';
import type { AudienceApp } from '../people/audience/memory.ts';
import type { IdentityApp } from '../people/identity/memory.ts';
import type { TopicsApp } from '../people/topics/memory.ts';
import type { CampaignsApp } from '../programs/campaigns/memory.ts';
import type { JourneysApp } from '../programs/journeys/memory.ts';
import type { FormsApp } from '../sending/forms/memory.ts';
import type { GateApp } from '../sending/gate/memory.ts';
import type { MailboxesApp } from '../sending/mailboxes/memory.ts';
import type { OptInApp } from '../sending/opt-in/memory.ts';
import type { SendsApp, SendsOrg, SendsPartition } from '../sending/outbox/memory.ts';
import type { TransactionalPartition } from '../sending/transactional/memory.ts';
import type { WarmUpApp } from '../sending/warm-up/memory.ts';
import type { AccountsApp, AccountsOrg, AccountsPartition } from '../tenants/accounts/memory.ts';
import type { BillingOrg } from '../tenants/billing/memory.ts';
import type { ClientsOrg } from '../tenants/clients/memory.ts';
import type { DmarcApp } from '../tenants/dmarc/memory.ts';
import type { MailStopsPartition } from '../tenants/mail-stops/memory.ts';
import type { MembersOrg, MembersPartition } from '../tenants/members/memory.ts';
import type { RelaysApp, RelaysOrg } from '../tenants/relays/memory.ts';
import type { SessionsOrg, SessionsPartition } from '../tenants/sessions/memory.ts';
import type { UsageApp, UsageOrg } from '../tenants/usage/memory.ts';
import type { ErasureApp } from './erasure-state.ts';
import type { ExpiryApp, ExpiryPartition } from './expiry-state.ts';
import type { RestoredPartition } from './restored-state.ts';

export interface OrgState
  extends AccountsOrg,
    RelaysOrg,
    SendsOrg,
    AuditOrg,
    UsageOrg,
    BillingOrg,
    ClientsOrg,
    MembersOrg,
    SessionsOrg {}

export interface AppState
  extends AccountsApp,
    RelaysApp,
    UsageApp,
    DmarcApp,
    TopicsApp,
    AudienceApp,
    IdentityApp,
    MessagesApp,
    TemplatesApp,
    AssetsApp,
    FilesApp,
    EventsApp,
    CdpApp,
    SegmentsApp,
    FlagsApp,
    InAppApp,
    BulkApp,
    GateApp,
    MailboxesApp,
    WarmUpApp,
    SendsApp,
    FormsApp,
    OptInApp,
    CampaignsApp,
    JourneysApp,
    WebhooksApp,
    ErasureApp,
    ExpiryApp {}

/** `tableKey`: this process's secret for hash tables with client strings as keys. */
export interface PartitionState
  extends AccountsPartition<AppState, OrgState>,
    EventsPartition,
    SendsPartition,
    TransactionalPartition,
    MembersPartition,
    SessionsPartition,
    MailStopsPartition,
    ExpiryPartition,
    RestoredPartition {
  readonly tableKey: HashKey;
  /** The runtime's own memory. */
  readonly ages: GapMemory;
}
