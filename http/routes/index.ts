// Every route, one line each, in the order of the reference. An unlisted route does not exist.

import { callTools } from '../mcp/call-tools.ts';
import '../call/body/payload-members.ts';
import type { Route } from '../call/route.ts';
import {
  addCustomerDevice,
  deleteCustomer,
  deleteCustomerDevice,
  identifyCustomer,
  sendCustomerEmail,
  trackAnybody,
  trackCustomer,
} from '../compat/customerio.ts';
import { addOneSignalPlayer, sendOneSignal } from '../compat/onesignal.ts';
import { confirmAddress, readConfirmation } from '../track/confirm.ts';
import { askTls } from '../track/link-host.ts';
import { readPreferencePage, setPreferencePage } from '../track/preferences.ts';
import { showForm, submitForm } from '../track/sign-up.ts';
import { followLink, openPixel } from '../track/tracked-mail.ts';
import { confirmUnsubscribe, unsubscribe } from '../track/unsubscribe.ts';
import { createApp, deleteApp, listApps, readApp, updateApp } from './apps/apps.ts';
import { createIdentitySecret } from './apps/create-identity-secret.ts';
import {
  checkStoredCredential,
  deleteCredential,
  listCredentials,
  putCredential,
} from './apps/credentials.ts';
import { listChannels } from './apps/list-channels.ts';
import { readSettings, updateSettings } from './apps/settings.ts';
import { deleteAsset, listAssets, showAsset, uploadAsset } from './assets/assets.ts';
import { changeSubscribers, readBulkChange } from './audience/bulk-changes.ts';
import { addDevice, deleteDevice, resumeDevice, updateDevice } from './audience/devices.ts';
import { decideDoubtful, listDoubtful } from './audience/doubtful.ts';
import { exportSubscribers } from './audience/export-subscribers.ts';
import { importSubscribers } from './audience/import-subscribers.ts';
import { importSuppressions } from './audience/import-suppressions.ts';
import { listSubscribers } from './audience/list-subscribers.ts';
import { readOptIns } from './audience/opt-ins.ts';
import { readPreferences, setPreferences } from './audience/preferences.ts';
import { searchSubscribers } from './audience/search-subscribers.ts';
import {
  deleteSubscriber,
  endSubscriberSessions,
  readSubscriber,
  updateSubscriber,
  upsertSubscriber,
} from './audience/subscribers.ts';
import { addSuppression, deleteSuppression, listSuppressions } from './audience/suppressions.ts';
import { readBilling, startCheckout } from './billing/billing.ts';
import { readInvoice, readInvoicePreview } from './billing/invoices.ts';
import { readCampaignCost } from './campaigns/campaign-cost.ts';
import {
  archiveCampaign,
  archiveCampaignOfApp,
  cancelCampaign,
  cancelCampaignOfApp,
  createCampaign,
  deleteCampaign,
  duplicateCampaign,
  duplicateCampaignOfApp,
  listCampaigns,
  pauseCampaign,
  pauseCampaignOfApp,
  readCampaign,
  readCampaignOfApp,
  resumeCampaign,
  resumeCampaignOfApp,
  sendCampaign,
  sendCampaignOfApp,
  unarchiveCampaign,
  unarchiveCampaignOfApp,
  unscheduleCampaign,
  unscheduleCampaignOfApp,
  updateCampaign,
} from './campaigns/campaigns.ts';
import { compareCampaigns } from './campaigns/compare-campaigns.ts';
import {
  dryRunCampaign,
  dryRunCampaignOfApp,
  readDryRun,
  readDryRunOfApp,
} from './campaigns/dry-runs.ts';
import { exportCampaigns } from './campaigns/export-campaigns.ts';
import { listRecipients } from './campaigns/list-recipients.ts';
import { previewCampaign } from './campaigns/preview-campaign.ts';
import { readCampaignLinks } from './campaigns/read-campaign-links.ts';
import { readCampaignSeries } from './campaigns/read-campaign-series.ts';
import { readCampaignStats } from './campaigns/read-campaign-stats.ts';
import { createClient, deleteClient, listClients } from './clients/clients.ts';
import { readDmarcReports } from './email-domains/dmarc-reports.ts';
import {
  addEmailDomain,
  deleteEmailDomain,
  listEmailDomains,
  readEmailDomain,
  verifyEmailDomain,
} from './email-domains/email-domains.ts';
import { deleteWarmUp, putWarmUp, readWarmUp } from './email-domains/warm-up.ts';
import { listEvents } from './events/list-events.ts';
import {
  createFlag,
  deleteFlag,
  evaluateFlag,
  listFlags,
  readFlag,
  updateFlag,
} from './flags/flags.ts';
import { createForm, deleteForm, listForms, readForm, updateForm } from './forms/forms.ts';
import { readHealth, readReadiness } from './health/health.ts';
import { readSecurityText } from './health/read-security-text.ts';
import {
  createInAppMessage,
  deleteInAppMessage,
  listInAppMessages,
  readInAppMessage,
  updateInAppMessage,
} from './in-app-messages/in-app-messages.ts';
import { readChannelHealth } from './insights/read-channel-health.ts';
import { readDeliveryFailures } from './insights/read-delivery-failures.ts';
import { readEngagementHeatmap } from './insights/read-engagement-heatmap.ts';
import { readEventTrends } from './insights/read-event-trends.ts';
import { readFunnel } from './insights/read-funnel.ts';
import { readMailboxProviders } from './insights/read-mailbox-providers.ts';
import { readRetention } from './insights/read-retention.ts';
import { readRfm } from './insights/read-rfm.ts';
import { readSubscriberGrowth } from './insights/read-subscriber-growth.ts';
import { createWriteKey, deleteCdp, putCdp, updateCdp } from './integrations/cdp.ts';
import {
  deleteIntegration,
  listIntegrations,
  readIntegration,
} from './integrations/integrations.ts';
import { listCatalog } from './integrations/list-catalog.ts';
import {
  putSlack,
  putWebhook,
  rotateWebhookSecret,
  testIntegration,
} from './integrations/webhooks.ts';
import { correctStep } from './journeys/correct-step.ts';
import { forecastJourney } from './journeys/forecast-journey.ts';
import {
  archiveJourney,
  createJourney,
  deleteJourney,
  duplicateJourney,
  listJourneys,
  readJourney,
  readJourneyStats,
  unarchiveJourney,
  updateJourney,
} from './journeys/journeys.ts';
import { listJourneyPeople } from './journeys/list-journey-people.ts';
import { simulateJourney, simulateUnsaved } from './journeys/simulate-journey.ts';
import { createKey, deleteKey, listKeys } from './keys/keys.ts';
import { streamLive } from './live/stream-live.ts';
import {
  endLiveActivity,
  listLiveActivities,
  updateLiveActivity,
} from './live-activities/live-activities.ts';
import { addMember, listMembers, removeMember, updateMember } from './members/members.ts';
import {
  createMessageTemplate,
  deleteMessageTemplate,
  listMessageTemplates,
  readMessageTemplate,
  updateMessageTemplate,
} from './message-templates/templates.ts';
import { listMessageUses } from './messages/list-message-uses.ts';
import {
  createMessage,
  deleteMessage,
  duplicateMessage,
  listMessages,
  readMessage,
  updateMessage,
} from './messages/messages.ts';
import { previewDraft, previewMessage } from './messages/previews.ts';
import { readMailPreview } from './messages/read-mail-preview.ts';
import { testMessage } from './messages/test-message.ts';
import { listFields } from './names/list-fields.ts';
import { deleteEventName, deleteTagName, listEventNames, listTagNames } from './names/names.ts';
import { listDeadLetters, redriveDeadLetters } from './notifications/dead-letters.ts';
import { listNotifications } from './notifications/list-notifications.ts';
import { previewNotification } from './notifications/preview-notification.ts';
import { readNotification } from './notifications/read-notification.ts';
import { sendBatch } from './notifications/send-batch.ts';
import { sendNotification } from './notifications/send-notification.ts';
import { readBranding, updateBranding } from './org/branding.ts';
import { createOrg } from './org/create-org.ts';
import { listAuditLog } from './org/list-audit-log.ts';
import { readOrg, readOrgLimits, setOrgLimits, updateOrg } from './org/org.ts';
import { readUsage } from './org/read-usage.ts';
import { listRelayRecipes } from './relays/recipes.ts';
import {
  checkRelay,
  checkSharedRelay,
  createRelay,
  createSharedRelay,
  deleteRelay,
  deleteSharedRelay,
  listRelays,
  listSharedRelays,
  readRelay,
  readSharedRelay,
  tryRelay,
  trySharedRelay,
  updateRelay,
  updateSharedRelay,
} from './relays/relays.ts';
import { registerDevice, unregisterDevice } from './sdk/devices.ts';
import { registerLiveActivity, rotateLiveActivity } from './sdk/live-activities.ts';
import { logOutClient } from './sdk/log-out.ts';
import { loginSubscriber } from './sdk/login-subscriber.ts';
import { markInbox } from './sdk/mark-inbox.ts';
import { readOwnPreferences, setOwnPreferences } from './sdk/preferences.ts';
import { readFeed } from './sdk/read-feed.ts';
import { readFlags } from './sdk/read-flags.ts';
import { readSdkApp } from './sdk/read-sdk-app.ts';
import { setTags } from './sdk/set-tags.ts';
import { subscribe } from './sdk/subscribe.ts';
import { explainSegment } from './segments/explain-segment.ts';
import { listSubscriberSegments } from './segments/list-subscriber-segments.ts';
import { previewSegment } from './segments/preview-segment.ts';
import {
  countSegment,
  createSegment,
  deleteSegment,
  duplicateSegment,
  listSegments,
  listSegmentUses,
  readSegment,
  updateSegment,
} from './segments/segments.ts';
import { openSession } from './session/open-session.ts';
import { endOrgSession, listOrgSessions } from './session/org-sessions.ts';
import { endSession, leaveOrg, readSession } from './session/session.ts';
import { mailSignInLink, readSignInLink } from './session/sign-in-links.ts';
import { confirmStopMails, stopSignInMails } from './session/stop-mails.ts';
import { readTimeline } from './timeline/read-timeline.ts';
import { createTopic, deleteTopic, listTopics, readTopic, updateTopic } from './topics/topics.ts';
import {
  listWebhookDeliveries,
  readWebhookDelivery,
  retryWebhookDeliveries,
  retryWebhookDelivery,
} from './webhook-deliveries/webhook-deliveries.ts';
import { receiveSms, receiveSmsStatus, receiveVoiceStatus } from './webhooks/carrier.ts';
import { receiveWebhooks } from './webhooks/chat.ts';
import { receiveRcs } from './webhooks/rcs.ts';
import { receiveRelay, receiveRelayQuery } from './webhooks/relay.ts';
import { receiveStripe } from './webhooks/stripe.ts';
import { subscribeWhatsapp } from './webhooks/whatsapp.ts';

