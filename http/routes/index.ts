// Every route, one line each, in the order of the reference. An unlisted route does not exist.

import { callTools } from '../mcp/call-tools.ts';
import '../call/body/payload-members.ts';
import type { Route } from '../call/route.ts';
import { followLink, openPixel } from '../track/tracked-mail.ts';
import { confirmUnsubscribe, unsubscribe } from '../track/unsubscribe.ts';
import { checkStoredCredential } from './apps/check-credential.ts';
import { createApp } from './apps/create-app.ts';
import { createIdentitySecret } from './apps/create-identity-secret.ts';
import { deleteApp } from './apps/delete-app.ts';
import { deleteCredential } from './apps/delete-credential.ts';
import { listApps } from './apps/list-apps.ts';
import { listChannels } from './apps/list-channels.ts';
import { listCredentials } from './apps/list-credentials.ts';
import { putCredential } from './apps/put-credential.ts';
import { readApp } from './apps/read-app.ts';
import { readSettings } from './apps/read-settings.ts';
import { updateApp } from './apps/update-app.ts';
import { updateSettings } from './apps/update-settings.ts';
import { deleteAsset } from './assets/delete-asset.ts';
import { listAssets } from './assets/list-assets.ts';
import { showAsset } from './assets/show-asset.ts';
import { uploadAsset } from './assets/upload-asset.ts';
import { addDevice } from './audience/add-device.ts';
import { addSuppression } from './audience/add-suppression.ts';
import { changeSubscribers } from './audience/change-subscribers.ts';
import { decideDoubtful } from './audience/decide-doubtful.ts';
import { deleteDevice } from './audience/delete-device.ts';
import { deleteSubscriber } from './audience/delete-subscriber.ts';
import { deleteSuppression } from './audience/delete-suppression.ts';
import { endSubscriberSessions } from './audience/end-sessions.ts';
import { exportSubscribers } from './audience/export-subscribers.ts';
import { importSubscribers } from './audience/import-subscribers.ts';
import { listDoubtful } from './audience/list-doubtful.ts';
import { listSubscribers } from './audience/list-subscribers.ts';
import { listSuppressions } from './audience/list-suppressions.ts';
import { readBulkChange } from './audience/read-bulk-change.ts';
import { readSubscriber } from './audience/read-subscriber.ts';
import { searchSubscribers } from './audience/search-subscribers.ts';
import { updateDevice } from './audience/update-device.ts';
import { updateSubscriber } from './audience/update-subscriber.ts';
import { upsertSubscriber } from './audience/upsert-subscriber.ts';
import { readBilling } from './billing/read-billing.ts';
import { readInvoice } from './billing/read-invoice.ts';
import { readInvoicePreview } from './billing/read-invoice-preview.ts';
import { startCheckout } from './billing/start-checkout.ts';
import { archiveCampaign, archiveCampaignOfApp } from './campaigns/archive-campaign.ts';
import { cancelCampaign, cancelCampaignOfApp } from './campaigns/cancel-campaign.ts';
import { compareCampaigns } from './campaigns/compare-campaigns.ts';
import { createCampaign } from './campaigns/create-campaign.ts';
import { deleteCampaign } from './campaigns/delete-campaign.ts';
import { dryRunCampaign, dryRunCampaignOfApp } from './campaigns/dry-run-campaign.ts';
import { duplicateCampaign, duplicateCampaignOfApp } from './campaigns/duplicate-campaign.ts';
import { exportCampaigns } from './campaigns/export-campaigns.ts';
import { listCampaigns } from './campaigns/list-campaigns.ts';
import { listRecipients } from './campaigns/list-recipients.ts';
import { pauseCampaign, pauseCampaignOfApp } from './campaigns/pause-campaign.ts';
import { previewCampaign } from './campaigns/preview-campaign.ts';
import { readCampaign, readCampaignOfApp } from './campaigns/read-campaign.ts';
import { readCampaignLinks } from './campaigns/read-campaign-links.ts';
import { readCampaignSeries } from './campaigns/read-campaign-series.ts';
import { readCampaignStats } from './campaigns/read-campaign-stats.ts';
import { readDryRun, readDryRunOfApp } from './campaigns/read-dry-run.ts';
import { resumeCampaign, resumeCampaignOfApp } from './campaigns/resume-campaign.ts';
import { sendCampaign, sendCampaignOfApp } from './campaigns/send-campaign.ts';
import { unarchiveCampaign, unarchiveCampaignOfApp } from './campaigns/unarchive-campaign.ts';
import { unscheduleCampaign, unscheduleCampaignOfApp } from './campaigns/unschedule-campaign.ts';
import { updateCampaign } from './campaigns/update-campaign.ts';
import { createClient } from './clients/create-client.ts';
import { deleteClient } from './clients/delete-client.ts';
import { listClients } from './clients/list-clients.ts';
import { addEmailDomain } from './email-domains/add-email-domain.ts';
import { deleteEmailDomain } from './email-domains/delete-email-domain.ts';
import { listEmailDomains } from './email-domains/list-email-domains.ts';
import { readEmailDomain } from './email-domains/read-email-domain.ts';
import { verifyEmailDomain } from './email-domains/verify-email-domain.ts';
import { listEvents } from './events/list-events.ts';
import { createFlag } from './flags/create-flag.ts';
import { deleteFlag } from './flags/delete-flag.ts';
import { evaluateFlag } from './flags/evaluate-flag.ts';
import { listFlags } from './flags/list-flags.ts';
import { readFlag } from './flags/read-flag.ts';
import { updateFlag } from './flags/update-flag.ts';
import { readHealth } from './health/read-health.ts';
import { readReadiness } from './health/read-readiness.ts';
import { readSecurityText } from './health/read-security-text.ts';
import { createInAppMessage } from './in-app-messages/create-in-app-message.ts';
import { deleteInAppMessage } from './in-app-messages/delete-in-app-message.ts';
import { listInAppMessages } from './in-app-messages/list-in-app-messages.ts';
import { readInAppMessage } from './in-app-messages/read-in-app-message.ts';
import { updateInAppMessage } from './in-app-messages/update-in-app-message.ts';
import { readChannelHealth } from './insights/read-channel-health.ts';
import { readDeliveryFailures } from './insights/read-delivery-failures.ts';
import { readEngagementHeatmap } from './insights/read-engagement-heatmap.ts';
import { readEventTrends } from './insights/read-event-trends.ts';
import { readFunnel } from './insights/read-funnel.ts';
import { readRetention } from './insights/read-retention.ts';
import { readRfm } from './insights/read-rfm.ts';
import { readSubscriberGrowth } from './insights/read-subscriber-growth.ts';
import { createWriteKey } from './integrations/create-write-key.ts';
import { deleteCdp } from './integrations/delete-cdp.ts';
import { deleteIntegration } from './integrations/delete-integration.ts';
import { listCatalog } from './integrations/list-catalog.ts';
import { listIntegrations } from './integrations/list-integrations.ts';
import { putCdp } from './integrations/put-cdp.ts';
import { putSlack } from './integrations/put-slack.ts';
import { putWebhook } from './integrations/put-webhook.ts';
import { readIntegration } from './integrations/read-integration.ts';
import { rotateWebhookSecret } from './integrations/rotate-secret.ts';
import { testIntegration } from './integrations/test-integration.ts';
import { updateCdp } from './integrations/update-cdp.ts';
import { archiveJourney } from './journeys/archive-journey.ts';
import { correctStep } from './journeys/correct-step.ts';
import { createJourney } from './journeys/create-journey.ts';
import { deleteJourney } from './journeys/delete-journey.ts';
import { duplicateJourney } from './journeys/duplicate-journey.ts';
import { forecastJourney } from './journeys/forecast-journey.ts';
import { listJourneyPeople } from './journeys/list-journey-people.ts';
import { listJourneys } from './journeys/list-journeys.ts';
import { readJourney } from './journeys/read-journey.ts';
import { readJourneyStats } from './journeys/read-journey-stats.ts';
import { simulateJourney, simulateUnsaved } from './journeys/simulate-journey.ts';
import { unarchiveJourney } from './journeys/unarchive-journey.ts';
import { updateJourney } from './journeys/update-journey.ts';
import { createKey } from './keys/create-key.ts';
import { deleteKey } from './keys/delete-key.ts';
import { listKeys } from './keys/list-keys.ts';
import { streamLive } from './live/stream-live.ts';
import { endLiveActivity } from './live-activities/end-live-activity.ts';
import { listLiveActivities } from './live-activities/list-live-activities.ts';
import { updateLiveActivity } from './live-activities/update-live-activity.ts';
import { addMember } from './members/add-member.ts';
import { listMembers } from './members/list-members.ts';
import { removeMember } from './members/remove-member.ts';
import { updateMember } from './members/update-member.ts';
import { createMessageTemplate } from './message-templates/create-template.ts';
import { deleteMessageTemplate } from './message-templates/delete-template.ts';
import { listMessageTemplates } from './message-templates/list-templates.ts';
import { readMessageTemplate } from './message-templates/read-template.ts';
import { updateMessageTemplate } from './message-templates/update-template.ts';
import { createMessage } from './messages/create-message.ts';
import { deleteMessage } from './messages/delete-message.ts';
import { duplicateMessage } from './messages/duplicate-message.ts';
import { listMessageUses } from './messages/list-message-uses.ts';
import { listMessages } from './messages/list-messages.ts';
import { previewDraft } from './messages/preview-draft.ts';
import { previewMessage } from './messages/preview-message.ts';
import { readMailPreview } from './messages/read-mail-preview.ts';
import { readMessage } from './messages/read-message.ts';
import { testMessage } from './messages/test-message.ts';
import { updateMessage } from './messages/update-message.ts';
import { deleteEventName } from './names/delete-event-name.ts';
import { deleteTagName } from './names/delete-tag-name.ts';
import { listEventNames } from './names/list-event-names.ts';
import { listFields } from './names/list-fields.ts';
import { listTagNames } from './names/list-tag-names.ts';
import { listDeadLetters } from './notifications/list-dead-letters.ts';
import { listNotifications } from './notifications/list-notifications.ts';
import { previewNotification } from './notifications/preview-notification.ts';
import { readNotification } from './notifications/read-notification.ts';
import { redriveDeadLetters } from './notifications/redrive-dead-letters.ts';
import { sendBatch } from './notifications/send-batch.ts';
import { sendNotification } from './notifications/send-notification.ts';
import { createOrg } from './org/create-org.ts';
import { listAuditLog } from './org/list-audit-log.ts';
import { readBranding } from './org/read-branding.ts';
import { readOrg } from './org/read-org.ts';
import { readOrgLimits } from './org/read-org-limits.ts';
import { readUsage } from './org/read-usage.ts';
import { setOrgLimits } from './org/set-org-limits.ts';
import { updateBranding } from './org/update-branding.ts';
import { updateOrg } from './org/update-org.ts';
import { logOutClient } from './sdk/log-out.ts';
import { loginSubscriber } from './sdk/login-subscriber.ts';
import { readFeed } from './sdk/read-feed.ts';
import { readFlags } from './sdk/read-flags.ts';
import { readSdkApp } from './sdk/read-sdk-app.ts';
import { registerDevice } from './sdk/register-device.ts';
import { registerLiveActivity } from './sdk/register-live-activity.ts';
import { rotateLiveActivity } from './sdk/rotate-live-activity.ts';
import { setTags } from './sdk/set-tags.ts';
import { unregisterDevice } from './sdk/unregister-device.ts';
import { countSegment } from './segments/count-segment.ts';
import { createSegment } from './segments/create-segment.ts';
import { deleteSegment } from './segments/delete-segment.ts';
import { duplicateSegment } from './segments/duplicate-segment.ts';
import { explainSegment } from './segments/explain-segment.ts';
import { listSegmentUses } from './segments/list-segment-uses.ts';
import { listSegments } from './segments/list-segments.ts';
import { listSubscriberSegments } from './segments/list-subscriber-segments.ts';
import { previewSegment } from './segments/preview-segment.ts';
import { readSegment } from './segments/read-segment.ts';
import { updateSegment } from './segments/update-segment.ts';
import { endOrgSession } from './session/end-org-session.ts';
import { endSession } from './session/end-session.ts';
import { leaveOrg } from './session/leave-org.ts';
import { listOrgSessions } from './session/list-org-sessions.ts';
import { mailSignInLink } from './session/mail-link.ts';
import { openSession } from './session/open-session.ts';
import { readSignInLink } from './session/read-link.ts';
import { readSession } from './session/read-session.ts';
import { confirmStopMails, stopSignInMails } from './session/stop-mails.ts';
import { readTimeline } from './timeline/read-timeline.ts';
import { listWebhookDeliveries } from './webhook-deliveries/list-webhook-deliveries.ts';
import { readWebhookDelivery } from './webhook-deliveries/read-webhook-delivery.ts';
import { retryWebhookDeliveries } from './webhook-deliveries/retry-webhook-deliveries.ts';
import { retryWebhookDelivery } from './webhook-deliveries/retry-webhook-delivery.ts';
import { receiveSms } from './webhooks/carrier-inbound.ts';
import { receiveSmsStatus, receiveVoiceStatus } from './webhooks/carrier-status.ts';
import { receiveWebhooks } from './webhooks/chat.ts';
import { receiveRcs } from './webhooks/rcs.ts';
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
  listSubscribers,
  searchSubscribers,
  changeSubscribers,
  readBulkChange,
  readSubscriber,
  readTimeline,
  updateSubscriber,
  deleteSubscriber,
  exportSubscribers,
  listTagNames,
  deleteTagName,
  addDevice,
  updateDevice,
  deleteDevice,
  endSubscriberSessions,

  addSuppression,
  listSuppressions,
  deleteSuppression,
  listDoubtful,
  decideDoubtful,
  confirmUnsubscribe,
  unsubscribe,
  confirmStopMails,
  stopSignInMails,
  openPixel,
  followLink,

  receiveSmsStatus,
  receiveVoiceStatus,
  receiveSms,
  subscribeWhatsapp,
  receiveRcs,
  ...receiveWebhooks,
  receiveStripe,

  listEvents,
  listEventNames,
  deleteEventName,

  readEventTrends,
  readEngagementHeatmap,
  readChannelHealth,
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
  registerLiveActivity,
  rotateLiveActivity,
  readFeed,
  readFlags,

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
  deleteEmailDomain,

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
