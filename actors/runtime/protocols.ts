// Every message that an actor or its host answers, and every entry of the log. `areas.ts` is
// checked against these in both directions.

import type { BulkEntry, BulkProtocol } from '../audiences/bulk/protocol.ts';
import type { ExportProtocol } from '../audiences/export/protocol.ts';
import type { FlagsEntry, FlagsProtocol } from '../audiences/flags/protocol.ts';
import type { InAppEntry, InAppProtocol } from '../audiences/inapp/protocol.ts';
import type {
  FieldsProtocol,
  MembershipProtocol,
  NamesProtocol,
  SearchProtocol,
  SegmentsEntry,
  SegmentsProtocol,
} from '../audiences/segments/protocol.ts';
import type { AssetsEntry, AssetsProtocol } from '../content/assets/protocol.ts';
import type { FilesEntry, FilesProtocol } from '../content/files/protocol.ts';
import type { MessagesEntry, MessagesProtocol } from '../content/messages/protocol.ts';
import type { TemplatesEntry, TemplatesProtocol } from '../content/templates/protocol.ts';
import type { CdpEntry, CdpProtocol } from '../events/cdp/protocol.ts';
import type {
  EventsEntry,
  EventsProtocol,
  FoundingEntry,
  FoundingProtocol,
} from '../events/protocol.ts';
import type { AuditEntry, AuditInside, AuditProtocol } from '../insight/audit/protocol.ts';
import type { InsightsProtocol } from '../insight/insights/protocol.ts';
import type { TimelineProtocol } from '../insight/timeline/protocol.ts';
import type { WebhooksEntry, WebhooksProtocol } from '../integrations/webhooks/protocol.ts';
import type { AudienceEntry, AudienceProtocol } from '../people/audience/protocol.ts';
import type { IdentityEntry, IdentityProtocol } from '../people/identity/protocol.ts';
import type { TopicsEntry, TopicsProtocol } from '../people/topics/protocol.ts';
import type { CampaignCostProtocol } from '../programs/campaigns/cost-protocol.ts';
import type { CampaignsInside } from '../programs/campaigns/decide.ts';
import type { CampaignsEntry } from '../programs/campaigns/entries.ts';
import type { CampaignPreviewProtocol } from '../programs/campaigns/preview-protocol.ts';
import type { CampaignsProtocol } from '../programs/campaigns/protocol.ts';
import type { WavesInside } from '../programs/campaigns/waves.ts';
import type { JourneysEntry } from '../programs/journeys/entries.ts';
import type { JourneysInside, JourneysProtocol } from '../programs/journeys/protocol.ts';
import type { CallbacksEntry, CallbacksProtocol } from '../sending/callbacks/protocol.ts';
import type { FormsEntry, FormsProtocol } from '../sending/forms/protocol.ts';
import type { GateEntry, GateProtocol } from '../sending/gate/protocol.ts';
import type {
  LiveActivitiesEntry,
  LiveActivitiesProtocol,
} from '../sending/live-activities/protocol.ts';
import type { MailboxesEntry, MailboxesProtocol } from '../sending/mailboxes/protocol.ts';
import type { OptInEntry, OptInProtocol } from '../sending/opt-in/protocol.ts';
import type { OutboxEntry, OutboxProtocol } from '../sending/outbox/protocol.ts';
import type {
  TransactionalEntry,
  TransactionalProtocol,
} from '../sending/transactional/protocol.ts';
import type { WarmUpEntry, WarmUpProtocol } from '../sending/warm-up/protocol.ts';
import type { CredentialMarksProtocol } from '../tenants/accounts/credential-mark.ts';
import type { AccountsEntry, AccountsProtocol } from '../tenants/accounts/protocol.ts';
import type { BillingEntry, BillingInside, BillingProtocol } from '../tenants/billing/protocol.ts';
import type { ClientsEntry, ClientsProtocol } from '../tenants/clients/protocol.ts';
import type { DmarcEntry, DmarcProtocol } from '../tenants/dmarc/protocol.ts';
import type { MailStopsEntry, MailStopsProtocol } from '../tenants/mail-stops/protocol.ts';
import type { MembersEntry, MembersProtocol } from '../tenants/members/protocol.ts';
import type { RelaysEntry, RelaysProtocol } from '../tenants/relays/protocol.ts';
import type { SessionsEntry, SessionsProtocol } from '../tenants/sessions/protocol.ts';
import type { UsageEntry, UsageProtocol } from '../tenants/usage/protocol.ts';
import type { ErasureEntry, ErasureProtocol } from './erasure-protocol.ts';
import type { ExpiryEntry, ExpiryProtocol } from './expiry-protocol.ts';
import type { HeldProtocol } from './held.ts';
import type { RestoreChangesProtocol } from './restore-changes.ts';
import type { RestoredEntry, RestoredProtocol } from './restored.ts';
import type { SecretsProtocol } from './rewrap.ts';

export interface AnyProtocol
  extends BulkProtocol,
    ExportProtocol,
    FlagsProtocol,
    InAppProtocol,
    SegmentsProtocol,
    NamesProtocol,
    FieldsProtocol,
    SearchProtocol,
    MembershipProtocol,
    MessagesProtocol,
    TemplatesProtocol,
    AssetsProtocol,
    FilesProtocol,
    CdpProtocol,
    EventsProtocol,
    FoundingProtocol,
    AuditProtocol,
    AuditInside,
    InsightsProtocol,
    TimelineProtocol,
    WebhooksProtocol,
    AudienceProtocol,
    IdentityProtocol,
    TopicsProtocol,
    CampaignsInside,
    WavesInside,
    CampaignsProtocol,
    CampaignPreviewProtocol,
    CampaignCostProtocol,
    JourneysProtocol,
    JourneysInside,
    CallbacksProtocol,
    LiveActivitiesProtocol,
    FormsProtocol,
    MailboxesProtocol,
    DmarcProtocol,
    RelaysProtocol,
    OptInProtocol,
    OutboxProtocol,
    TransactionalProtocol,
    GateProtocol,
    WarmUpProtocol,
    AccountsProtocol,
    UsageProtocol,
    BillingProtocol,
    BillingInside,
    ClientsProtocol,
    MembersProtocol,
    SessionsProtocol,
    MailStopsProtocol,
    ErasureProtocol,
    ExpiryProtocol,
    RestoredProtocol,
    RestoreChangesProtocol,
    SecretsProtocol,
    HeldProtocol,
    CredentialMarksProtocol {}

export type AnyEntry =
  | BulkEntry
  | FlagsEntry
  | InAppEntry
  | SegmentsEntry
  | MessagesEntry
  | TemplatesEntry
  | AssetsEntry
  | FilesEntry
  | CdpEntry
  | EventsEntry
  | FoundingEntry
  | AuditEntry
  | WebhooksEntry
  | AudienceEntry
  | IdentityEntry
  | TopicsEntry
  | CampaignsEntry
  | JourneysEntry
  | CallbacksEntry
  | LiveActivitiesEntry
  | FormsEntry
  | GateEntry
  | MailboxesEntry
  | DmarcEntry
  | RelaysEntry
  | OptInEntry
  | OutboxEntry
  | TransactionalEntry
  | WarmUpEntry
  | AccountsEntry
  | UsageEntry
  | BillingEntry
  | ClientsEntry
  | MembersEntry
  | SessionsEntry
  | MailStopsEntry
  | ErasureEntry
  | ExpiryEntry
  | RestoredEntry;