const named = {
  sendNotification,
  sendBatch,
  listNotifications,
  readNotification,
  previewNotification,
  listDeadLetters,
  redriveDeadLetters,

  listLiveActivities,
  updateLiveActivity,
  endLiveActivity,

  createMessage,
  duplicateMessage,
  listMessages,
  readMessage,
  updateMessage,
  deleteMessage,
  listMessageUses,
  previewMessage,
  previewDraft,
  readMailPreview,
  testMessage,

  uploadAsset,
  listAssets,
  deleteAsset,
  showAsset,

  createMessageTemplate,
  listMessageTemplates,
  readMessageTemplate,
  updateMessageTemplate,
  deleteMessageTemplate,

  createCampaign,
  duplicateCampaign,
  duplicateCampaignOfApp,
  listCampaigns,
  readCampaignOfApp,
  readCampaign,
  updateCampaign,
  deleteCampaign,
  sendCampaign,
  sendCampaignOfApp,
  pauseCampaign,
  pauseCampaignOfApp,
  resumeCampaign,
  resumeCampaignOfApp,
  cancelCampaign,
  cancelCampaignOfApp,
  readCampaignLinks,
  listRecipients,
  archiveCampaign,
  archiveCampaignOfApp,
  unarchiveCampaign,
  unarchiveCampaignOfApp,
  unscheduleCampaign,
  unscheduleCampaignOfApp,
  readCampaignStats,
  readCampaignSeries,
  compareCampaigns,
  exportCampaigns,
  previewCampaign,
  dryRunCampaign,
  dryRunCampaignOfApp,
  readDryRun,
  readDryRunOfApp,
  readCampaignCost,

  createJourney,
  duplicateJourney,
  listJourneys,
  readJourney,
  updateJourney,
  archiveJourney,
  unarchiveJourney,
  correctStep,
  deleteJourney,
  readJourneyStats,
  listJourneyPeople,
  simulateJourney,
  simulateUnsaved,
  forecastJourney,

  createInAppMessage,
  listInAppMessages,
  readInAppMessage,
  updateInAppMessage,
  deleteInAppMessage,

  createFlag,
  listFlags,
  readFlag,
  updateFlag,
  deleteFlag,
  evaluateFlag,

  createSegment,
  duplicateSegment,
  listSegments,
  previewSegment,
  readSegment,
  updateSegment,
  deleteSegment,
  countSegment,
  explainSegment,
  listSubscriberSegments,
  listSegmentUses,
  listFields,

  upsertSubscriber,
  importSubscribers,
  importSuppressions,
  listSubscribers,
  searchSubscribers,
  changeSubscribers,
  readBulkChange,
  readSubscriber,
  readTimeline,
  updateSubscriber,
  deleteSubscriber,
  exportSubscribers,
  readPreferences,
  setPreferences,
  listTagNames,
  deleteTagName,
  addDevice,
  updateDevice,
  resumeDevice,
  deleteDevice,
  endSubscriberSessions,

  createTopic,
  listTopics,
  readTopic,
  updateTopic,
  deleteTopic,

  addSuppression,
  listSuppressions,
  deleteSuppression,
  listDoubtful,
  decideDoubtful,
  confirmUnsubscribe,
  unsubscribe,
  readConfirmation,
  confirmAddress,
  readPreferencePage,
  setPreferencePage,
  showForm,
  submitForm,
  readOptIns,
  createRelay,
  listRelays,
  readRelay,
  updateRelay,
  deleteRelay,
  checkRelay,
  tryRelay,
  createSharedRelay,
  listSharedRelays,
  readSharedRelay,
  updateSharedRelay,
  deleteSharedRelay,
  checkSharedRelay,
  trySharedRelay,
  listRelayRecipes,
  createForm,
  listForms,
  readForm,
  updateForm,
  deleteForm,
  confirmStopMails,
  stopSignInMails,
  openPixel,
  followLink,
  askTls,

  receiveSmsStatus,
  receiveVoiceStatus,
  receiveSms,
  subscribeWhatsapp,
  receiveRcs,
  ...receiveWebhooks,
  receiveRelay,
  receiveRelayQuery,
  receiveStripe,

  listEvents,
  listEventNames,
  deleteEventName,

  readEventTrends,
  readEngagementHeatmap,
  readChannelHealth,
  readMailboxProviders,
  readDeliveryFailures,
  readSubscriberGrowth,
  readFunnel,
  readRetention,
  readRfm,

  readSdkApp,
  loginSubscriber,
  registerDevice,
  unregisterDevice,
  logOutClient,
  setTags,
  subscribe,
  registerLiveActivity,
  rotateLiveActivity,
  readFeed,
  markInbox,
  readFlags,
  readOwnPreferences,
  setOwnPreferences,

  createApp,
  listApps,
  readApp,
  streamLive,
  updateApp,
  deleteApp,
  readSettings,
  updateSettings,
  createIdentitySecret,

  putCredential,
  listChannels,
  listCredentials,
  checkStoredCredential,
  deleteCredential,

  addEmailDomain,
  listEmailDomains,
  readEmailDomain,
  verifyEmailDomain,
  readDmarcReports,
  deleteEmailDomain,
  readWarmUp,
  putWarmUp,
  deleteWarmUp,

  listCatalog,
  listIntegrations,
  putCdp,
  updateCdp,
  createWriteKey,
  deleteCdp,
  putSlack,
  putWebhook,
  readIntegration,
  deleteIntegration,
  rotateWebhookSecret,
  testIntegration,
  listWebhookDeliveries,
  readWebhookDelivery,
  retryWebhookDelivery,
  retryWebhookDeliveries,

  createKey,
  listKeys,
  deleteKey,

  createOrg,
  setOrgLimits,
  readOrg,
  updateOrg,
  readOrgLimits,
  listAuditLog,
  readUsage,
  readBranding,
  updateBranding,

  createClient,
  listClients,
  deleteClient,
  addMember,
  listMembers,
  updateMember,
  removeMember,

  mailSignInLink,
  readSignInLink,
  openSession,
  readSession,
  endSession,
  leaveOrg,
  listOrgSessions,
  endOrgSession,

  identifyCustomer,
  deleteCustomer,
  trackCustomer,
  trackAnybody,
  addCustomerDevice,
  deleteCustomerDevice,
  sendCustomerEmail,
  sendOneSignal,
  addOneSignalPlayer,

  callTools,

  readInvoicePreview,
  readBilling,
  readInvoice,
  startCheckout,

  readHealth,
  readReadiness,
  readSecurityText,
} satisfies Record<string, Route>;

/** The pipeline's routes. `POST /e`, `/i/cdp` and the reference are served outside it. */
export const routes: readonly Route[] = Object.entries(named).map(([name, route]) => ({
  ...route,
  name,
}));
