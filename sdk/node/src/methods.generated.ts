// Made by `npm run generate` from the API description. Do not edit.

import type { ByteStream } from "./byte-stream.ts";
import type { Call, CallOptions } from "./call.ts";
import type { List } from "./list.ts";
import type { Uploadable } from "./operation.ts";

export type Error = { readonly error: string; readonly code: string; readonly field?: string; readonly issues?: readonly ({ readonly field: string; readonly error: string; })[]; readonly change?: { readonly by: string | null; readonly byName: string | null; readonly at: string | null; readonly etag: string | null; }; };

export type Notification = { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; readonly channels?: readonly (Channel)[] | null; readonly templateName?: string | null; readonly templateId?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; readonly attachments?: readonly ({ readonly filename?: string; readonly contentType?: string | null; readonly content?: string | null; readonly url?: string | null; readonly assetId?: string | null; readonly inline?: { readonly cid: string; } | null; })[] | null; readonly cc?: string | readonly (string)[] | null; readonly bcc?: string | readonly (string)[] | null; readonly replyTo?: string | null; readonly headers?: Readonly<Record<string, string>> | null; readonly idempotencyKey?: string | null; };

export type Channel = "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao";

export type Warned = { readonly warnings?: readonly ({ readonly field: string; readonly warning: string; readonly advisory?: true; })[]; };

export type NotificationBatch = { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; readonly channels?: readonly (Channel)[] | null; readonly templateName?: string | null; readonly templateId?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; readonly attachments?: readonly ({ readonly filename?: string; readonly contentType?: string | null; readonly content?: string | null; readonly url?: string | null; readonly assetId?: string | null; readonly inline?: { readonly cid: string; } | null; })[] | null; readonly cc?: string | readonly (string)[] | null; readonly bcc?: string | readonly (string)[] | null; readonly replyTo?: string | null; readonly headers?: Readonly<Record<string, string>> | null; readonly idempotencyKey?: string | null; readonly recipients: readonly ({ readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly title?: string; readonly body?: string; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly variables?: Readonly<Record<string, string | number | boolean>>; readonly idempotencyKey?: string | null; })[]; };

export type NotificationBatchResult = { readonly queued: number; readonly replayed: number; readonly rejected: number; readonly results: readonly ({ readonly index: number; readonly subscriberId?: string; readonly externalUserId?: string; readonly outcome: "queued" | "replayed" | "not_found" | "in_flight" | "invalid" | "conflict" | "failed"; readonly id?: string; readonly error?: string; readonly field?: string; })[]; };

export type ListedSend = { readonly id: string; readonly status: "delivered" | "bounced" | "failed" | "suppressed" | "pending"; readonly outcomes: readonly ({ readonly deviceId: string | null; readonly channel: string | null; readonly status: "accepted" | "delivered" | "bounced" | "failed" | "suppressed"; readonly reason?: string; readonly detail?: string; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly attempts: number; readonly copies?: number; readonly at: string; })[]; readonly failures: { readonly open: number; readonly recovered: number; }; readonly test?: true; readonly acceptedAt: string; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly channels: readonly (Channel)[]; readonly title: string | null; readonly templateId: string | null; };

export type ExplainedSend = { readonly id: string; readonly status: "delivered" | "bounced" | "failed" | "suppressed" | "pending"; readonly outcomes: readonly ({ readonly deviceId: string | null; readonly channel: string | null; readonly status: "accepted" | "delivered" | "bounced" | "failed" | "suppressed"; readonly reason?: string; readonly detail?: string; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly attempts: number; readonly copies?: number; readonly at: string; })[]; readonly failures: { readonly open: number; readonly recovered: number; }; readonly test?: true; readonly acceptedAt?: string; readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly channels?: readonly (Channel)[]; readonly title?: string | null; readonly templateId?: string | null; readonly content?: readonly ({ readonly channel: Channel | null; readonly deviceIds: readonly (string)[]; readonly language: string | null; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly attachments?: readonly ({ readonly filename: string; readonly contentType: string; readonly bytes: number; readonly inline?: { readonly cid: string; }; })[]; readonly cc?: readonly (string)[]; readonly bcc?: readonly (string)[]; readonly replyTo?: string; readonly headers?: Readonly<Record<string, string>>; readonly liveActivity?: { readonly event: "update" | "end"; readonly contentState: Readonly<Record<string, unknown>>; readonly alert?: { readonly title: string; readonly body: string; }; }; })[] | null; readonly contentState?: "as_sent" | "may_differ" | "not_rendered" | "erased" | "not_kept"; readonly contentUntil?: string | null; readonly story?: readonly (StoryEntry)[]; };

export type StoryEntry = { readonly at: string; readonly kind: "event" | "send" | "attempt" | "receipt" | "journey" | "opt_out" | "state"; readonly code: "tracked" | "session" | "opened" | "clicked" | "dismissed" | "inapp_viewed" | "inapp_clicked" | "inapp_dismissed" | "inbox_read" | "inbox_archived" | "unsubscribed" | "preferences_changed" | "opt_in_confirmed" | "accepted" | "attempt_paused" | "attempt_unanswered" | "attempt_not_taken" | "sent" | "delivered" | "bounced" | "bounced_later" | "delivered_later" | "deferred_later" | "failed" | "redriven" | "suppressed" | "deferred" | "read" | "journey_enrolled" | "journey_converted" | "journey_completed" | "in_line" | "under_way" | "waiting_for_retry" | "waiting_for_hours" | "channel_paused" | "channel_refused" | "channel_unreached" | "campaign_is_paused" | "held_by_restore" | "campaign_send" | "unknown_send" | "no_device" | "device_disabled" | "opted_out" | "opted_out_of_marketing" | "address_rests" | "prefers_channels" | "channel_not_configured" | "email_allowance_used" | "daily_cap_used" | "quiet_hours_now" | "frequency_cap_reached" | "journey_waits" | "journey_waits_for_goal" | "journey_leaves" | "journey_awaited" | "campaign_in_line" | "campaign_held" | "campaign_paused"; readonly text: string; readonly reason?: string; readonly detail?: string; readonly attempt?: number; readonly checks?: readonly ({ readonly check: "device" | "expiry" | "opt_out" | "configured" | "content" | "email_allowance" | "topic" | "preference" | "quiet_hours" | "frequency_cap"; readonly passed: boolean; readonly text: string; })[]; readonly next?: { readonly code: "retry" | "recheck" | "resume" | "probe" | "start" | "wake" | "exit" | "renew" | "by_author" | "by_operator"; readonly text: string; readonly at?: string; }; readonly name?: string; readonly step?: string; readonly eventId?: string; readonly sendId?: string; readonly campaignId?: string; readonly campaignName?: string; readonly journeyId?: string; readonly journeyName?: string; readonly messageId?: string; readonly title?: string; readonly channel?: string; readonly channels?: readonly (string)[]; readonly deviceId?: string; readonly source?: string; readonly choices?: Readonly<Record<string, string | null>>; readonly changed?: readonly (string)[]; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly attachments?: readonly ({ readonly filename: string; readonly contentType: string; readonly bytes: number; })[]; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly test?: true; };

export type SentPreview = { readonly items: readonly ({ readonly channel: Channel; readonly language: string | null; readonly deviceId: string | null; readonly content?: { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; }; readonly payload?: Readonly<Record<string, unknown>>; readonly mailPath?: string; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly error?: { readonly field?: string; readonly error: string; }; })[]; readonly attachments?: readonly ({ readonly filename: string; readonly contentType: string; readonly bytes: number; readonly inline?: { readonly cid: string; }; })[]; readonly cc?: readonly (string)[]; readonly bcc?: readonly (string)[]; readonly replyTo?: string; readonly headers?: Readonly<Record<string, string>>; readonly contentState: "as_sent" | "may_differ" | "not_rendered" | "erased" | "not_kept"; readonly contentUntil: string | null; };

export type DeadLetter = { readonly id: string; readonly sendId: string; readonly subscriberId: string | null; readonly deviceId: string | null; readonly channel: string; readonly lane: "transactional" | "campaign" | "journey"; readonly campaignId: string | null; readonly reason: string; readonly text: string; readonly detail?: string; readonly attempts: number; readonly at: string; readonly redrivenAt: string | null; readonly recoveredAt: string | null; readonly test?: true; };

export type LiveActivity = { readonly id: string; readonly activityType: string; readonly subscriberId: string; readonly externalUserId: string | null; readonly state: "active" | "ended" | "closed"; readonly attributes: Readonly<Record<string, unknown>> | null; readonly deviceId: string | null; readonly createdAt: string; readonly updatedAt: string; };

export type Message = { readonly id: string; readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type MessageUses = { readonly items: readonly ({ readonly kind: "campaign" | "journey" | "in_app_message"; readonly id: string; readonly name: string | null; readonly state: string; })[]; readonly total: number; };

export type Asset = { readonly id: string; readonly url?: string; readonly name?: string; readonly type: string; readonly bytes: number; readonly width?: number; readonly height?: number; readonly etag: string; readonly createdAt: string; };

export type MessageTemplate = { readonly id: string; readonly name: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly design?: Readonly<Record<string, unknown>>; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type Filter = { readonly all: readonly (Filter)[]; } | { readonly any: readonly (Filter)[]; } | { readonly tag: string; readonly eq: string | number | boolean; } | { readonly tag: string; readonly ne: string | number | boolean; } | { readonly tag: string; readonly exists: boolean; } | { readonly tag: string; readonly in: readonly (string | number | boolean)[]; } | { readonly event: string; readonly withinDays: number; readonly atLeast?: number; } | { readonly event: string; readonly notWithinDays: number; } | { readonly activeWithinDays: number; } | { readonly inactiveForDays: number; } | { readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao"; readonly exists?: boolean; };

export type Schedule = { readonly type: "now"; } | { readonly type: "at"; readonly at: string; } | { readonly type: "recurring"; readonly every: "hour" | "day" | "week" | "month"; readonly interval?: number; readonly at: string; readonly weekdays?: readonly ("mon" | "tue" | "wed" | "thu" | "fri" | "sat" | "sun")[]; readonly dayOfMonth?: number; readonly timezone: string; readonly startAt?: string; readonly endAt?: string; };

export type Campaign = { readonly id: string; readonly name: string; readonly messageId: string; readonly segmentId: string | null; readonly filter: Filter | null; readonly topic: string | null; readonly channels: readonly (Channel)[] | null; readonly fallbackChannels: readonly (Channel)[] | null; readonly fallbackAfterMinutes: number | null; readonly schedule: Schedule; readonly timezoneDelivery: { readonly at: string; } | null; readonly optimalTime: boolean; readonly throttle: { readonly perMinute: number; } | null; readonly variants: readonly ({ readonly id: string; readonly key: string; readonly weight: number; readonly messageId: string; })[] | null; readonly experiment: { readonly sampleShare: number; readonly winnerMetric: "opened" | "clicked" | "converted"; readonly decideAfterMinutes: number; } | null; readonly holdoutShare: number; readonly goal: { readonly event: string; readonly withinHours: number; } | null; readonly guard: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly ifLate: "send" | "skip" | "hold"; readonly state: "draft" | "scheduled" | "sending" | "paused" | "completed" | "canceled" | "failed"; readonly stateReason: string | null; readonly pausedFrom: "scheduled" | "sending" | null; readonly nextAt: string | null; readonly undoUntil: string | null; readonly startedAt: string | null; readonly endedAt: string | null; readonly archivedAt: string | null; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly warnings?: readonly ({ readonly field: string; readonly warning: string; readonly advisory?: true; })[]; };

export type CampaignLinks = { readonly items: readonly ({ readonly url: string; readonly clicks: number; readonly people: number; })[]; readonly others: { readonly clicks: number; readonly people: number; }; };

export type CampaignRecipient = { readonly subscriberId: string; readonly externalUserId: string | null; readonly outcome: "pending" | "delivered" | "bounced" | "failed" | "suppressed" | "holdout"; readonly reason: string | null; readonly variant: string | null; readonly opened: boolean; readonly clicked: boolean; readonly converted: boolean; readonly unsubscribed: boolean; readonly complained: boolean; readonly occurrence: number; };

export type CampaignStats = { readonly campaignId: string; readonly name: string; readonly state: "draft" | "scheduled" | "sending" | "paused" | "completed" | "canceled" | "failed"; readonly stateReason: string | null; readonly audience: number; readonly holdout: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; }; readonly treated: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; } | null; readonly lift: { readonly difference: number; readonly low: number; readonly high: number; readonly relative: number | null; } | null; readonly sent: number; readonly delivered: number; readonly accepted?: number; readonly opened: number; readonly clicked: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly converted: number; readonly unsubscribed: number; readonly complained: number; readonly rates: { readonly of: "sent"; readonly delivered: { readonly share: number; readonly low: number; readonly high: number; }; readonly opened: { readonly share: number; readonly low: number; readonly high: number; }; readonly clicked: { readonly share: number; readonly low: number; readonly high: number; }; readonly converted: { readonly share: number; readonly low: number; readonly high: number; } | null; readonly bounced: { readonly share: number; readonly low: number; readonly high: number; }; readonly failed: { readonly share: number; readonly low: number; readonly high: number; }; readonly unsubscribed: { readonly share: number; readonly low: number; readonly high: number; }; readonly complained: { readonly share: number; readonly low: number; readonly high: number; }; } | null; readonly devices: { readonly sent: number; readonly delivered: number; readonly bounced: number; readonly failed: number; }; readonly byChannel: Readonly<Record<string, { readonly sent: number; readonly delivered: number; readonly bounced: number; readonly failed: number; readonly suppressed: number; }>>; readonly byVariant: Readonly<Record<string, { readonly sent: number; readonly delivered: number; readonly accepted?: number; readonly opened: number; readonly clicked: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly converted: number; readonly unsubscribed: number; readonly complained: number; readonly treated: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; } | null; readonly lift: { readonly difference: number; readonly low: number; readonly high: number; readonly relative: number | null; } | null; }>>; readonly occurrences: readonly ({ readonly number: number; readonly startedAt: string; readonly endedAt: string | null; readonly audience: number; readonly holdout: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; }; readonly treated: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; } | null; readonly lift: { readonly difference: number; readonly low: number; readonly high: number; readonly relative: number | null; } | null; readonly nextDay: number; readonly winner: string | null; readonly sent: number; readonly delivered: number; readonly accepted?: number; readonly opened: number; readonly clicked: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly converted: number; readonly unsubscribed: number; readonly complained: number; })[]; readonly fallback: { readonly eligible: number; readonly sent: number; readonly suppressed: number; readonly suppressedBy: Readonly<Record<string, number>>; }; readonly suppressedBy: Readonly<Record<string, number>>; readonly deferredBy: Readonly<Record<string, number>>; readonly progress: { readonly done: number; readonly total: number; readonly ratePerSecond: number; readonly expectedEnd: string | null; readonly waitingFor: { readonly reason: string; readonly text: string; readonly until: string | null; readonly since: string | null; readonly people: number | null; } | null; } | null; };

export type CampaignSeries = { readonly interval: "minute" | "hour" | "day"; readonly items: readonly ({ readonly at: string; readonly delivered: number; readonly bounced: number; readonly failed: number; readonly suppressed: number; readonly opened: number; readonly clicked: number; readonly peopleOpened: number; readonly peopleClicked: number; })[]; };

export type CampaignPreview = { readonly items: readonly ({ readonly channel: Channel; readonly language: string | null; readonly deviceId: string | null; readonly content?: { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; }; readonly payload?: Readonly<Record<string, unknown>>; readonly mailPath?: string; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly error?: { readonly field?: string; readonly error: string; }; })[]; readonly issues: readonly ({ readonly level: "error" | "warning"; readonly field: string; readonly line?: number; readonly column?: number; readonly error: string; })[]; readonly usesVariables: readonly (string)[]; readonly isCopy: boolean; readonly occurrence: number | null; readonly languages: readonly (string)[]; readonly checks?: readonly ({ readonly check: "sender" | "dkim" | "spf" | "dmarc" | "alignment" | "link_name" | "one_click" | "size" | "https_links" | "image_text" | "text_part"; readonly state: "done" | "not_done" | "unknown"; readonly about: string; })[]; };

export type DryRun = { readonly dryRunId: string; readonly at: string; readonly expiresAt: string; readonly audience: number; readonly holdout: number; readonly wouldSend: number; readonly byChannel: Readonly<Record<string, number>>; readonly byVariant: Readonly<Record<string, number>>; readonly wouldSuppress: Readonly<Record<string, number>>; readonly wouldDefer: Readonly<Record<string, number>>; readonly unvouched: number; readonly fallback: { readonly wouldSend: number; readonly wouldSuppress: Readonly<Record<string, number>>; readonly wouldDefer: Readonly<Record<string, number>>; } | null; readonly warmUp: { readonly domain: string; readonly today: number; readonly later: number; readonly days: number; } | null; readonly warnings: readonly ({ readonly code: "keyless_events" | "fallback_capped" | "did_you_mean"; readonly message: string; })[]; readonly sampled: readonly (DryRunPerson)[]; };

export type DryRunPerson = { readonly subscriberId: string; readonly externalUserId: string | null; readonly verdict: "send" | "defer" | "suppress" | "holdout"; readonly reason: string | null; readonly until: string | null; readonly channels: readonly (Channel)[]; readonly variant: string | null; readonly fallback: { readonly verdict: "send" | "defer" | "suppress"; readonly reason: string | null; } | null; };

export type CampaignCost = { readonly relay: { readonly id: string; readonly name: string; } | null; readonly pricesOf: "relay" | "app" | null; readonly currency: string | null; readonly isEstimate: boolean; readonly primary: { readonly texts: number; readonly segments: number; readonly total: number | null; readonly unsendable: number; readonly countries: readonly ({ readonly country: string | null; readonly texts: number; readonly segments: number; readonly cost: number | null; })[]; }; readonly fallback: { readonly texts: number; readonly segments: number; readonly total: number | null; readonly unsendable: number; readonly countries: readonly ({ readonly country: string | null; readonly texts: number; readonly segments: number; readonly cost: number | null; })[]; } | null; };

export type JourneyStep = { readonly id: string; readonly type: "wait"; readonly note?: string; readonly minutes?: number; readonly hours?: number; readonly days?: number; } | { readonly id: string; readonly type: "send"; readonly note?: string; readonly messageId?: string; readonly message?: Readonly<Record<string, unknown>>; readonly templateName?: string; readonly templateId?: string; readonly channels?: readonly ("fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao")[]; readonly topic?: string; readonly stream?: "transactional" | "marketing"; } | { readonly id: string; readonly type: "condition" | "branch"; readonly note?: string; readonly filter: Filter; readonly then: readonly (JourneyStep)[]; readonly else?: readonly (JourneyStep)[]; } | { readonly id: string; readonly type: "goal"; readonly note?: string; readonly event: string; readonly timeoutHours: number; };

export type Journey = { readonly id: string; readonly name: string; readonly triggerEvent: string | null; readonly triggerSegmentId: string | null; readonly reentry: "once" | "always"; readonly steps: readonly (JourneyStep)[]; readonly active: boolean; readonly replacedBy: string | null; readonly archivedAt: string | null; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly warnings?: readonly ({ readonly field: string; readonly warning: string; readonly advisory?: true; })[]; };

export type JourneyStats = { readonly enrolled: number; readonly inFlow: number; readonly completed: number; readonly converted: number; readonly exited: number; readonly bySteps: Readonly<Record<string, { readonly entered: number; readonly waiting: number; readonly sent: number; readonly delivered: number; readonly opened: number; readonly clicked: number; readonly converted: number; readonly bounced: number; readonly failed: number; readonly suppressed: number; readonly suppressedBy: Readonly<Record<string, number>>; }>>; };

export type JourneyPerson = { readonly subscriberId: string; readonly externalUserId: string | null; readonly state: "waiting" | "leaving"; readonly step: string | null; readonly enrolledAt: string; readonly until: string; };

export type InAppDisplay = { readonly kind: "modal" | "banner" | "card" | "push-prompt" | "none"; readonly position?: "top" | "bottom"; readonly trigger?: { readonly event: string; readonly where?: Readonly<Record<string, string | number | boolean>>; } | { readonly afterSeconds: number; }; readonly maxShows?: number; readonly everyHours?: number; readonly dismissible?: boolean; };

export type InAppMessage = { readonly id: string; readonly messageId: string; readonly filter: Filter | null; readonly startAt: string | null; readonly endAt: string | null; readonly priority: number; readonly inbox: boolean; readonly show: "popup" | "inbox" | "both"; readonly display: InAppDisplay | null; readonly counts: { readonly viewed: number; readonly clicked: number; readonly dismissed: number; readonly read: number; readonly archived: number; }; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type Flag = { readonly id: string; readonly key: string; readonly enabled: boolean; readonly filter: Filter | null; readonly rolloutPercent: number; readonly variants: readonly ({ readonly key: string; readonly weight: number; })[] | null; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type Segment = { readonly id: string; readonly name: string; readonly filter: Filter; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type Subscriber = { readonly id: string; readonly externalUserId: string | null; readonly displayName: string | null; readonly devices: readonly (Device)[]; readonly tags: Readonly<Record<string, string | number | boolean | readonly (string)[]>>; readonly preferredChannels: readonly ("fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao")[] | null; readonly timezone: string | null; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly lastActiveAt: string | null; };

export type Device = { readonly id: string; readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly enabled: boolean; readonly disabledReason?: string; readonly suppressed: { readonly scope: "all" | "marketing"; readonly reason: string | null; readonly source: "api" | "callback" | "unsubscribe" | "bounce" | null; readonly at: string | null; } | null; readonly reachable: boolean; readonly restingUntil?: string; readonly environment?: "production" | "sandbox"; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type SegmentMembership = { readonly id: string; readonly name: string; readonly matches: boolean; };

export type SegmentUses = { readonly items: readonly ({ readonly kind: "campaign" | "journey"; readonly id: string; readonly name: string; readonly state: string; })[]; readonly total: number; };

export type Fields = { readonly tags: readonly ({ readonly key: string; readonly types: readonly ("string" | "number" | "boolean" | "list")[]; readonly people: number; readonly top: readonly ({ readonly value: string | number | boolean; readonly people: number; })[]; })[]; readonly events: readonly ({ readonly name: string; readonly origin: "app" | "engage"; readonly lastAt: string; readonly people: number; readonly props: readonly ({ readonly key: string; readonly types: readonly ("string" | "number" | "boolean" | "list" | "object")[]; })[]; })[]; readonly channels: readonly ({ readonly channel: Channel; readonly reachable: number; })[]; };

export type ImportResult = { readonly created: number; readonly updated: number; readonly unconfirmed?: number; readonly keptOut?: number; readonly warnings?: readonly ({ readonly field: string; readonly warning: string; })[]; readonly addressFlags?: readonly ({ readonly flag: "typo" | "disposable" | "role"; readonly count: number; readonly samples: readonly ({ readonly row: number; readonly device: number; readonly domain: string; readonly meant?: string; })[]; })[]; readonly failed: number; readonly errors: readonly ({ readonly row: number; readonly device?: number; readonly error: string; })[]; };

export type SuppressionImportResult = { readonly added: number; readonly known: number; readonly failed: number; readonly errors: readonly ({ readonly row: number; readonly error: string; })[]; };

export type BulkChange = { readonly id: string; readonly state: "running" | "done"; readonly dryRun: boolean; readonly matched: number; readonly looked: number; readonly changed: number; readonly failed: number; readonly startedAt: string; readonly updatedAt: string; };

export type Preferences = { readonly channels: readonly (Channel)[] | null; readonly topics: Readonly<Record<string, "in" | "out" | "pending">>; readonly language: string | null; readonly timezone: string | null; readonly suppressed: readonly (Channel)[]; };

export type UsedName = { readonly name: string; readonly vouched: boolean; readonly usedBy: string | null; };

export type Topic = { readonly key: string; readonly name: string; readonly description: string | null; readonly default: "in" | "out"; readonly doubleOptIn: boolean; readonly people: { readonly in: number; readonly out: number; readonly pending: number; }; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type Suppression = { readonly identity: "email" | "phone" | "telegram" | "line" | "zalo" | "viber"; readonly channels: readonly ("fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao")[]; readonly address: string; readonly scope: "all" | "marketing"; readonly reason: string | null; readonly source: "api" | "callback" | "unsubscribe" | "bounce"; readonly etag: string; readonly createdAt: string; };

export type DoubtfulOptOut = { readonly id: string; readonly channel: Channel; readonly address: string; readonly words: string; readonly receivedAt: string; readonly subscribers: readonly ({ readonly subscriberId: string; readonly externalUserId: string | null; })[]; };

export type RelayConfig = { readonly host: string; readonly port?: number; readonly implicitTls?: boolean; readonly user?: string | null; readonly password?: string | null; readonly oauth?: { readonly tokenUrl: string; readonly clientId: string; readonly clientSecret: string; readonly refreshToken?: string; readonly scope?: string; } | null; readonly connections?: number; readonly messagesPerConnection?: number; } | { readonly region: string; readonly accessKeyId: string; readonly secretAccessKey: string; readonly configurationSet?: string; readonly topicArn?: string; } | { readonly apiKey: string; readonly region?: "global" | "eu"; readonly publicKey?: string; } | { readonly serverToken: string; readonly transactionalStream?: string; readonly marketingStream?: string; readonly eventsPassword?: string; } | { readonly apiKey: string; readonly domain: string; readonly region?: "us" | "eu"; readonly signingKey?: string; } | { readonly apiKey: string; readonly signingSecret?: string; } | { readonly apiKey: string; readonly eventsToken?: string; } | { readonly recipe?: string; readonly url: string; readonly method?: "GET" | "POST" | "PUT"; readonly query?: Readonly<Record<string, string>>; readonly headers?: Readonly<Record<string, string>>; readonly basic?: { readonly user: string; readonly password: string; }; readonly contentType?: "json" | "form" | "xml" | "text"; readonly body?: string | Readonly<Record<string, unknown>>; readonly from?: string; readonly numberForm?: "e164" | "digits" | "national"; readonly country?: string; readonly nationalPrefix?: string; readonly encoding?: { readonly gsm7?: string; readonly ucs2?: string; readonly only?: "gsm7"; }; readonly segmentsMax?: number; readonly answer: { readonly format?: "json" | "form" | "text"; readonly id?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly code?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly words?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly accepted: { readonly status?: readonly (string)[]; readonly code?: readonly (string)[]; readonly at?: string | { readonly after: string; readonly before?: string; }; readonly is?: readonly (string)[]; }; readonly meanings?: readonly ({ readonly status?: readonly (string)[]; readonly code?: readonly (string)[]; readonly at?: string | { readonly after: string; readonly before?: string; }; readonly is?: readonly (string)[]; readonly outcome: "dead" | "opted_out" | "permanent" | "config" | "rate" | "retry" | "ambiguous"; readonly reason: string; readonly waitSeconds?: number; })[]; }; readonly check?: { readonly url: string; readonly query?: Readonly<Record<string, string>>; readonly accepted: { readonly status?: readonly (string)[]; readonly code?: readonly (string)[]; readonly at?: string | { readonly after: string; readonly before?: string; }; readonly is?: readonly (string)[]; }; }; readonly callbacks?: { readonly proof: { readonly kind: "token"; readonly query?: string; readonly secret: string; } | { readonly kind: "basic"; readonly user: string; readonly password: string; } | { readonly kind: "header"; readonly header: string; readonly secret: string; } | { readonly kind: "hmac"; readonly header: string; readonly secret: string; readonly algorithm?: "sha1" | "sha256" | "sha512"; readonly encoding?: "hex" | "base64"; readonly prefix?: string; readonly fields?: readonly (string | { readonly after: string; readonly before?: string; })[]; readonly join?: string; readonly timestamp?: { readonly header: string; readonly secondsMax: number; }; }; readonly reports?: { readonly format?: "auto" | "json" | "form" | "query"; readonly items?: string; readonly mark?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly uuid?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly id?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly to?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly status: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly error?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly statuses: readonly ({ readonly status?: readonly (string)[]; readonly error?: readonly (string)[]; readonly at?: string | { readonly after: string; readonly before?: string; }; readonly is?: readonly (string)[]; readonly means: "taken" | "arrived" | "read" | "failed" | "dead" | "opted_out"; readonly reason?: string; })[]; }; readonly inbound?: { readonly format?: "auto" | "json" | "form" | "query"; readonly items?: string; readonly id?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly from: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly text: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; }; }; readonly polling?: { readonly url: string; readonly method?: "GET" | "POST" | "PUT"; readonly query?: Readonly<Record<string, string>>; readonly headers?: Readonly<Record<string, string>>; readonly contentType?: "json" | "form" | "xml" | "text"; readonly body?: string | Readonly<Record<string, unknown>>; readonly answer: { readonly format?: "json" | "form" | "text"; readonly status: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly error?: string | { readonly after: string; readonly before?: string; } | readonly (string | { readonly after: string; readonly before?: string; })[]; readonly statuses: readonly ({ readonly status?: readonly (string)[]; readonly error?: readonly (string)[]; readonly at?: string | { readonly after: string; readonly before?: string; }; readonly is?: readonly (string)[]; readonly means: "taken" | "arrived" | "read" | "failed" | "dead" | "opted_out"; readonly reason?: string; })[]; }; readonly everySeconds?: number; readonly forHours?: number; readonly perSecond?: number; }; readonly price?: { readonly currency: string; readonly perSegment?: number; readonly byCountry?: Readonly<Record<string, number>>; }; readonly credentials?: Readonly<Record<string, string>>; };

export type Relay = { readonly id: string; readonly name: string; readonly channel: "email" | "sms" | "voice"; readonly kind: "smtp" | "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "http"; readonly streams: readonly ("transactional" | "marketing")[]; readonly order: number; readonly perSecond: number | null; readonly perDay: number | null; readonly enabled: boolean; readonly config: Readonly<Record<string, unknown>>; readonly health: { readonly state: "ok" | "paused" | "unreachable" | "refused"; readonly since: string | null; readonly until: string | null; readonly reason: string | null; readonly detail: string | null; readonly callsToday: number; }; readonly events: { readonly url: string; readonly proof: string; readonly since: string | null; readonly newest: string | null; } | null; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type CredentialCheck = { readonly checked: boolean; readonly ok: boolean | null; readonly reason?: string; readonly detail?: string; readonly why?: string; readonly tookMs: number; };

export type RelayTrial = { readonly request: { readonly method: string; readonly url: string; readonly headers: Readonly<Record<string, string>>; readonly body: string | null; } | null; readonly answer: { readonly status: number; readonly body: string; } | null; readonly outcome: "accepted" | "dead" | "opted_out" | "permanent" | "config" | "rate" | "retry" | "ambiguous" | null; readonly reason: string | null; readonly detail: string | null; readonly messageId: string | null; readonly tookMs: number; };

export type RelayRecipe = { readonly recipe: string; readonly name: string; readonly channel: "sms" | "voice"; readonly countries: readonly (string)[] | null; readonly source: string; readonly setup: string | null; readonly credentials: Readonly<Record<string, string>>; };

export type Form = { readonly id: string; readonly key: string; readonly name: string; readonly fields: readonly ({ readonly tag: string; readonly label: string; readonly type: "text" | "checkbox"; readonly required: boolean; })[]; readonly topics: readonly (string)[]; readonly consent: string; readonly redirectUrl: string | null; readonly path: string; readonly archivedAt: string | null; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type CallbackCounts = { readonly taken: number; readonly repeated: number; readonly ignored: number; };

export type StripeEventResult = { readonly result: "taken" | "repeated" | "ignored"; };

export type EventBatch = { readonly appId?: string | null; readonly events: readonly ({ readonly name: string; readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly id?: string | null; readonly at?: string | null; readonly props?: Readonly<Record<string, unknown>> | null; readonly deviceId?: string | null; readonly sendId?: string | null; readonly campaignId?: string | null; readonly messageId?: string | null; })[]; };

export type CdpBody = { readonly batch: readonly ({ readonly type?: "identify" | "track" | "page" | "screen" | "group" | "alias"; readonly userId?: string | number | null; readonly messageId?: string | null; readonly traits?: Readonly<Record<string, unknown>> | null; readonly event?: string | null; readonly properties?: Readonly<Record<string, unknown>> | null; readonly context?: { readonly device?: { readonly type?: string | null; readonly token?: string | null; } | null; readonly timezone?: string | null; readonly locale?: string | null; } | null; readonly timestamp?: string | null; readonly originalTimestamp?: string | null; readonly sentAt?: string | null; })[]; readonly sentAt?: string | null; } | { readonly type?: "identify" | "track" | "page" | "screen" | "group" | "alias"; readonly userId?: string | number | null; readonly messageId?: string | null; readonly traits?: Readonly<Record<string, unknown>> | null; readonly event?: string | null; readonly properties?: Readonly<Record<string, unknown>> | null; readonly context?: { readonly device?: { readonly type?: string | null; readonly token?: string | null; } | null; readonly timezone?: string | null; readonly locale?: string | null; } | null; readonly timestamp?: string | null; readonly originalTimestamp?: string | null; readonly sentAt?: string | null; };

export type Event = { readonly id: string; readonly seq: number; readonly name: string; readonly subscriberId: string; readonly externalUserId: string | null; readonly deviceId: string | null; readonly channel: string | null; readonly sendId: string | null; readonly campaignId: string | null; readonly messageId: string | null; readonly journeyId: string | null; readonly at: string; readonly receivedAt: string; readonly props: Readonly<Record<string, unknown>>; readonly meta: Readonly<Record<string, unknown>>; };

export type UsedEventName = { readonly name: string; readonly vouched: boolean; readonly usedBy: string | null; readonly origin: "app" | "engage"; };

export type App = { readonly id: string; readonly name: string; readonly timezone: string; readonly vapidPublicKey: string | null; readonly etag: string; readonly createdAt: string; };

export type AppSettings = { readonly etag: string; readonly caps: readonly ({ readonly channel?: Channel; readonly max: number; readonly perHours: number; })[]; readonly quietHours: { readonly start: string; readonly end: string; readonly timezone: string; readonly channels?: readonly (Channel)[]; } | null; readonly campaignGuard: { readonly bounceShare: number | null; readonly bouncesAfterCalls: number; readonly complaintShare: number | null; readonly complaintsAfterDeliveries: number; readonly senderRefusalsInARow: number | null; } | null; readonly campaignGuardDefaults: { readonly bounceShare: number | null; readonly bouncesAfterCalls: number; readonly complaintShare: number | null; readonly complaintsAfterDeliveries: number; readonly senderRefusalsInARow: number | null; }; readonly softBounces: { readonly inARow: number; readonly overDays: number; readonly restDays: number; } | null; readonly webhookUrl: string | null; readonly secretSet: boolean; readonly email: { readonly fromName: string | null; readonly fromAddress: string | null; readonly replyTo: string | null; readonly unsubscribeText: string | null; readonly platformAddress: string | null; }; readonly eventsRetentionDays: number | null; readonly deletesBefore: string | null; readonly emailTracking: boolean; readonly unsubscribe: "none" | "footer" | "header" | "both" | null; readonly unsubscribeScope: "all" | "marketing"; readonly doubleOptIn: boolean; readonly displayName: readonly (string)[] | null; readonly keywords: { readonly stop: readonly (string)[]; readonly start: readonly (string)[]; }; readonly wording: Readonly<Record<string, Readonly<Record<string, string>>>> | null; readonly utm: { readonly source: string | null; readonly medium: string | null; readonly campaign: string | null; readonly term: string | null; readonly content: string | null; } | null; readonly textPrices: { readonly currency: string; readonly perSegment?: number; readonly byCountry?: Readonly<Record<string, number>>; } | null; readonly refuseDisposableAddresses: boolean; readonly keylessPeoplePerMinute: number | null; readonly anonymousExpiryDays: number | null; readonly identityVerification: "required" | "first-use" | "open"; readonly keylessEvents: { readonly startJourneys: boolean; readonly countEngagement: boolean; readonly registerPaidChannels: boolean; }; readonly undoSendSeconds: number; readonly defaultCountry: string | null; };

export type CredentialUpload = { readonly type: "service_account"; readonly project_id: string; readonly client_email: string; readonly private_key: string; readonly private_key_id?: string; } | { readonly teamId: string; readonly keyId: string; readonly p8: string; readonly bundleId: string; readonly environment?: "production" | "sandbox"; } | { readonly publicKey: string; readonly privateKey: string; readonly subject?: string; } | { readonly accountSid: string; readonly authToken: string; readonly apiKeySid?: string; readonly apiKeySecret?: string; readonly from?: string; readonly messagingServiceSid?: string; readonly voiceFrom?: string; } | { readonly phoneNumberId: string; readonly accessToken: string; readonly appSecret?: string; readonly verifyToken: string; } | { readonly botToken: string; readonly secretToken?: string; } | { readonly serviceAccount: { readonly type: "service_account"; readonly project_id: string; readonly client_email: string; readonly private_key: string; readonly private_key_id?: string; }; readonly agentId: string; readonly region: "us" | "europe" | "asia"; readonly clientToken?: string; } | { readonly channelAccessToken: string; readonly channelSecret?: string; } | { readonly appId: string; readonly appSecret: string; readonly refreshToken: string; readonly oaSecretKey?: string; } | { readonly authToken: string; readonly senderName: string; } | { readonly apiKey: string; readonly apiSecret: string; readonly pfId: string; readonly from: string; };

export type StoredCredential = { readonly channel: "fcm" | "apns" | "webpush" | "carrier" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao"; readonly fingerprint: string; readonly etag: string; readonly updatedAt: string; readonly webhook?: WebhookRegistration; };

export type WebhookRegistration = { readonly url: string; readonly registered: boolean; readonly reason?: string; readonly detail?: string; };

export type ChannelState = { readonly channel: Channel; readonly state: "ok" | "paused" | "slowed" | "refused" | "unreachable" | "degraded"; readonly since: string | null; readonly until: string | null; readonly reason: string | null; readonly detail: string | null; readonly domains: readonly ({ readonly domain: string; readonly since: string | null; readonly until: string | null; readonly reason: string | null; readonly detail: string | null; })[]; };

export type Credential = { readonly channel: "fcm" | "apns" | "webpush" | "carrier" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao"; readonly fingerprint: string; readonly etag: string; readonly updatedAt: string; };

export type EmailDomain = { readonly domain: string; readonly state: "pending" | "verified" | "failed"; readonly vouched: boolean; readonly records: readonly ({ readonly purpose: "dkim" | "dmarc" | "links"; readonly type: "TXT" | "CNAME"; readonly name: string; readonly value: string; readonly required: boolean; readonly status: "unchecked" | "found" | "missing" | "wrong" | "unanswered"; readonly found: readonly (string)[]; readonly problem: string | null; })[]; readonly returnPath: string | null; readonly dmarcReports: string | null; readonly etag: string; readonly createdAt: string; readonly checkedAt: string | null; readonly verifiedAt: string | null; };

export type WarmUp = { readonly domain: string; readonly state: "off" | "scheduled" | "running" | "held" | "finished"; readonly used: boolean; readonly startsAt: string | null; readonly endsAt: string | null; readonly days: readonly ({ readonly max: number; readonly perProvider: Readonly<Record<string, number>> | null; })[]; readonly held: boolean; readonly today: { readonly day: number; readonly max: number; readonly perProvider: Readonly<Record<string, number>> | null; readonly sent: number; readonly sentByProvider: Readonly<Record<string, number>>; readonly unknown: boolean; } | null; readonly etag: string | null; readonly createdAt: string | null; readonly updatedAt: string | null; };

export type IntegrationType = { readonly type: "cdp" | "slack" | "webhook"; readonly name: string; readonly description: string; readonly configSchema: Readonly<Record<string, unknown>>; };

export type Destination = { readonly type: string; readonly enabled: boolean; readonly disabledReason: string | null; readonly events: readonly (string)[]; readonly concurrency: number; readonly health: "ok" | "failing"; readonly pending: number; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type Integration = { readonly type: "cdp"; readonly enabled: boolean; readonly devicesFromTraits: boolean; readonly consent: "confirmed" | "doubleOptIn"; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; };

export type ChatWorkspaceConfiguration = { readonly url: string; readonly enabled?: boolean; };

export type WebhookConfiguration = { readonly url: string; readonly secret?: string; readonly events: readonly ("*" | "campaign.*" | "delivery.*" | "message.*" | "subscriber.*" | "integration.*" | "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "integration.disabled" | "message.complained")[]; readonly headers?: Readonly<Record<string, string>>; readonly concurrency?: number; readonly enabled?: boolean; };

export type SavedDestination = { readonly type: string; readonly enabled: boolean; readonly disabledReason: string | null; readonly events: readonly (string)[]; readonly concurrency: number; readonly health: "ok" | "failing"; readonly pending: number; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly secret?: string; };

export type WebhookDelivery = { readonly id: string; readonly type: string; readonly event: "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "webhook.test" | "integration.disabled" | "message.complained"; readonly status: "pending" | "retrying" | "delivered" | "stopped" | "dead"; readonly attempts: number; readonly lastStatus: number | null; readonly lastError: "timeout" | "dns" | "refused" | "tls" | "private_address" | "redirect" | "status" | "too_large" | "internal" | null; readonly nextRetryAt: string | null; readonly createdAt: string; readonly deliveredAt: string | null; readonly durationMs: number | null; };

export type WebhookDeliveryDetail = { readonly id: string; readonly type: string; readonly event: "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "webhook.test" | "integration.disabled" | "message.complained"; readonly status: "pending" | "retrying" | "delivered" | "stopped" | "dead"; readonly attempts: number; readonly lastStatus: number | null; readonly lastError: "timeout" | "dns" | "refused" | "tls" | "private_address" | "redirect" | "status" | "too_large" | "internal" | null; readonly nextRetryAt: string | null; readonly createdAt: string; readonly deliveredAt: string | null; readonly durationMs: number | null; readonly payload: Readonly<Record<string, unknown>>; readonly tries: readonly ({ readonly at: string; readonly status: number | null; readonly error: "timeout" | "dns" | "refused" | "tls" | "private_address" | "redirect" | "status" | "too_large" | "internal" | null; readonly durationMs: number; readonly answer: string | null; })[]; };

export type ApiKey = { readonly id: string; readonly name: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; readonly appId: string | null; readonly etag: string; readonly createdAt: string; };

export type Org = { readonly id: string; readonly name: string; readonly parentOrgId: string | null; readonly dailySendCap: number | null; readonly rateLimits: { readonly transactional: number | null; readonly standard: number | null; }; readonly emailAllowance: number | null; readonly emailDomains: readonly (string)[]; readonly storageQuotaBytes: number | null; readonly etag: string; readonly createdAt: string; };

export type OrgLimits = { readonly dailySends: { readonly cap: number | null; readonly used: number; readonly resetsAt: string; }; readonly lanes: { readonly transactional: { readonly limit: number | null; readonly remaining: number | null; readonly reset: number; }; readonly standard: { readonly limit: number | null; readonly remaining: number | null; readonly reset: number; }; }; readonly perIpPerMinute: number | null; readonly batchSize: number; readonly emailAllowance: { readonly included: number | null; readonly used: number; readonly reserved: number; }; readonly storage: { readonly quotaBytes: number | null; readonly usedBytes: number; readonly usedByKind: { readonly people: number; readonly events: number; readonly content: number; readonly pictures: number; readonly webhooks: number; }; readonly clients: { readonly usedBytes: number; readonly quotaBytes: number | null; } | null; readonly agencyFull: boolean; }; readonly eventsRetentionDays: number; };

export type AuditNote = { readonly id: string; readonly at: string; readonly actor: string; readonly actorName: string | null; readonly action: "org.created" | "org.renamed" | "org.limits_changed" | "org.deleted" | "branding.changed" | "client.created" | "client.deleted" | "member.added" | "member.accepted" | "member.role_changed" | "member.removed" | "member.declined" | "member.left" | "key.created" | "key.deleted" | "app.created" | "app.changed" | "app.deleted" | "settings.changed" | "credential.uploaded" | "credential.removed" | "email_domain.added" | "email_domain.verified" | "email_domain.failed" | "email_domain.deleted" | "warm_up.started" | "warm_up.changed" | "warm_up.deleted" | "identity_secret.created" | "write_key.created" | "integration.removed" | "sessions.ended" | "subscriber.erased" | "subscribers.bulk_changed" | "integration.saved" | "integration.disabled" | "integration.secret_replaced" | "relay.created" | "relay.changed" | "relay.deleted" | "form.created" | "form.changed" | "form.deleted" | "topic.created" | "topic.changed" | "topic.deleted" | "suppression.removed" | "doubtful_opt_out.decided" | "template.renamed" | "template.deleted" | "campaign.sent" | "campaign.started" | "campaign.unscheduled" | "campaign.changed" | "campaign.archived" | "campaign.unarchived" | "campaign.paused" | "campaign.resumed" | "campaign.canceled" | "campaign.completed" | "campaign.failed" | "campaign.deleted" | "journey.activated" | "journey.paused" | "journey.corrected" | "journey.archived" | "journey.unarchived" | "journey.deleted" | "dead_letters.redriven" | "billing.checkout_started" | "billing.method_connected" | "billing.method_removed" | "invoice.issued" | "invoice.paid" | "invoice.charge_started" | "invoice.charge_failed" | "invoice.failed"; readonly target: string; readonly targetName: string | null; readonly targetExists: boolean | null; readonly appId: string | null; readonly appName: string | null; readonly before?: Readonly<Record<string, unknown>>; readonly after?: Readonly<Record<string, unknown>>; };

export type OrgUsage = { readonly month: string; readonly mau: number; readonly byApp: readonly ({ readonly appId: string | null; readonly name: string | null; readonly deleted: boolean; readonly mau: number; readonly mauByDay: readonly (number | null)[] | null; readonly unvouched: number | null; readonly expired: number | null; })[]; readonly clients: readonly ({ readonly orgId: string; readonly name: string; readonly mau: number; readonly emails: { readonly delivered: number; readonly included: number | null; readonly overage: number; }; })[]; readonly emails: { readonly delivered: number; readonly included: number | null; readonly overage: number; }; };

export type Branding = { readonly productName: string; readonly logoUrl: string | null; readonly accentColor: string | null; readonly hideServiceBranding: boolean; readonly etag: string; readonly inherited: readonly ("productName" | "logoUrl" | "accentColor" | "hideServiceBranding")[]; };

export type ClientWorkspace = { readonly id: string; readonly name: string; readonly etag: string; readonly createdAt: string; readonly usage: { readonly mau: number; readonly emails: { readonly delivered: number; readonly included: number | null; readonly overage: number; }; }; };

export type Member = { readonly id: string; readonly email: string; readonly role: "owner" | "editor" | "viewer"; readonly invited: boolean; readonly etag: string; readonly createdAt: string; };

export type OpenedSession = { readonly signedIn: true; readonly id: string; readonly member?: { readonly id: string; readonly email: string; }; readonly key?: { readonly id: string; readonly name: string; }; readonly org: { readonly id: string; readonly name: string; }; readonly orgs: readonly ({ readonly id: string; readonly name: string; readonly role: "owner" | "editor" | "viewer"; })[]; readonly invitations: readonly ({ readonly id: string; readonly name: string; readonly role: "owner" | "editor" | "viewer"; readonly invitedAt: string; })[]; readonly role: "owner" | "editor" | "viewer" | null; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; readonly apps: readonly ({ readonly id: string; readonly name: string; readonly timezone: string; })[]; readonly mode: "sandbox" | "live"; readonly inboxUrl?: string; readonly version: string; readonly branding: { readonly productName: string; readonly logoUrl: string | null; readonly accentColor: string | null; readonly hideServiceBranding: boolean; }; readonly signedInAt: string; readonly expiresAt: string; };

export type OrgSession = { readonly id: string; readonly member: Member | null; readonly key: { readonly id: string; readonly name: string; } | null; readonly current: boolean; readonly signedInAt: string; readonly lastSeenAt: string; readonly expiresAt: string; };

export type McpMessage = { readonly jsonrpc: "2.0"; readonly id?: string | number; readonly method?: string; readonly params?: Readonly<Record<string, unknown>>; };

export type InvoicePreview = { readonly month: string; readonly prices: string; readonly lines: readonly ({ readonly code: "carried_in" | "mau_free" | "mau" | "mau_volume" | "emails" | "carried_out"; readonly description: string; readonly quantity: number; readonly amountCents: number; })[]; readonly totalCents: number; readonly currency: "USD"; };

export type OrgBilling = { readonly items: readonly (Invoice)[]; readonly nextCursor: string | null; readonly paymentMethod: { readonly brand: string; readonly last4: string; readonly expires: string; } | null; readonly waitingFor: "clock" | null; };

export type Invoice = { readonly id: string; readonly number: string; readonly month: string; readonly prices: string; readonly lines: readonly ({ readonly code: "carried_in" | "mau_free" | "mau" | "mau_volume" | "emails" | "carried_out"; readonly description: string; readonly quantity: number; readonly amountCents: number; })[]; readonly totalCents: number; readonly currency: "USD"; readonly status: "open" | "paid" | "failed" | "void"; readonly issuedAt: string; readonly paidAt: string | null; readonly attempts: readonly ({ readonly attempt: number; readonly at: string; readonly outcome: "pending" | "succeeded" | "failed"; readonly reason?: string; })[]; };

export type Checkout = { readonly url: string; readonly id: string; };

export type WebhookEvent =
  | { readonly id: string; readonly type: "campaign.completed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly campaignId: string; readonly name: string; readonly state: "draft" | "scheduled" | "sending" | "paused" | "completed" | "canceled" | "failed"; readonly stateReason: string | null; readonly audience: number; readonly holdout: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; }; readonly treated: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; } | null; readonly lift: { readonly difference: number; readonly low: number; readonly high: number; readonly relative: number | null; } | null; readonly sent: number; readonly delivered: number; readonly accepted?: number; readonly opened: number; readonly clicked: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly converted: number; readonly unsubscribed: number; readonly complained: number; readonly rates: { readonly of: "sent"; readonly delivered: { readonly share: number; readonly low: number; readonly high: number; }; readonly opened: { readonly share: number; readonly low: number; readonly high: number; }; readonly clicked: { readonly share: number; readonly low: number; readonly high: number; }; readonly converted: { readonly share: number; readonly low: number; readonly high: number; } | null; readonly bounced: { readonly share: number; readonly low: number; readonly high: number; }; readonly failed: { readonly share: number; readonly low: number; readonly high: number; }; readonly unsubscribed: { readonly share: number; readonly low: number; readonly high: number; }; readonly complained: { readonly share: number; readonly low: number; readonly high: number; }; } | null; readonly devices: { readonly sent: number; readonly delivered: number; readonly bounced: number; readonly failed: number; }; readonly byChannel: Readonly<Record<string, { readonly sent: number; readonly delivered: number; readonly bounced: number; readonly failed: number; readonly suppressed: number; }>>; readonly byVariant: Readonly<Record<string, { readonly sent: number; readonly delivered: number; readonly accepted?: number; readonly opened: number; readonly clicked: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly converted: number; readonly unsubscribed: number; readonly complained: number; readonly treated: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; } | null; readonly lift: { readonly difference: number; readonly low: number; readonly high: number; readonly relative: number | null; } | null; }>>; readonly occurrences: readonly ({ readonly number: number; readonly startedAt: string; readonly endedAt: string | null; readonly audience: number; readonly holdout: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; }; readonly treated: { readonly size: number; readonly converted: number | null; readonly conversionRate: number | null; } | null; readonly lift: { readonly difference: number; readonly low: number; readonly high: number; readonly relative: number | null; } | null; readonly nextDay: number; readonly winner: string | null; readonly sent: number; readonly delivered: number; readonly accepted?: number; readonly opened: number; readonly clicked: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly converted: number; readonly unsubscribed: number; readonly complained: number; })[]; readonly fallback: { readonly eligible: number; readonly sent: number; readonly suppressed: number; readonly suppressedBy: Readonly<Record<string, number>>; }; readonly suppressedBy: Readonly<Record<string, number>>; readonly deferredBy: Readonly<Record<string, number>>; readonly progress: { readonly done: number; readonly total: number; readonly ratePerSecond: number; readonly expectedEnd: string | null; readonly waitingFor: { readonly reason: string; readonly text: string; readonly until: string | null; readonly since: string | null; readonly people: number | null; } | null; } | null; readonly occurrence?: number | null; }; }
  | { readonly id: string; readonly type: "campaign.failed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly name: string; readonly reason: string; }; }
  | { readonly id: string; readonly type: "delivery.degraded"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao"; readonly attempts: number; readonly failed: number; readonly since: string; readonly reasons: Readonly<Record<string, number>>; readonly paused?: { readonly name: string; readonly reason: "guard_bounces" | "guard_complaints" | "guard_sender_refused"; readonly text: string; }; }; }
  | { readonly id: string; readonly type: "campaign.chunk_processed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly processed: number; readonly total: number; readonly last?: boolean; readonly occurrence?: number; }; }
  | { readonly id: string; readonly type: "message.delivered"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.bounced"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.suppressed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.deferred"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.failed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.opened"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.clicked"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "message.dismissed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "subscriber.unsubscribed"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly source: string; readonly identityClass: string | null; readonly relay?: string; readonly relayName?: string; }; }
  | { readonly id: string; readonly type: "webhook.test"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
  | { readonly id: string; readonly type: "integration.disabled"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly integration: string; readonly reason: "no_success"; readonly lost: number; readonly failingSince: string; }; }
  | { readonly id: string; readonly type: "message.complained"; readonly subscriberId: string | null; readonly externalUserId: string | null; readonly campaignId: string | null; readonly journeyId: string | null; readonly messageId: string | null; readonly sendId: string | null; readonly deviceId: string | null; readonly channel: "fcm" | "apns" | "webpush" | "email" | "sms" | "voice" | "whatsapp" | "telegram" | "rcs" | "line" | "zalo" | "viber" | "kakao" | null; readonly at: string; readonly seq: number; readonly meta: { readonly reason?: string; readonly detail?: string; readonly attempts?: number; readonly providerMessageId?: string; readonly relay?: string; readonly relayName?: string; readonly journeyId?: string; readonly test?: true; readonly until?: string; readonly url?: string; }; }
;

export interface AppsMethods {
  /** Create an app. `POST /v1/apps` */
  create<const Body extends { readonly name: string; readonly timezone?: string; }>(body: Body, options?: CallOptions): Call<(App) & (Warned)>;
  /** List apps. `GET /v1/apps` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (App)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read an app. `GET /v1/apps/{appId}` */
  read(options?: CallOptions): Call<App>;
  /** Update an app. `PATCH /v1/apps/{appId}` */
  update<const Body extends { readonly name?: string; readonly timezone?: string; }>(body: Body, options?: CallOptions): Call<(App) & (Warned)>;
  /** Delete an app and all its data. `DELETE /v1/apps/{appId}` */
  delete(options?: CallOptions): Call<undefined>;
  /** Follow an app live. `GET /v1/apps/{appId}/live` */
  streamLive(query: { readonly topics: string; readonly seconds?: number | undefined; }, options?: CallOptions): Call<ByteStream>;
  /** Read an app's settings. `GET /v1/apps/{appId}/settings` */
  readSettings(options?: CallOptions): Call<AppSettings>;
  /** Update an app's settings. `PATCH /v1/apps/{appId}/settings` */
  updateSettings<const Body extends { readonly caps?: readonly ({ readonly channel?: Channel; readonly max: number; readonly perHours: number; })[]; readonly quietHours?: { readonly start: string; readonly end: string; readonly timezone?: string; readonly channels?: readonly (Channel)[]; } | null; readonly campaignGuard?: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly softBounces?: { readonly inARow: number; readonly overDays: number; readonly restDays: number; } | null; readonly webhookUrl?: string | null; readonly secret?: string | null; readonly email?: { readonly fromName?: string | null; readonly fromAddress?: string | null; readonly replyTo?: string | null; readonly unsubscribeText?: string | null; }; readonly eventsRetentionDays?: number | null; readonly emailTracking?: boolean; readonly unsubscribe?: "none" | "footer" | "header" | "both" | null; readonly unsubscribeScope?: "all" | "marketing"; readonly doubleOptIn?: boolean; readonly displayName?: readonly (string)[] | null; readonly keywords?: { readonly stop?: readonly (string)[]; readonly start?: readonly (string)[]; } | null; readonly wording?: Readonly<Record<string, { readonly open?: string; readonly unsubscribe?: string; readonly confirmTitle?: string; readonly confirmText?: string; readonly confirmMarketingText?: string; readonly everything?: string; readonly doneTitle?: string; readonly doneText?: string; readonly doneMarketingText?: string; }>> | null; readonly utm?: { readonly source?: string | null; readonly medium?: string | null; readonly campaign?: string | null; readonly term?: string | null; readonly content?: string | null; } | null; readonly refuseDisposableAddresses?: boolean; readonly keylessPeoplePerMinute?: number | null; readonly anonymousExpiryDays?: number | null; readonly identityVerification?: "required" | "first-use" | "open" | null; readonly keylessEvents?: { readonly startJourneys?: boolean; readonly countEngagement?: boolean; readonly registerPaidChannels?: boolean | null; }; readonly textPrices?: { readonly currency: string; readonly perSegment?: number; readonly byCountry?: Readonly<Record<string, number>>; } | null; readonly undoSendSeconds?: number | null; readonly defaultCountry?: string | null; }>(body: Body, options?: CallOptions): Call<(AppSettings) & (Warned)>;
  /** Create an identity secret. `POST /v1/apps/{appId}/identity-secret` */
  createIdentitySecret(query?: { readonly endClientTokens?: "true" | "false" | undefined; }, options?: CallOptions): Call<{ readonly secret: string; }>;
}

export interface AssetsMethods {
  /** Upload an image or a file. `POST /v1/apps/{appId}/assets` */
  upload(bytes: Uploadable, query?: { readonly name?: string | undefined; readonly use?: "attachment" | undefined; }, options?: CallOptions): Call<Asset>;
  /** List images and files. `GET /v1/apps/{appId}/assets` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Asset)[]; readonly nextCursor: string | null; readonly total: number | null; readonly bytes: number; }>;
  /** Delete an image or a file. `DELETE /v1/apps/{appId}/assets/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
}

export interface BillingMethods {
  /** Preview a month's invoice. `GET /v1/org/invoice-preview` */
  readInvoicePreview(query?: { readonly month?: string | undefined; }, options?: CallOptions): Call<InvoicePreview>;
  /** Read billing. `GET /v1/org/billing` */
  read(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<OrgBilling>;
  /** Read an invoice. `GET /v1/org/invoices/{id}` */
  readInvoice(id: string, options?: CallOptions): Call<Invoice>;
  /** Start a checkout. `POST /v1/org/billing/checkout` */
  startCheckout(options?: CallOptions): Call<Checkout>;
}

export interface CampaignsMethods {
  /** Create a campaign. `POST /v1/apps/{appId}/campaigns` */
  create<const Body extends { readonly templateName?: unknown; readonly templateId?: unknown; readonly name?: string | null; readonly messageId: string; readonly segmentId?: string | null; readonly filter?: Filter | null; readonly topic?: string | null; readonly channels?: readonly (Channel)[] | null; readonly fallbackChannels?: readonly (Channel)[] | null; readonly fallbackAfterMinutes?: number | null; readonly schedule?: Schedule | null; readonly timezoneDelivery?: { readonly at: string; } | null; readonly optimalTime?: boolean | null; readonly throttle?: { readonly perMinute: number; } | null; readonly variants?: readonly ({ readonly templateName?: unknown; readonly templateId?: unknown; readonly id?: string | null; readonly key?: string | null; readonly weight: number; readonly messageId: string; })[] | null; readonly experiment?: { readonly sampleShare: number; readonly winnerMetric: "opened" | "clicked" | "converted"; readonly decideAfterMinutes: number; } | null; readonly holdoutShare?: number | null; readonly goal?: { readonly event: string; readonly withinHours: number; } | null; readonly guard?: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly ifLate?: "send" | "skip" | "hold" | null; }>(body: Body, options?: CallOptions): Call<(Campaign) & (Warned)>;
  /** List campaigns. `GET /v1/apps/{appId}/campaigns` */
  list(query?: { readonly state?: "draft" | "scheduled" | "sending" | "paused" | "completed" | "canceled" | "failed" | undefined; readonly archived?: "true" | "false" | "all" | undefined; readonly createdFrom?: string | undefined; readonly createdTo?: string | undefined; readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Campaign)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Duplicate a campaign by id. `POST /v1/campaigns/{id}/duplicate` */
  duplicate<const Body extends { readonly name?: string | null; }>(id: string, body?: Body, options?: CallOptions): Call<(Campaign) & (Warned)>;
  /** Update a campaign. `PATCH /v1/apps/{appId}/campaigns/{id}` */
  update<const Body extends { readonly templateName?: unknown; readonly templateId?: unknown; readonly name?: string | null; readonly messageId?: string; readonly segmentId?: string | null; readonly filter?: Filter | null; readonly topic?: string | null; readonly channels?: readonly (Channel)[] | null; readonly fallbackChannels?: readonly (Channel)[] | null; readonly fallbackAfterMinutes?: number | null; readonly schedule?: Schedule | null; readonly timezoneDelivery?: { readonly at: string; } | null; readonly optimalTime?: boolean | null; readonly throttle?: { readonly perMinute: number; } | null; readonly variants?: readonly ({ readonly templateName?: unknown; readonly templateId?: unknown; readonly id?: string | null; readonly key?: string | null; readonly weight: number; readonly messageId: string; })[] | null; readonly experiment?: { readonly sampleShare: number; readonly winnerMetric: "opened" | "clicked" | "converted"; readonly decideAfterMinutes: number; } | null; readonly holdoutShare?: number | null; readonly goal?: { readonly event: string; readonly withinHours: number; } | null; readonly guard?: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly ifLate?: "send" | "skip" | "hold" | null; }>(id: string, body: Body, options?: CallOptions): Call<(Campaign) & (Warned)>;
  /** Delete a campaign. `DELETE /v1/apps/{appId}/campaigns/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
  /** Read a campaign by id. `GET /v1/campaigns/{id}` */
  read(id: string, options?: CallOptions): Call<Campaign>;
  /** Send a campaign by id. `POST /v1/campaigns/{id}/send` */
  send<const Body extends { readonly dryRunId?: string; readonly confirmWarnings?: boolean | null; readonly delaySeconds?: number; readonly tolerance?: number; }>(id: string, body?: Body, options?: CallOptions): Call<(Campaign) & (Warned)>;
  /** Pause a campaign by id. `POST /v1/campaigns/{id}/pause` */
  pause(id: string, options?: CallOptions): Call<Campaign>;
  /** Resume a campaign by id. `POST /v1/campaigns/{id}/resume` */
  resume(id: string, options?: CallOptions): Call<Campaign>;
  /** Cancel a campaign by id. `POST /v1/campaigns/{id}/cancel` */
  cancel(id: string, options?: CallOptions): Call<Campaign>;
  /** Read a campaign's link clicks. `GET /v1/apps/{appId}/campaigns/{id}/links` */
  readLinks(id: string, options?: CallOptions): Call<CampaignLinks>;
  /** List the recipients of a campaign. `GET /v1/apps/{appId}/campaigns/{id}/recipients` */
  listRecipients(id: string, query?: { readonly outcome?: "pending" | "delivered" | "bounced" | "failed" | "suppressed" | "opened" | "clicked" | "converted" | "unsubscribed" | "complained" | "holdout" | undefined; readonly variant?: string | undefined; readonly occurrence?: number | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (CampaignRecipient)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** List the recipients of a campaign. `GET /v1/apps/{appId}/campaigns/{id}/recipients` */
  exportRecipients(id: string, query?: { readonly outcome?: "pending" | "delivered" | "bounced" | "failed" | "suppressed" | "opened" | "clicked" | "converted" | "unsubscribed" | "complained" | "holdout" | undefined; readonly variant?: string | undefined; readonly occurrence?: number | undefined; }, options?: CallOptions): Call<ByteStream>;
  /** Archive a campaign by id. `POST /v1/campaigns/{id}/archive` */
  archive(id: string, options?: CallOptions): Call<Campaign>;
  /** Unarchive a campaign by id. `POST /v1/campaigns/{id}/unarchive` */
  unarchive(id: string, options?: CallOptions): Call<Campaign>;
  /** Unschedule a campaign by id. `POST /v1/campaigns/{id}/unschedule` */
  unschedule(id: string, options?: CallOptions): Call<Campaign>;
  /** Read a campaign's stats. `GET /v1/apps/{appId}/campaigns/{id}/stats` */
  readStats(id: string, options?: CallOptions): Call<CampaignStats>;
  /** Read a campaign's events over time. `GET /v1/apps/{appId}/campaigns/{id}/series` */
  readSeries(id: string, query?: { readonly interval?: "minute" | "hour" | "day" | undefined; readonly from?: string | undefined; readonly to?: string | undefined; }, options?: CallOptions): Call<CampaignSeries>;
  /** Compare campaigns. `GET /v1/campaigns/stats` */
  compare(query: { readonly ids: string; }, options?: CallOptions): Call<{ readonly items: readonly (CampaignStats)[]; readonly best: { readonly delivered: string | null; readonly opened: string | null; readonly clicked: string | null; readonly converted: string | null; readonly bounced: string | null; readonly failed: string | null; readonly unsubscribed: string | null; readonly complained: string | null; readonly lift: string | null; }; }>;
  /** Export campaigns. `GET /v1/campaigns/export` */
  export(query?: { readonly appId?: string | undefined; }, options?: CallOptions): Call<ByteStream>;
  /** Preview a campaign. `POST /v1/apps/{appId}/campaigns/{id}/preview` */
  preview<const Body extends { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly person?: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>> | null; readonly timezone?: string | null; readonly externalUserId?: string | null; } | null; readonly channel?: Channel | null; readonly channels?: readonly (Channel)[] | null; readonly language?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; readonly variant?: string | null; readonly checks?: boolean; readonly occurrence?: number | null; }>(id: string, body: Body, options?: CallOptions): Call<(CampaignPreview) & (Warned)>;
  /** Dry run a campaign by id. `POST /v1/campaigns/{id}/dry-run` */
  dryRun(id: string, options?: CallOptions): Call<DryRun>;
  /** List the people of a dry run by id. `GET /v1/campaigns/{id}/dry-run/{dryRunId}` */
  readDryRun(id: string, dryRunId: string, query?: { readonly verdict?: "send" | "defer" | "suppress" | "holdout" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (DryRunPerson)[]; readonly nextCursor: string | null; }>;
  /** List the people of a dry run by id. `GET /v1/campaigns/{id}/dry-run/{dryRunId}` */
  exportDryRun(id: string, dryRunId: string, query?: { readonly verdict?: "send" | "defer" | "suppress" | "holdout" | undefined; }, options?: CallOptions): Call<ByteStream>;
  /** Read the cost of texts. `GET /v1/apps/{appId}/campaigns/{id}/dry-run/{dryRunId}/cost` */
  readCost(id: string, dryRunId: string, options?: CallOptions): Call<CampaignCost>;
}

export interface ClientsMethods {
  /** Create a client workspace. `POST /v1/org/clients` */
  create<const Body extends { readonly name: string; readonly idempotencyKey?: string | null; }>(body: Body, options?: CallOptions): Call<({ readonly org: Org; readonly apiKey: { readonly id: string; readonly key: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; }; }) & (Warned)>;
  /** List client workspaces. `GET /v1/org/clients` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (ClientWorkspace)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Delete a client workspace. `DELETE /v1/org/clients/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
}

export interface CredentialsMethods {
  /** Upload a channel credential. `POST /v1/apps/{appId}/credentials/{channel}` */
  save<const Body extends CredentialUpload>(channel: string, body: Body, options?: CallOptions): Call<(StoredCredential) & (Warned)>;
  /** Delete a credential. `DELETE /v1/apps/{appId}/credentials/{channel}` */
  delete(channel: string, options?: CallOptions): Call<undefined>;
  /** List channels. `GET /v1/apps/{appId}/channels` */
  listChannels(options?: CallOptions): Call<{ readonly items: readonly (ChannelState)[]; }>;
  /** List credentials. `GET /v1/apps/{appId}/credentials` */
  list(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Credential)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Check a credential. `POST /v1/apps/{appId}/credentials/{channel}/check` */
  check(channel: string, options?: CallOptions): Call<CredentialCheck>;
}

export interface EmailDomainsMethods {
  /** Add a sender domain. `POST /v1/apps/{appId}/email-domains` */
  add<const Body extends { readonly domain: string; }>(body: Body, options?: CallOptions): Call<(EmailDomain) & (Warned)>;
  /** List sender domains. `GET /v1/apps/{appId}/email-domains` */
  list(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (EmailDomain)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a sender domain. `GET /v1/apps/{appId}/email-domains/{domain}` */
  read(domain: string, options?: CallOptions): Call<EmailDomain>;
  /** Delete a sender domain. `DELETE /v1/apps/{appId}/email-domains/{domain}` */
  delete(domain: string, options?: CallOptions): Call<undefined>;
  /** Verify a sender domain. `POST /v1/apps/{appId}/email-domains/{domain}/verify` */
  verify(domain: string, options?: CallOptions): Call<EmailDomain>;
  /** Read DMARC reports. `GET /v1/apps/{appId}/email-domains/{domain}/dmarc-reports` */
  readDmarcReports(domain: string, query?: { readonly days?: number | undefined; }, options?: CallOptions): Call<{ readonly total: { readonly messages: number; readonly passed: number; readonly quarantined: number; readonly rejected: number; }; readonly days: readonly ({ readonly date: string; readonly messages: number; readonly passed: number; readonly quarantined: number; readonly rejected: number; })[]; readonly reporters: readonly ({ readonly org: string | null; readonly reports: number; readonly messages: number; })[]; readonly sources: readonly ({ readonly ip: string | null; readonly headerFrom: string | null; readonly messages: number; readonly spf: "pass" | "fail" | "none"; readonly spfAligned: boolean; readonly dkim: "pass" | "fail" | "none"; readonly dkimAligned: boolean; readonly disposition: "none" | "quarantine" | "reject"; })[]; }>;
  /** Read the warm-up of a sender domain. `GET /v1/apps/{appId}/email-domains/{domain}/warm-up` */
  readWarmUp(domain: string, options?: CallOptions): Call<WarmUp>;
  /** Warm up a sender domain. `PUT /v1/apps/{appId}/email-domains/{domain}/warm-up` */
  warmUp<const Body extends { readonly startsAt?: string; readonly days?: readonly ({ readonly max: number; readonly perProvider?: Readonly<Record<string, number>>; })[]; readonly held?: boolean; }>(domain: string, body: Body, options?: CallOptions): Call<(WarmUp) & (Warned)>;
  /** End the warm-up of a domain. `DELETE /v1/apps/{appId}/email-domains/{domain}/warm-up` */
  deleteWarmUp(domain: string, options?: CallOptions): Call<undefined>;
}

export interface EventsMethods {
  /** Track events. `POST /e` */
  track<const Body extends EventBatch>(body: Body, options?: CallOptions): Call<({ readonly accepted: number; readonly rejected: number; readonly errors: readonly ({ readonly index: number; readonly error: string; })[]; }) & (Warned)>;
  /** List events. `GET /v1/apps/{appId}/events` */
  list(query?: { readonly subscriberId?: string | undefined; readonly name?: string | undefined; readonly campaignId?: string | undefined; readonly journeyId?: string | undefined; readonly sendId?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Event)[]; readonly nextCursor: string | null; }>;
  /** List event names. `GET /v1/apps/{appId}/event-names` */
  listNames(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (UsedEventName)[]; readonly nextCursor: string | null; }>;
  /** Delete an event name. `DELETE /v1/apps/{appId}/event-names/{name}` */
  deleteName(name: string, options?: CallOptions): Call<undefined>;
}

export interface FlagsMethods {
  /** Create a feature flag. `POST /v1/apps/{appId}/flags` */
  create<const Body extends { readonly key: string; readonly enabled?: boolean; readonly filter?: Filter | null; readonly rolloutPercent?: number; readonly variants?: readonly ({ readonly key: string; readonly weight: number; })[] | null; }>(body: Body, options?: CallOptions): Call<(Flag) & (Warned)>;
  /** List feature flags. `GET /v1/apps/{appId}/flags` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Flag)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a feature flag. `GET /v1/apps/{appId}/flags/{key}` */
  read(key: string, options?: CallOptions): Call<Flag>;
  /** Update a feature flag. `PATCH /v1/apps/{appId}/flags/{key}` */
  update<const Body extends { readonly key?: string; readonly enabled?: boolean; readonly filter?: Filter | null; readonly rolloutPercent?: number; readonly variants?: readonly ({ readonly key: string; readonly weight: number; })[] | null; }>(key: string, body: Body, options?: CallOptions): Call<(Flag) & (Warned)>;
  /** Delete a feature flag. `DELETE /v1/apps/{appId}/flags/{key}` */
  delete(key: string, options?: CallOptions): Call<undefined>;
  /** Explain a feature flag. `GET /v1/apps/{appId}/flags/{key}/evaluate` */
  evaluate(key: string, query: { readonly subscriberId: string; }, options?: CallOptions): Call<{ readonly enabled: boolean; readonly variant?: string; readonly reason: "off" | "filter" | "rollout" | "on"; readonly conditions: readonly ({ readonly path: string; readonly condition: Readonly<Record<string, unknown>>; readonly holds: boolean; })[]; readonly place: number; readonly rolloutPercent: number; }>;
}

export interface FormsMethods {
  /** Create a form. `POST /v1/apps/{appId}/forms` */
  create<const Body extends { readonly key: string; readonly name: string; readonly consent: string; readonly fields?: readonly ({ readonly tag: string; readonly label: string; readonly type: "text" | "checkbox"; readonly required?: boolean; })[]; readonly topics?: readonly (string)[]; readonly redirectUrl?: string | null; readonly archived?: boolean; }>(body: Body, options?: CallOptions): Call<(Form) & (Warned)>;
  /** List forms. `GET /v1/apps/{appId}/forms` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Form)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a form. `GET /v1/apps/{appId}/forms/{key}` */
  read(key: string, options?: CallOptions): Call<Form>;
  /** Update a form. `PATCH /v1/apps/{appId}/forms/{key}` */
  update<const Body extends { readonly key?: string; readonly name?: string; readonly consent?: string; readonly fields?: readonly ({ readonly tag: string; readonly label: string; readonly type: "text" | "checkbox"; readonly required?: boolean; })[]; readonly topics?: readonly (string)[]; readonly redirectUrl?: string | null; readonly archived?: boolean; }>(key: string, body: Body, options?: CallOptions): Call<(Form) & (Warned)>;
  /** Delete a form. `DELETE /v1/apps/{appId}/forms/{key}` */
  delete(key: string, options?: CallOptions): Call<undefined>;
}

export interface InAppMessagesMethods {
  /** Create an in-app message. `POST /v1/apps/{appId}/in-app-messages` */
  create<const Body extends { readonly messageId?: string | null; readonly templateName?: string | null; readonly templateId?: string | null; readonly display?: InAppDisplay | null; readonly filter?: Filter | null; readonly startAt?: string | null; readonly endAt?: string | null; readonly priority?: number; readonly inbox?: boolean; readonly show?: "popup" | "inbox" | "both"; }>(body: Body, options?: CallOptions): Call<(InAppMessage) & (Warned)>;
  /** List in-app messages. `GET /v1/apps/{appId}/in-app-messages` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (InAppMessage)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read an in-app message. `GET /v1/apps/{appId}/in-app-messages/{id}` */
  read(id: string, options?: CallOptions): Call<InAppMessage>;
  /** Update an in-app message. `PATCH /v1/apps/{appId}/in-app-messages/{id}` */
  update<const Body extends { readonly messageId?: string; readonly display?: InAppDisplay | null; readonly filter?: Filter | null; readonly startAt?: string | null; readonly endAt?: string | null; readonly priority?: number; readonly inbox?: boolean; readonly show?: "popup" | "inbox" | "both"; }>(id: string, body: Body, options?: CallOptions): Call<(InAppMessage) & (Warned)>;
  /** Delete an in-app message. `DELETE /v1/apps/{appId}/in-app-messages/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
}

export interface InsightsMethods {
  /** Read event trends. `GET /v1/insights/event-trends` */
  readEventTrends(query?: { readonly appId?: string | undefined; readonly events?: string | undefined; readonly origin?: "app" | "engage" | undefined; readonly days?: number | undefined; readonly interval?: "hour" | "day" | "week" | undefined; }, options?: CallOptions): Call<{ readonly interval: "hour" | "day" | "week"; readonly buckets: readonly ({ readonly at: string; readonly counts: Readonly<Record<string, number>>; })[]; }>;
  /** Read the engagement heatmap. `GET /v1/insights/engagement-heatmap` */
  readEngagementHeatmap(query?: { readonly appId?: string | undefined; readonly days?: number | undefined; }, options?: CallOptions): Call<{ readonly cells: readonly ({ readonly weekday: number; readonly hour: number; readonly delivered: number; readonly opened: number; readonly clicked: number; })[]; }>;
  /** Read channel health. `GET /v1/insights/channel-health` */
  readChannelHealth(query?: { readonly appId?: string | undefined; readonly days?: number | undefined; }, options?: CallOptions): Call<{ readonly channels: Readonly<Record<string, { readonly delivered: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly bounceRate: number; }>>; }>;
  /** Read mailbox providers. `GET /v1/insights/mailbox-providers` */
  readMailboxProviders(query?: { readonly appId?: string | undefined; readonly days?: number | undefined; readonly domain?: string | undefined; readonly relay?: string | undefined; }, options?: CallOptions): Call<{ readonly dates: readonly (string)[]; readonly providers: readonly ({ readonly provider: "gmail" | "microsoft" | "yahoo" | "apple" | "proton" | "zoho" | "qq" | "netease" | "naver" | "others"; readonly total: { readonly sent: number; readonly delivered: number; readonly deferred: number; readonly bouncedHard: number; readonly bouncedSoft: number; readonly complained: number; readonly openedByPeople: number; readonly openedByMachines: number; readonly clicked: number; readonly clickedByMachines: number; }; readonly daily: Readonly<Record<string, readonly (number)[]>>; readonly reasons: readonly ({ readonly figure: "deferred" | "bouncedHard" | "bouncedSoft"; readonly reason: string; readonly detail: string | null; readonly count: number; readonly lastAt: string; })[]; })[]; readonly domains: readonly ({ readonly domain: string | null; readonly total: { readonly sent: number; readonly delivered: number; readonly deferred: number; readonly bouncedHard: number; readonly bouncedSoft: number; readonly complained: number; readonly openedByPeople: number; readonly openedByMachines: number; readonly clicked: number; readonly clickedByMachines: number; }; readonly daily: Readonly<Record<string, readonly (number)[]>>; })[]; readonly relays: readonly ({ readonly relay: string | null; readonly total: { readonly sent: number; readonly delivered: number; readonly deferred: number; readonly bouncedHard: number; readonly bouncedSoft: number; readonly complained: number; readonly openedByPeople: number; readonly openedByMachines: number; readonly clicked: number; readonly clickedByMachines: number; }; readonly daily: Readonly<Record<string, readonly (number)[]>>; })[]; }>;
  /** Read delivery failures. `GET /v1/insights/delivery-failures` */
  readDeliveryFailures(query?: { readonly appId?: string | undefined; readonly days?: number | undefined; readonly limit?: number | undefined; }, options?: CallOptions): Call<{ readonly items: readonly ({ readonly reason: string; readonly lane: "transactional" | "campaign" | "journey"; readonly channel: string; readonly count: number; readonly recovered: number; readonly lastAt: string; })[]; }>;
  /** Read subscriber growth. `GET /v1/insights/subscriber-growth` */
  readSubscriberGrowth(query?: { readonly appId?: string | undefined; readonly days?: number | undefined; readonly interval?: "hour" | "day" | "week" | undefined; }, options?: CallOptions): Call<{ readonly buckets: readonly ({ readonly at: string; readonly new: number; readonly total: number; })[]; }>;
  /** Read a funnel. `POST /v1/insights/funnel` */
  readFunnel<const Body extends { readonly appId?: string; readonly steps: readonly ({ readonly event: string; })[]; readonly days?: number; readonly withinHours?: number; readonly filter?: Filter; }>(body: Body, options?: CallOptions): Call<({ readonly steps: readonly ({ readonly event: string; readonly count: number; readonly conversionFromPrevious: number | null; readonly conversionFromFirst: number | null; readonly medianSecondsFromPrevious: number | null; })[]; }) & (Warned)>;
  /** Read retention by cohort. `GET /v1/insights/retention` */
  readRetention(query?: { readonly appId?: string | undefined; readonly event?: string | undefined; readonly interval?: "day" | "week" | "month" | undefined; readonly periods?: number | undefined; }, options?: CallOptions): Call<{ readonly interval: "day" | "week" | "month"; readonly cohorts: readonly ({ readonly at: string; readonly people: number; readonly periods: readonly ({ readonly at: string; readonly active: number; readonly share: number | null; })[]; })[]; }>;
  /** Read RFM scores. `GET /v1/insights/rfm` */
  readRfm(query?: { readonly appId?: string | undefined; readonly days?: number | undefined; readonly event?: string | undefined; readonly valueProp?: string | undefined; }, options?: CallOptions): Call<{ readonly people: number; readonly edges: { readonly recency: readonly (string)[]; readonly frequency: readonly (number)[]; }; readonly cells: readonly ({ readonly recency: number; readonly frequency: number; readonly people: number; readonly value?: number; })[]; }>;
}

export interface IntegrationsMethods {
  /** List available integrations. `GET /v1/integrations` */
  listCatalog(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (IntegrationType)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** List integrations. `GET /v1/apps/{appId}/integrations` */
  list(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Destination | Integration)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Connect a customer data platform. `PUT /v1/apps/{appId}/integrations/cdp` */
  putCdp<const Body extends { readonly devicesFromTraits?: boolean; readonly consent?: "confirmed" | "doubleOptIn"; }>(body?: Body, options?: CallOptions): Call<({ readonly type: "cdp"; readonly enabled: boolean; readonly devicesFromTraits: boolean; readonly consent: "confirmed" | "doubleOptIn"; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly writeKey: string; readonly path: string; }) & (Warned)>;
  /** Update the customer data platform. `PATCH /v1/apps/{appId}/integrations/cdp` */
  updateCdp<const Body extends { readonly devicesFromTraits?: boolean; readonly consent?: "confirmed" | "doubleOptIn"; }>(body: Body, options?: CallOptions): Call<(Integration) & (Warned)>;
  /** Disconnect the customer data platform. `DELETE /v1/apps/{appId}/integrations/cdp` */
  deleteCdp(options?: CallOptions): Call<undefined>;
  /** Create a write key. `POST /v1/apps/{appId}/write-key` */
  createWriteKey(options?: CallOptions): Call<{ readonly writeKey: string; }>;
  /** Connect a chat workspace. `PUT /v1/apps/{appId}/integrations/slack` */
  putSlack<const Body extends ChatWorkspaceConfiguration>(body: Body, options?: CallOptions): Call<(Destination) & (Warned)>;
  /** Connect a webhook. `PUT /v1/apps/{appId}/integrations/{type}` */
  putWebhook<const Body extends WebhookConfiguration>(type: string, body: Body, options?: CallOptions): Call<(SavedDestination) & (Warned)>;
  /** Read an integration. `GET /v1/apps/{appId}/integrations/{type}` */
  read(type: string, options?: CallOptions): Call<Destination | Integration>;
  /** Disconnect an integration. `DELETE /v1/apps/{appId}/integrations/{type}` */
  delete(type: string, options?: CallOptions): Call<undefined>;
  /** Rotate a webhook's secret. `POST /v1/apps/{appId}/integrations/{type}/rotate-secret` */
  rotateWebhookSecret(type: string, options?: CallOptions): Call<{ readonly secret: string; }>;
  /** Test an integration. `POST /v1/apps/{appId}/integrations/{type}/test` */
  test(type: string, options?: CallOptions): Call<WebhookDelivery>;
  /** List webhook deliveries. `GET /v1/apps/{appId}/webhook-deliveries` */
  listWebhookDeliveries(query?: { readonly status?: "pending" | "retrying" | "delivered" | "stopped" | "dead" | undefined; readonly event?: "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "webhook.test" | "integration.disabled" | "message.complained" | undefined; readonly type?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (WebhookDelivery)[]; readonly nextCursor: string | null; }>;
  /** Read a webhook delivery. `GET /v1/apps/{appId}/webhook-deliveries/{deliveryId}` */
  readWebhookDelivery(deliveryId: string, options?: CallOptions): Call<WebhookDeliveryDetail>;
  /** Retry a webhook delivery. `POST /v1/apps/{appId}/webhook-deliveries/{deliveryId}/retry` */
  retryWebhookDelivery(deliveryId: string, options?: CallOptions): Call<{ readonly id: string; }>;
  /** Retry many webhook deliveries. `POST /v1/apps/{appId}/webhook-deliveries/retry` */
  retryWebhookDeliveries<const Body extends { readonly status: "dead" | "stopped"; readonly event?: "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "webhook.test" | "integration.disabled" | "message.complained"; readonly type?: string; readonly from?: string; readonly to?: string; }>(body: Body, options?: CallOptions): Call<({ readonly retried: number; }) & (Warned)>;
}

export interface JourneysMethods {
  /** Create a journey. `POST /v1/apps/{appId}/journeys` */
  create<const Body extends { readonly name: string; readonly triggerEvent?: string | null; readonly triggerSegmentId?: string | null; readonly reentry?: "once" | "always" | null; readonly steps: readonly (JourneyStep)[]; readonly active?: false | null; }>(body: Body, options?: CallOptions): Call<(Journey) & (Warned)>;
  /** List journeys. `GET /v1/apps/{appId}/journeys` */
  list(query?: { readonly active?: "true" | "false" | undefined; readonly archived?: "true" | "false" | "all" | undefined; readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Journey)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Duplicate a journey. `POST /v1/apps/{appId}/journeys/{id}/duplicate` */
  duplicate<const Body extends { readonly name?: string | null; }>(id: string, body?: Body, options?: CallOptions): Call<(Journey) & (Warned)>;
  /** Read a journey. `GET /v1/apps/{appId}/journeys/{id}` */
  read(id: string, options?: CallOptions): Call<Journey>;
  /** Update, activate or pause a journey. `PATCH /v1/apps/{appId}/journeys/{id}` */
  update<const Body extends { readonly name?: string; readonly triggerEvent?: string | null; readonly triggerSegmentId?: string | null; readonly reentry?: "once" | "always" | null; readonly steps?: readonly (JourneyStep)[]; readonly active?: boolean | null; readonly confirmWarnings?: boolean | null; readonly enrollExisting?: boolean | null; readonly replaces?: string | null; }>(id: string, body: Body, options?: CallOptions): Call<(Journey) & (Warned)>;
  /** Delete a journey. `DELETE /v1/apps/{appId}/journeys/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
  /** Archive a journey. `POST /v1/apps/{appId}/journeys/{id}/archive` */
  archive(id: string, options?: CallOptions): Call<Journey>;
  /** Unarchive a journey. `POST /v1/apps/{appId}/journeys/{id}/unarchive` */
  unarchive(id: string, options?: CallOptions): Call<Journey>;
  /** Correct a journey step's message. `PATCH /v1/apps/{appId}/journeys/{id}/steps/{stepId}` */
  correctStep<const Body extends { readonly messageId?: string | null; readonly message?: Readonly<Record<string, unknown>> | null; }>(id: string, stepId: string, body: Body, options?: CallOptions): Call<(Journey) & (Warned)>;
  /** Read a journey's stats. `GET /v1/apps/{appId}/journeys/{id}/stats` */
  readStats(id: string, options?: CallOptions): Call<JourneyStats>;
  /** List the people in a journey. `GET /v1/apps/{appId}/journeys/{id}/people` */
  listPeople(id: string, query?: { readonly step?: string | undefined; readonly state?: "waiting" | "leaving" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (JourneyPerson)[]; readonly nextCursor: string | null; }>;
  /** List the people in a journey. `GET /v1/apps/{appId}/journeys/{id}/people` */
  exportPeople(id: string, query?: { readonly step?: string | undefined; readonly state?: "waiting" | "leaving" | undefined; }, options?: CallOptions): Call<ByteStream>;
  /** Simulate a journey. `POST /v1/apps/{appId}/journeys/{id}/simulate` */
  simulate<const Body extends { readonly subscriberId?: string | null; readonly events?: readonly ({ readonly name: string; readonly afterMinutes: number; })[] | null; readonly fromTime?: string | null; }>(id: string, body?: Body, options?: CallOptions): Call<({ readonly outcome: "completed" | "converted" | "waits"; readonly steps: readonly ({ readonly at: string; readonly what: "enrolled" | "entered" | "event" | "branched" | "waits" | "sent" | "held" | "suppressed" | "timed_out" | "completed" | "converted"; readonly step?: string; readonly until?: string; readonly reason?: string; readonly branch?: "then" | "else"; readonly event?: string; })[]; }) & (Warned)>;
  /** Simulate an unsaved journey. `POST /v1/apps/{appId}/journeys/simulate` */
  simulateUnsaved<const Body extends { readonly name?: string; readonly triggerEvent?: string | null; readonly triggerSegmentId?: string | null; readonly reentry?: "once" | "always" | null; readonly steps: readonly (JourneyStep)[]; readonly active?: false | null; readonly subscriberId?: string | null; readonly events?: readonly ({ readonly name: string; readonly afterMinutes: number; })[] | null; readonly fromTime?: string | null; }>(body: Body, options?: CallOptions): Call<({ readonly outcome: "completed" | "converted" | "waits"; readonly steps: readonly ({ readonly at: string; readonly what: "enrolled" | "entered" | "event" | "branched" | "waits" | "sent" | "held" | "suppressed" | "timed_out" | "completed" | "converted"; readonly step?: string; readonly until?: string; readonly reason?: string; readonly branch?: "then" | "else"; readonly event?: string; })[]; }) & (Warned)>;
  /** Forecast a journey from past events. `POST /v1/apps/{appId}/journeys/{id}/forecast` */
  forecast<const Body extends { readonly days: number; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly days: number; readonly enrolled: number; readonly sends: { readonly total: number; readonly byDay: readonly ({ readonly day: string; readonly sends: number; })[]; }; readonly bySteps: Readonly<Record<string, { readonly entered: number; readonly sent: number; readonly enteredByDay: readonly (number)[]; readonly sentByDay: readonly (number)[]; }>>; readonly converted: number; readonly completed: number; readonly exited: number; readonly inFlow: number; readonly note: string; }) & (Warned)>;
}

export interface KeysMethods {
  /** Create an API key. `POST /v1/keys` */
  create<const Body extends { readonly name: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; readonly appId?: string | null; }>(body: Body, options?: CallOptions): Call<({ readonly id: string; readonly name: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; readonly appId: string | null; readonly etag: string; readonly createdAt: string; readonly key: string; }) & (Warned)>;
  /** List API keys. `GET /v1/keys` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (ApiKey)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Delete an API key. `DELETE /v1/keys/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
}

export interface LiveActivitiesMethods {
  /** List Live Activities. `GET /v1/apps/{appId}/live-activities` */
  list(query?: { readonly state?: "active" | "ended" | "closed" | undefined; readonly subscriberId?: string | undefined; readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (LiveActivity)[]; readonly nextCursor: string | null; }>;
  /** Update a Live Activity. `POST /v1/apps/{appId}/live-activities/{id}/update` */
  update<const Body extends { readonly contentState: Readonly<Record<string, unknown>>; readonly alert?: { readonly title: string; readonly body: string; } | null; readonly idempotencyKey?: string | null; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly id: string; }) & (Warned)>;
  /** End a Live Activity. `POST /v1/apps/{appId}/live-activities/{id}/end` */
  end<const Body extends { readonly contentState: Readonly<Record<string, unknown>>; readonly idempotencyKey?: string | null; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly id: string; }) & (Warned)>;
}

export interface MessageTemplatesMethods {
  /** Create a message template. `POST /v1/apps/{appId}/message-templates` */
  create<const Body extends { readonly name: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; readonly design?: Readonly<Record<string, unknown>>; }>(body: Body, options?: CallOptions): Call<(MessageTemplate) & (Warned)>;
  /** List message templates. `GET /v1/apps/{appId}/message-templates` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (MessageTemplate)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a message template. `GET /v1/apps/{appId}/message-templates/{idOrName}` */
  read(idOrName: string, options?: CallOptions): Call<MessageTemplate>;
  /** Update a message template. `PATCH /v1/apps/{appId}/message-templates/{idOrName}` */
  update<const Body extends { readonly name?: string; readonly title?: string | null; readonly body?: string | null; readonly image?: string | null; readonly deepLink?: string | null; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[] | null; readonly data?: Readonly<Record<string, string | number | boolean>> | null; readonly payload?: Readonly<Record<string, unknown>> | null; readonly badgeCount?: number | null; readonly sound?: string | null; readonly ttlSeconds?: number | null; readonly collapseKey?: string | null; readonly androidChannelId?: string | null; readonly priority?: "normal" | "high" | null; readonly unsubscribe?: "none" | "footer" | "header" | "both" | null; readonly utm?: boolean | null; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>> | null; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; } | null; readonly design?: Readonly<Record<string, unknown>> | null; }>(idOrName: string, body: Body, options?: CallOptions): Call<(MessageTemplate) & (Warned)>;
  /** Delete a message template. `DELETE /v1/apps/{appId}/message-templates/{idOrName}` */
  delete(idOrName: string, options?: CallOptions): Call<undefined>;
}

export interface MessagesMethods {
  /** Create a message. `POST /v1/apps/{appId}/messages` */
  create<const Body extends { readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly templateName?: string | null; readonly templateId?: string | null; }>(body: Body, options?: CallOptions): Call<({ readonly id: string; readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly messageId: string; }) & (Warned)>;
  /** List messages. `GET /v1/apps/{appId}/messages` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Message)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Duplicate a message. `POST /v1/apps/{appId}/messages/{id}/duplicate` */
  duplicate<const Body extends { readonly name?: string | null; }>(id: string, body?: Body, options?: CallOptions): Call<(Message) & (Warned)>;
  /** Read a message. `GET /v1/apps/{appId}/messages/{id}` */
  read(id: string, options?: CallOptions): Call<Message>;
  /** Update a message. `PATCH /v1/apps/{appId}/messages/{id}` */
  update<const Body extends { readonly name?: string | null; readonly title?: string | null; readonly body?: string | null; readonly image?: string | null; readonly deepLink?: string | null; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[] | null; readonly data?: Readonly<Record<string, string | number | boolean>> | null; readonly payload?: Readonly<Record<string, unknown>> | null; readonly badgeCount?: number | null; readonly sound?: string | null; readonly ttlSeconds?: number | null; readonly collapseKey?: string | null; readonly androidChannelId?: string | null; readonly priority?: "normal" | "high" | null; readonly unsubscribe?: "none" | "footer" | "header" | "both" | null; readonly utm?: boolean | null; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>> | null; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; } | null; readonly design?: Readonly<Record<string, unknown>> | null; readonly writtenFor?: readonly (Channel)[] | null; readonly templateName?: unknown; readonly templateId?: unknown; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly id: string; readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly inUse: readonly ({ readonly type: "campaign" | "journey"; readonly id: string; readonly name: string; readonly state: string; readonly copied: boolean; })[]; readonly inUseTotal: number; }) & (Warned)>;
  /** Delete a message. `DELETE /v1/apps/{appId}/messages/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
  /** List the uses of a message. `GET /v1/apps/{appId}/messages/{id}/uses` */
  listUses(id: string, options?: CallOptions): Call<MessageUses>;
  /** Preview a message. `POST /v1/apps/{appId}/messages/{id}/preview` */
  preview<const Body extends { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly person?: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>> | null; readonly timezone?: string | null; readonly externalUserId?: string | null; } | null; readonly channel?: Channel | null; readonly channels?: readonly (Channel)[] | null; readonly language?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly items: readonly ({ readonly channel: Channel; readonly language: string | null; readonly deviceId: string | null; readonly content?: { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; }; readonly payload?: Readonly<Record<string, unknown>>; readonly mailPath?: string; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly error?: { readonly field?: string; readonly error: string; }; })[]; readonly issues: readonly ({ readonly level: "error" | "warning"; readonly field: string; readonly line?: number; readonly column?: number; readonly error: string; })[]; readonly usesVariables: readonly (string)[]; }) & (Warned)>;
  /** Preview an unsaved message. `POST /v1/apps/{appId}/messages/preview` */
  previewDraft<const Body extends { readonly message: { readonly name?: string | null; readonly design?: Readonly<Record<string, unknown>> | null; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; }; readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly person?: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>> | null; readonly timezone?: string | null; readonly externalUserId?: string | null; } | null; readonly channel?: Channel | null; readonly channels?: readonly (Channel)[] | null; readonly language?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; }>(body: Body, options?: CallOptions): Call<({ readonly items: readonly ({ readonly channel: Channel; readonly language: string | null; readonly deviceId: string | null; readonly content?: { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; }; readonly payload?: Readonly<Record<string, unknown>>; readonly mailPath?: string; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly error?: { readonly field?: string; readonly error: string; }; })[]; readonly issues: readonly ({ readonly level: "error" | "warning"; readonly field: string; readonly line?: number; readonly column?: number; readonly error: string; })[]; readonly usesVariables: readonly (string)[]; }) & (Warned)>;
  /** Send a test message. `POST /v1/apps/{appId}/messages/{id}/test` */
  test<const Body extends { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly channels?: readonly (Channel)[] | null; readonly idempotencyKey?: string | null; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly id: string; readonly status: "pending"; }) & (Warned)>;
}

export interface NotificationsMethods {
  /** Send a message. `POST /v1/apps/{appId}/notifications` */
  send<const Body extends Notification>(body: Body, options?: CallOptions): Call<({ readonly id: string; readonly status: "pending"; }) & (Warned)>;
  /** List sends. `GET /v1/apps/{appId}/notifications` */
  list(query?: { readonly status?: "delivered" | "bounced" | "failed" | "suppressed" | "pending" | undefined; readonly channel?: Channel | undefined; readonly template?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (ListedSend)[]; readonly nextCursor: string | null; }>;
  /** Send a batch of messages. `POST /v1/apps/{appId}/notifications/batch` */
  sendBatch<const Body extends NotificationBatch>(body: Body, options?: CallOptions): Call<(NotificationBatchResult) & (Warned)>;
  /** Read the status of a send. `GET /v1/apps/{appId}/notifications/{id}` */
  read(id: string, query?: { readonly story?: "true" | "false" | undefined; readonly content?: "true" | "false" | undefined; }, options?: CallOptions): Call<ExplainedSend>;
  /** Preview what was sent. `GET /v1/apps/{appId}/notifications/{id}/preview` */
  preview(id: string, options?: CallOptions): Call<SentPreview>;
  /** List dead letters. `GET /v1/apps/{appId}/dead-letters` */
  listDeadLetters(query?: { readonly lane?: "transactional" | "campaign" | "journey" | undefined; readonly channel?: Channel | undefined; readonly reason?: string | undefined; readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (DeadLetter)[]; readonly nextCursor: string | null; }>;
  /** Redrive dead letters. `POST /v1/apps/{appId}/dead-letters/redrive` */
  redriveDeadLetters<const Body extends { readonly ids?: readonly (string)[]; readonly reason?: string; readonly all?: true; readonly channel?: Channel; readonly lane?: "transactional" | "campaign" | "journey"; }>(body: Body, options?: CallOptions): Call<({ readonly redriven: number; }) & (Warned)>;
}

export interface OrgMethods {
  /** Create an org. `POST /v1/orgs` */
  create<const Body extends { readonly name: string; }>(body: Body, options?: CallOptions): Call<({ readonly org: Org; readonly apiKey: { readonly id: string; readonly key: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; }; }) & (Warned)>;
  /** Set an org's limits. `PATCH /v1/orgs/{id}` */
  setLimits<const Body extends { readonly dailySendCap?: number | null; readonly rateLimits?: { readonly transactional?: number | null; readonly standard?: number | null; }; readonly emailAllowance?: number | null; readonly emailDomains?: readonly (string)[]; readonly storageQuotaBytes?: number | null; }>(id: string, body: Body, options?: CallOptions): Call<(Org) & (Warned)>;
  /** Read your org. `GET /v1/org` */
  read(options?: CallOptions): Call<Org>;
  /** Rename your org. `PATCH /v1/org` */
  update<const Body extends { readonly name?: string; }>(body: Body, options?: CallOptions): Call<(Org) & (Warned)>;
  /** Read limits. `GET /v1/org/limits` */
  readLimits(options?: CallOptions): Call<OrgLimits>;
  /** List the audit log. `GET /v1/org/audit-log` */
  listAuditLog(query?: { readonly appId?: string | undefined; readonly actor?: string | undefined; readonly action?: "org.created" | "org.renamed" | "org.limits_changed" | "org.deleted" | "branding.changed" | "client.created" | "client.deleted" | "member.added" | "member.accepted" | "member.role_changed" | "member.removed" | "member.declined" | "member.left" | "key.created" | "key.deleted" | "app.created" | "app.changed" | "app.deleted" | "settings.changed" | "credential.uploaded" | "credential.removed" | "email_domain.added" | "email_domain.verified" | "email_domain.failed" | "email_domain.deleted" | "warm_up.started" | "warm_up.changed" | "warm_up.deleted" | "identity_secret.created" | "write_key.created" | "integration.removed" | "sessions.ended" | "subscriber.erased" | "subscribers.bulk_changed" | "integration.saved" | "integration.disabled" | "integration.secret_replaced" | "relay.created" | "relay.changed" | "relay.deleted" | "form.created" | "form.changed" | "form.deleted" | "topic.created" | "topic.changed" | "topic.deleted" | "suppression.removed" | "doubtful_opt_out.decided" | "template.renamed" | "template.deleted" | "campaign.sent" | "campaign.started" | "campaign.unscheduled" | "campaign.changed" | "campaign.archived" | "campaign.unarchived" | "campaign.paused" | "campaign.resumed" | "campaign.canceled" | "campaign.completed" | "campaign.failed" | "campaign.deleted" | "journey.activated" | "journey.paused" | "journey.corrected" | "journey.archived" | "journey.unarchived" | "journey.deleted" | "dead_letters.redriven" | "billing.checkout_started" | "billing.method_connected" | "billing.method_removed" | "invoice.issued" | "invoice.paid" | "invoice.charge_started" | "invoice.charge_failed" | "invoice.failed" | undefined; readonly target?: string | undefined; readonly from?: string | undefined; readonly to?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (AuditNote)[]; readonly nextCursor: string | null; }>;
  /** Read a month's usage. `GET /v1/org/usage` */
  readUsage(query?: { readonly month?: string | undefined; }, options?: CallOptions): Call<OrgUsage>;
  /** Read branding. `GET /v1/org/branding` */
  readBranding(options?: CallOptions): Call<Branding>;
  /** Update branding. `PATCH /v1/org/branding` */
  updateBranding<const Body extends { readonly productName?: string | null; readonly logoUrl?: string | null; readonly accentColor?: string | null; readonly hideServiceBranding?: boolean | null; }>(body: Body, options?: CallOptions): Call<(Branding) & (Warned)>;
  /** Add a member. `POST /v1/org/members` */
  addMember<const Body extends { readonly email: string; readonly role: "owner" | "editor" | "viewer"; }>(body: Body, options?: CallOptions): Call<(Member) & (Warned)>;
  /** List members. `GET /v1/org/members` */
  listMembers(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Member)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Update a member. `PATCH /v1/org/members/{id}` */
  updateMember<const Body extends { readonly role: "owner" | "editor" | "viewer"; }>(id: string, body: Body, options?: CallOptions): Call<(Member) & (Warned)>;
  /** Remove a member. `DELETE /v1/org/members/{id}` */
  removeMember(id: string, options?: CallOptions): Call<undefined>;
}

export interface RelaysMethods {
  /** Create a relay. `POST /v1/apps/{appId}/relays` */
  create<const Body extends { readonly name: string; readonly channel?: "email" | "sms" | "voice"; readonly kind: "smtp" | "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "http"; readonly config: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; }>(body: Body, options?: CallOptions): Call<(Relay) & (Warned)>;
  /** List relays. `GET /v1/apps/{appId}/relays` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Relay)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a relay. `GET /v1/apps/{appId}/relays/{id}` */
  read(id: string, options?: CallOptions): Call<Relay>;
  /** Update a relay. `PATCH /v1/apps/{appId}/relays/{id}` */
  update<const Body extends { readonly name?: string; readonly config?: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; }>(id: string, body: Body, options?: CallOptions): Call<(Relay) & (Warned)>;
  /** Delete a relay. `DELETE /v1/apps/{appId}/relays/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
  /** Check a relay. `POST /v1/apps/{appId}/relays/{id}/check` */
  check(id: string, options?: CallOptions): Call<CredentialCheck>;
  /** Try a relay with a text. `POST /v1/apps/{appId}/relays/{id}/try` */
  try<const Body extends { readonly to: string; readonly text?: string; readonly send?: boolean; readonly config?: RelayConfig; }>(id: string, body: Body, options?: CallOptions): Call<(RelayTrial) & (Warned)>;
  /** Create a shared relay. `POST /v1/org/relays` */
  createShared<const Body extends { readonly name: string; readonly channel?: "email" | "sms" | "voice"; readonly kind: "smtp" | "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "http"; readonly config: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; }>(body: Body, options?: CallOptions): Call<(Relay) & (Warned)>;
  /** List shared relays. `GET /v1/org/relays` */
  listShared(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Relay)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a shared relay. `GET /v1/org/relays/{id}` */
  readShared(id: string, options?: CallOptions): Call<Relay>;
  /** Update a shared relay. `PATCH /v1/org/relays/{id}` */
  updateShared<const Body extends { readonly name?: string; readonly config?: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; }>(id: string, body: Body, options?: CallOptions): Call<(Relay) & (Warned)>;
  /** Delete a shared relay. `DELETE /v1/org/relays/{id}` */
  deleteShared(id: string, options?: CallOptions): Call<undefined>;
  /** Check a shared relay. `POST /v1/org/relays/{id}/check` */
  checkShared(id: string, options?: CallOptions): Call<CredentialCheck>;
  /** Try a shared relay with a text. `POST /v1/org/relays/{id}/try` */
  tryShared<const Body extends { readonly to: string; readonly text?: string; readonly send?: boolean; readonly config?: RelayConfig; }>(id: string, body: Body, options?: CallOptions): Call<(RelayTrial) & (Warned)>;
  /** List recipes for gateways of texts and calls. `GET /v1/relay-recipes` */
  listRecipes(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (RelayRecipe)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
}

export interface SegmentsMethods {
  /** Create a segment. `POST /v1/apps/{appId}/segments` */
  create<const Body extends { readonly name: string; readonly filter: Filter; }>(body: Body, options?: CallOptions): Call<(Segment) & (Warned)>;
  /** List segments. `GET /v1/apps/{appId}/segments` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Segment)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Duplicate a segment. `POST /v1/apps/{appId}/segments/{id}/duplicate` */
  duplicate<const Body extends { readonly name?: string | null; }>(id: string, body?: Body, options?: CallOptions): Call<(Segment) & (Warned)>;
  /** Preview a segment filter. `POST /v1/apps/{appId}/segments/preview` */
  preview<const Body extends { readonly filter: Filter; readonly sample?: number; readonly parts?: boolean; readonly reach?: boolean; }>(body: Body, options?: CallOptions): Call<({ readonly count: number; readonly total: number; readonly tookMs: number; readonly sample: readonly (Subscriber)[]; readonly parts?: readonly ({ readonly path: string; readonly count: number; readonly left: number | null; })[]; readonly reach?: readonly ({ readonly channel: Channel; readonly reachable: number; })[]; }) & (Warned)>;
  /** Read a segment. `GET /v1/apps/{appId}/segments/{id}` */
  read(id: string, options?: CallOptions): Call<Segment>;
  /** Update a segment. `PATCH /v1/apps/{appId}/segments/{id}` */
  update<const Body extends { readonly name?: string; readonly filter?: Filter; }>(id: string, body: Body, options?: CallOptions): Call<(Segment) & (Warned)>;
  /** Delete a segment. `DELETE /v1/apps/{appId}/segments/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
  /** Count a segment. `GET /v1/apps/{appId}/segments/{id}/count` */
  count(id: string, options?: CallOptions): Call<{ readonly count: number; readonly total: number; readonly tookMs: number; }>;
  /** Explain a segment. `GET /v1/apps/{appId}/segments/{id}/explain` */
  explain(id: string, query: { readonly subscriberId: string; }, options?: CallOptions): Call<{ readonly matches: boolean; readonly conditions: readonly ({ readonly path: string; readonly condition: Readonly<Record<string, unknown>>; readonly holds: boolean; readonly value?: unknown; readonly lastAt?: string | null; readonly createdAt?: string; readonly devices?: readonly ({ readonly id: string; readonly enabled: boolean; readonly disabledReason?: string; readonly optedOut: boolean; })[]; readonly count?: number; })[]; }>;
  /** List a subscriber's segments. `GET /v1/apps/{appId}/subscribers/{id}/segments` */
  listOfSubscriber(id: string, query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (SegmentMembership)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** List the uses of a segment. `GET /v1/apps/{appId}/segments/{id}/uses` */
  listUses(id: string, options?: CallOptions): Call<SegmentUses>;
  /** List fields. `GET /v1/apps/{appId}/fields` */
  listFields(options?: CallOptions): Call<Fields>;
}

export interface SessionsMethods {
  /** List sessions. `GET /v1/org/sessions` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (OrgSession)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** End a session. `DELETE /v1/org/sessions/{id}` */
  end(id: string, options?: CallOptions): Call<undefined>;
}

export interface SignUpsMethods {
  /** Count sign-ups by state. `GET /v1/apps/{appId}/opt-ins` */
  readOptIns(options?: CallOptions): Call<{ readonly queued: number; readonly waiting: number; readonly confirmed: number; readonly mailsPerMinute: number; readonly nextMailAt: string | null; readonly warnings?: readonly ({ readonly field: string; readonly warning: string; })[]; }>;
}

export interface SubscribersMethods {
  /** Create or update a subscriber. `POST /v1/apps/{appId}/subscribers` */
  upsert<const Body extends { readonly externalUserId?: string | null; readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly topics?: Readonly<Record<string, "in" | "out" | null>>; readonly timezone?: string | null; readonly preferredChannels?: readonly (Channel)[] | null; readonly devices?: readonly ({ readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly environment?: "production" | "sandbox"; readonly enabled?: boolean; readonly disabledReason?: string; })[]; readonly consent?: "confirmed" | "doubleOptIn"; }>(body: Body, options?: CallOptions): Call<(Subscriber) & (Warned)>;
  /** List subscribers. `GET /v1/apps/{appId}/subscribers` */
  list(query?: { readonly externalUserId?: string | undefined; readonly segmentId?: string | undefined; readonly channel?: Channel | undefined; readonly address?: string | undefined; readonly phone?: string | undefined; readonly tag?: string | undefined; readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Subscriber)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Import subscribers. `POST /v1/import/subscribers` */
  import<const Body extends { readonly appId?: string; readonly rows: readonly ({ readonly externalUserId?: string | null; readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly topics?: Readonly<Record<string, "in" | "out" | null>>; readonly timezone?: string | null; readonly preferredChannels?: readonly (Channel)[] | null; readonly devices?: readonly ({ readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly environment?: "production" | "sandbox"; readonly enabled?: boolean; readonly disabledReason?: string; })[]; })[]; readonly dryRun?: boolean; readonly consent?: "confirmed" | "doubleOptIn"; }>(body: Body, options?: CallOptions): Call<(ImportResult) & (Warned)>;
  /** Search subscribers. `POST /v1/apps/{appId}/subscribers/search` */
  search<const Body extends { readonly filter?: Filter; readonly segmentId?: string; readonly ids?: readonly (string)[]; readonly q?: string; readonly order?: "newest" | "oldest" | "lastActive"; readonly offset?: number; readonly limit?: number; readonly tags?: readonly (string)[]; }>(body?: Body, options?: CallOptions): Call<({ readonly items: readonly (Subscriber)[]; readonly total: number; readonly tookMs: number; }) & (Warned)>;
  /** Change many subscribers. `POST /v1/apps/{appId}/subscribers/bulk` */
  changeMany<const Body extends { readonly filter?: Filter; readonly segmentId?: string; readonly ids?: readonly (string)[]; readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly suppress?: { readonly channels: readonly (Channel)[]; readonly scope?: "all" | "marketing"; readonly reason?: string; }; readonly delete?: true; readonly dryRun?: boolean; }>(body: Body, options?: CallOptions): Call<(BulkChange) & (Warned)>;
  /** Read a bulk change. `GET /v1/apps/{appId}/subscribers/bulk/{id}` */
  readBulkChange(id: string, options?: CallOptions): Call<BulkChange>;
  /** Read a subscriber. `GET /v1/apps/{appId}/subscribers/{id}` */
  read(id: string, options?: CallOptions): Call<Subscriber>;
  /** Update a subscriber. `PATCH /v1/apps/{appId}/subscribers/{id}` */
  update<const Body extends { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly topics?: Readonly<Record<string, "in" | "out" | null>>; readonly timezone?: string | null; readonly preferredChannels?: readonly (Channel)[] | null; }>(id: string, body: Body, options?: CallOptions): Call<(Subscriber) & (Warned)>;
  /** Erase a subscriber. `DELETE /v1/apps/{appId}/subscribers/{id}` */
  delete(id: string, options?: CallOptions): Call<undefined>;
  /** Read a subscriber's timeline. `GET /v1/apps/{appId}/subscribers/{id}/timeline` */
  readTimeline(id: string, query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (StoryEntry)[]; readonly nextCursor: string | null; readonly now: readonly (StoryEntry)[]; }>;
  /** Export subscribers. `GET /v1/apps/{appId}/subscribers/export` */
  export(query?: { readonly format?: "csv" | "jsonl" | undefined; readonly segmentId?: string | undefined; }, options?: CallOptions): Call<ByteStream>;
  /** List tag names. `GET /v1/apps/{appId}/tag-names` */
  listTagNames(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (UsedName)[]; readonly nextCursor: string | null; }>;
  /** Delete a tag name. `DELETE /v1/apps/{appId}/tag-names/{name}` */
  deleteTagName(name: string, options?: CallOptions): Call<undefined>;
  /** Register a device. `POST /v1/apps/{appId}/subscribers/{id}/devices` */
  addDevice<const Body extends { readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly environment?: "production" | "sandbox"; readonly enabled?: boolean; readonly disabledReason?: string; }>(id: string, body: Body, options?: CallOptions): Call<(Device) & (Warned)>;
  /** Enable or disable a device. `PATCH /v1/apps/{appId}/subscribers/{id}/devices/{deviceId}` */
  updateDevice<const Body extends { readonly enabled: boolean; }>(id: string, deviceId: string, body: Body, options?: CallOptions): Call<(Device) & (Warned)>;
  /** Delete a device. `DELETE /v1/apps/{appId}/subscribers/{id}/devices/{deviceId}` */
  deleteDevice(id: string, deviceId: string, options?: CallOptions): Call<undefined>;
  /** Resume a device. `POST /v1/apps/{appId}/subscribers/{id}/devices/{deviceId}/resume` */
  resumeDevice(id: string, deviceId: string, options?: CallOptions): Call<Device>;
  /** End a subscriber's sessions. `POST /v1/apps/{appId}/subscribers/{id}/end-sessions` */
  endSessions(id: string, options?: CallOptions): Call<undefined>;
}

export interface SuppressionsMethods {
  /** Import opt-outs. `POST /v1/import/suppressions` */
  import<const Body extends { readonly appId?: string; readonly rows: readonly ({ readonly channel: Channel; readonly address: string; readonly scope?: "all" | "marketing"; readonly reason?: string; })[]; readonly dryRun?: boolean; }>(body: Body, options?: CallOptions): Call<(SuppressionImportResult) & (Warned)>;
  /** Record an opt-out. `POST /v1/apps/{appId}/suppressions` */
  add<const Body extends { readonly channel: Channel; readonly address: string; readonly scope?: "all" | "marketing"; readonly reason?: string; }>(body: Body, options?: CallOptions): Call<(Suppression) & (Warned)>;
  /** List opt-outs. `GET /v1/apps/{appId}/suppressions` */
  list(query?: { readonly channel?: Channel | undefined; readonly address?: string | undefined; readonly q?: string | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Suppression)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Remove an opt-out. `DELETE /v1/apps/{appId}/suppressions` */
  delete(query: { readonly channel: Channel; readonly address: string; }, options?: CallOptions): Call<undefined>;
  /** List what may be an opt-out. `GET /v1/apps/{appId}/suppressions/doubtful` */
  listDoubtful(query?: { readonly limit?: number | undefined; readonly cursor?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (DoubtfulOptOut)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Decide about what may be an opt-out. `POST /v1/apps/{appId}/suppressions/doubtful/{id}` */
  decideDoubtful<const Body extends { readonly decision: "opt_out" | "dismiss"; readonly scope?: "all" | "marketing"; }>(id: string, body: Body, options?: CallOptions): Call<({ readonly suppression: Suppression | null; }) & (Warned)>;
}

export interface TopicsMethods {
  /** Read a subscriber's preferences. `GET /v1/apps/{appId}/subscribers/{id}/preferences` */
  readPreferences(id: string, options?: CallOptions): Call<Preferences>;
  /** Set a subscriber's preferences. `PUT /v1/apps/{appId}/subscribers/{id}/preferences` */
  setPreferences<const Body extends { readonly channels?: readonly (Channel)[] | null; readonly topics?: Readonly<Record<string, "in" | "out" | "pending" | null>>; readonly language?: string | null; readonly timezone?: string | null; }>(id: string, body: Body, options?: CallOptions): Call<(Preferences) & (Warned)>;
  /** Create a topic. `POST /v1/apps/{appId}/topics` */
  create<const Body extends { readonly key: string; readonly name: string; readonly description?: string | null; readonly default?: "in" | "out"; readonly doubleOptIn?: boolean; }>(body: Body, options?: CallOptions): Call<(Topic) & (Warned)>;
  /** List topics. `GET /v1/apps/{appId}/topics` */
  list(query?: { readonly order?: "newest" | "oldest" | undefined; readonly limit?: number | undefined; readonly cursor?: string | undefined; readonly q?: string | undefined; }, options?: CallOptions): List<{ readonly items: readonly (Topic)[]; readonly nextCursor: string | null; readonly total: number | null; }>;
  /** Read a topic. `GET /v1/apps/{appId}/topics/{key}` */
  read(key: string, options?: CallOptions): Call<Topic>;
  /** Update a topic. `PATCH /v1/apps/{appId}/topics/{key}` */
  update<const Body extends { readonly key?: string; readonly name?: string; readonly description?: string | null; readonly default?: "in" | "out"; readonly doubleOptIn?: boolean; }>(key: string, body: Body, options?: CallOptions): Call<(Topic) & (Warned)>;
  /** Delete a topic. `DELETE /v1/apps/{appId}/topics/{key}` */
  delete(key: string, options?: CallOptions): Call<undefined>;
}

/** All operations, by their group. */
export interface Groups {
  readonly apps: AppsMethods;
  readonly assets: AssetsMethods;
  readonly billing: BillingMethods;
  readonly campaigns: CampaignsMethods;
  readonly clients: ClientsMethods;
  readonly credentials: CredentialsMethods;
  readonly emailDomains: EmailDomainsMethods;
  readonly events: EventsMethods;
  readonly flags: FlagsMethods;
  readonly forms: FormsMethods;
  readonly inAppMessages: InAppMessagesMethods;
  readonly insights: InsightsMethods;
  readonly integrations: IntegrationsMethods;
  readonly journeys: JourneysMethods;
  readonly keys: KeysMethods;
  readonly liveActivities: LiveActivitiesMethods;
  readonly messageTemplates: MessageTemplatesMethods;
  readonly messages: MessagesMethods;
  readonly notifications: NotificationsMethods;
  readonly org: OrgMethods;
  readonly relays: RelaysMethods;
  readonly segments: SegmentsMethods;
  readonly sessions: SessionsMethods;
  readonly signUps: SignUpsMethods;
  readonly subscribers: SubscribersMethods;
  readonly suppressions: SuppressionsMethods;
  readonly topics: TopicsMethods;
}

/** What the client needs to know of each method. */
export const methods = {
  apps: {
    create: { call: 'POST /v1/apps', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}' },
    update: { call: 'PATCH /v1/apps/{appId}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}' },
    streamLive: { call: 'GET /v1/apps/{appId}/live', takes: 'query', answers: 'stream' },
    readSettings: { call: 'GET /v1/apps/{appId}/settings' },
    updateSettings: { call: 'PATCH /v1/apps/{appId}/settings', takes: 'body' },
    createIdentitySecret: { call: 'POST /v1/apps/{appId}/identity-secret', takes: 'query' },
  },
  assets: {
    upload: { call: 'POST /v1/apps/{appId}/assets', takes: 'bytes' },
    list: { call: 'GET /v1/apps/{appId}/assets', takes: 'query', answers: 'list' },
    delete: { call: 'DELETE /v1/apps/{appId}/assets/{id}' },
  },
  billing: {
    readInvoicePreview: { call: 'GET /v1/org/invoice-preview', takes: 'query' },
    read: { call: 'GET /v1/org/billing', takes: 'query', answers: 'list' },
    readInvoice: { call: 'GET /v1/org/invoices/{id}' },
    startCheckout: { call: 'POST /v1/org/billing/checkout' },
  },
  campaigns: {
    create: { call: 'POST /v1/apps/{appId}/campaigns', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/campaigns', takes: 'query', answers: 'list' },
    duplicate: { call: 'POST /v1/campaigns/{id}/duplicate', takes: 'body', key: 'made' },
    update: { call: 'PATCH /v1/apps/{appId}/campaigns/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/campaigns/{id}' },
    read: { call: 'GET /v1/campaigns/{id}' },
    send: { call: 'POST /v1/campaigns/{id}/send', takes: 'body' },
    pause: { call: 'POST /v1/campaigns/{id}/pause' },
    resume: { call: 'POST /v1/campaigns/{id}/resume' },
    cancel: { call: 'POST /v1/campaigns/{id}/cancel' },
    readLinks: { call: 'GET /v1/apps/{appId}/campaigns/{id}/links' },
    listRecipients: { call: 'GET /v1/apps/{appId}/campaigns/{id}/recipients', takes: 'query', answers: 'list' },
    exportRecipients: { call: 'GET /v1/apps/{appId}/campaigns/{id}/recipients', takes: 'query', answers: 'stream', sets: {"format":"csv"} },
    archive: { call: 'POST /v1/campaigns/{id}/archive' },
    unarchive: { call: 'POST /v1/campaigns/{id}/unarchive' },
    unschedule: { call: 'POST /v1/campaigns/{id}/unschedule' },
    readStats: { call: 'GET /v1/apps/{appId}/campaigns/{id}/stats' },
    readSeries: { call: 'GET /v1/apps/{appId}/campaigns/{id}/series', takes: 'query' },
    compare: { call: 'GET /v1/campaigns/stats', takes: 'query' },
    export: { call: 'GET /v1/campaigns/export', takes: 'query', answers: 'stream', app: 'query' },
    preview: { call: 'POST /v1/apps/{appId}/campaigns/{id}/preview', takes: 'body' },
    dryRun: { call: 'POST /v1/campaigns/{id}/dry-run' },
    readDryRun: { call: 'GET /v1/campaigns/{id}/dry-run/{dryRunId}', takes: 'query', answers: 'list' },
    exportDryRun: { call: 'GET /v1/campaigns/{id}/dry-run/{dryRunId}', takes: 'query', answers: 'stream', sets: {"format":"csv"} },
    readCost: { call: 'GET /v1/apps/{appId}/campaigns/{id}/dry-run/{dryRunId}/cost' },
  },
  clients: {
    create: { call: 'POST /v1/org/clients', takes: 'body', key: 'given' },
    list: { call: 'GET /v1/org/clients', takes: 'query', answers: 'list' },
    delete: { call: 'DELETE /v1/org/clients/{id}' },
  },
  credentials: {
    save: { call: 'POST /v1/apps/{appId}/credentials/{channel}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/credentials/{channel}' },
    listChannels: { call: 'GET /v1/apps/{appId}/channels' },
    list: { call: 'GET /v1/apps/{appId}/credentials', takes: 'query', answers: 'list' },
    check: { call: 'POST /v1/apps/{appId}/credentials/{channel}/check' },
  },
  emailDomains: {
    add: { call: 'POST /v1/apps/{appId}/email-domains', takes: 'body' },
    list: { call: 'GET /v1/apps/{appId}/email-domains', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/email-domains/{domain}' },
    delete: { call: 'DELETE /v1/apps/{appId}/email-domains/{domain}' },
    verify: { call: 'POST /v1/apps/{appId}/email-domains/{domain}/verify' },
    readDmarcReports: { call: 'GET /v1/apps/{appId}/email-domains/{domain}/dmarc-reports', takes: 'query' },
    readWarmUp: { call: 'GET /v1/apps/{appId}/email-domains/{domain}/warm-up' },
    warmUp: { call: 'PUT /v1/apps/{appId}/email-domains/{domain}/warm-up', takes: 'body' },
    deleteWarmUp: { call: 'DELETE /v1/apps/{appId}/email-domains/{domain}/warm-up' },
  },
  events: {
    track: { call: 'POST /e', takes: 'body', app: 'body' },
    list: { call: 'GET /v1/apps/{appId}/events', takes: 'query', answers: 'list' },
    listNames: { call: 'GET /v1/apps/{appId}/event-names', takes: 'query', answers: 'list' },
    deleteName: { call: 'DELETE /v1/apps/{appId}/event-names/{name}' },
  },
  flags: {
    create: { call: 'POST /v1/apps/{appId}/flags', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/flags', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/flags/{key}' },
    update: { call: 'PATCH /v1/apps/{appId}/flags/{key}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/flags/{key}' },
    evaluate: { call: 'GET /v1/apps/{appId}/flags/{key}/evaluate', takes: 'query' },
  },
  forms: {
    create: { call: 'POST /v1/apps/{appId}/forms', takes: 'body' },
    list: { call: 'GET /v1/apps/{appId}/forms', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/forms/{key}' },
    update: { call: 'PATCH /v1/apps/{appId}/forms/{key}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/forms/{key}' },
  },
  inAppMessages: {
    create: { call: 'POST /v1/apps/{appId}/in-app-messages', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/in-app-messages', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/in-app-messages/{id}' },
    update: { call: 'PATCH /v1/apps/{appId}/in-app-messages/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/in-app-messages/{id}' },
  },
  insights: {
    readEventTrends: { call: 'GET /v1/insights/event-trends', takes: 'query', app: 'query' },
    readEngagementHeatmap: { call: 'GET /v1/insights/engagement-heatmap', takes: 'query', app: 'query' },
    readChannelHealth: { call: 'GET /v1/insights/channel-health', takes: 'query', app: 'query' },
    readMailboxProviders: { call: 'GET /v1/insights/mailbox-providers', takes: 'query', app: 'query' },
    readDeliveryFailures: { call: 'GET /v1/insights/delivery-failures', takes: 'query', app: 'query' },
    readSubscriberGrowth: { call: 'GET /v1/insights/subscriber-growth', takes: 'query', app: 'query' },
    readFunnel: { call: 'POST /v1/insights/funnel', takes: 'body', app: 'query' },
    readRetention: { call: 'GET /v1/insights/retention', takes: 'query', app: 'query' },
    readRfm: { call: 'GET /v1/insights/rfm', takes: 'query', app: 'query' },
  },
  integrations: {
    listCatalog: { call: 'GET /v1/integrations', takes: 'query', answers: 'list' },
    list: { call: 'GET /v1/apps/{appId}/integrations', takes: 'query', answers: 'list' },
    putCdp: { call: 'PUT /v1/apps/{appId}/integrations/cdp', takes: 'body' },
    updateCdp: { call: 'PATCH /v1/apps/{appId}/integrations/cdp', takes: 'body' },
    deleteCdp: { call: 'DELETE /v1/apps/{appId}/integrations/cdp' },
    createWriteKey: { call: 'POST /v1/apps/{appId}/write-key' },
    putSlack: { call: 'PUT /v1/apps/{appId}/integrations/slack', takes: 'body' },
    putWebhook: { call: 'PUT /v1/apps/{appId}/integrations/{type}', takes: 'body' },
    read: { call: 'GET /v1/apps/{appId}/integrations/{type}' },
    delete: { call: 'DELETE /v1/apps/{appId}/integrations/{type}' },
    rotateWebhookSecret: { call: 'POST /v1/apps/{appId}/integrations/{type}/rotate-secret' },
    test: { call: 'POST /v1/apps/{appId}/integrations/{type}/test' },
    listWebhookDeliveries: { call: 'GET /v1/apps/{appId}/webhook-deliveries', takes: 'query', answers: 'list' },
    readWebhookDelivery: { call: 'GET /v1/apps/{appId}/webhook-deliveries/{deliveryId}' },
    retryWebhookDelivery: { call: 'POST /v1/apps/{appId}/webhook-deliveries/{deliveryId}/retry' },
    retryWebhookDeliveries: { call: 'POST /v1/apps/{appId}/webhook-deliveries/retry', takes: 'body' },
  },
  journeys: {
    create: { call: 'POST /v1/apps/{appId}/journeys', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/journeys', takes: 'query', answers: 'list' },
    duplicate: { call: 'POST /v1/apps/{appId}/journeys/{id}/duplicate', takes: 'body', key: 'made' },
    read: { call: 'GET /v1/apps/{appId}/journeys/{id}' },
    update: { call: 'PATCH /v1/apps/{appId}/journeys/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/journeys/{id}' },
    archive: { call: 'POST /v1/apps/{appId}/journeys/{id}/archive' },
    unarchive: { call: 'POST /v1/apps/{appId}/journeys/{id}/unarchive' },
    correctStep: { call: 'PATCH /v1/apps/{appId}/journeys/{id}/steps/{stepId}', takes: 'body' },
    readStats: { call: 'GET /v1/apps/{appId}/journeys/{id}/stats' },
    listPeople: { call: 'GET /v1/apps/{appId}/journeys/{id}/people', takes: 'query', answers: 'list' },
    exportPeople: { call: 'GET /v1/apps/{appId}/journeys/{id}/people', takes: 'query', answers: 'stream', sets: {"format":"csv"} },
    simulate: { call: 'POST /v1/apps/{appId}/journeys/{id}/simulate', takes: 'body' },
    simulateUnsaved: { call: 'POST /v1/apps/{appId}/journeys/simulate', takes: 'body' },
    forecast: { call: 'POST /v1/apps/{appId}/journeys/{id}/forecast', takes: 'body' },
  },
  keys: {
    create: { call: 'POST /v1/keys', takes: 'body', key: 'given' },
    list: { call: 'GET /v1/keys', takes: 'query', answers: 'list' },
    delete: { call: 'DELETE /v1/keys/{id}' },
  },
  liveActivities: {
    list: { call: 'GET /v1/apps/{appId}/live-activities', takes: 'query', answers: 'list' },
    update: { call: 'POST /v1/apps/{appId}/live-activities/{id}/update', takes: 'body', key: 'made' },
    end: { call: 'POST /v1/apps/{appId}/live-activities/{id}/end', takes: 'body', key: 'made' },
  },
  messageTemplates: {
    create: { call: 'POST /v1/apps/{appId}/message-templates', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/message-templates', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/message-templates/{idOrName}' },
    update: { call: 'PATCH /v1/apps/{appId}/message-templates/{idOrName}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/message-templates/{idOrName}' },
  },
  messages: {
    create: { call: 'POST /v1/apps/{appId}/messages', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/messages', takes: 'query', answers: 'list' },
    duplicate: { call: 'POST /v1/apps/{appId}/messages/{id}/duplicate', takes: 'body', key: 'made' },
    read: { call: 'GET /v1/apps/{appId}/messages/{id}' },
    update: { call: 'PATCH /v1/apps/{appId}/messages/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/messages/{id}' },
    listUses: { call: 'GET /v1/apps/{appId}/messages/{id}/uses' },
    preview: { call: 'POST /v1/apps/{appId}/messages/{id}/preview', takes: 'body' },
    previewDraft: { call: 'POST /v1/apps/{appId}/messages/preview', takes: 'body' },
    test: { call: 'POST /v1/apps/{appId}/messages/{id}/test', takes: 'body', key: 'made' },
  },
  notifications: {
    send: { call: 'POST /v1/apps/{appId}/notifications', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/notifications', takes: 'query', answers: 'list' },
    sendBatch: { call: 'POST /v1/apps/{appId}/notifications/batch', takes: 'body', key: 'made', batch: 'recipients' },
    read: { call: 'GET /v1/apps/{appId}/notifications/{id}', takes: 'query' },
    preview: { call: 'GET /v1/apps/{appId}/notifications/{id}/preview' },
    listDeadLetters: { call: 'GET /v1/apps/{appId}/dead-letters', takes: 'query', answers: 'list' },
    redriveDeadLetters: { call: 'POST /v1/apps/{appId}/dead-letters/redrive', takes: 'body' },
  },
  org: {
    create: { call: 'POST /v1/orgs', takes: 'body', key: 'given' },
    setLimits: { call: 'PATCH /v1/orgs/{id}', takes: 'body' },
    read: { call: 'GET /v1/org' },
    update: { call: 'PATCH /v1/org', takes: 'body' },
    readLimits: { call: 'GET /v1/org/limits' },
    listAuditLog: { call: 'GET /v1/org/audit-log', takes: 'query', answers: 'list' },
    readUsage: { call: 'GET /v1/org/usage', takes: 'query' },
    readBranding: { call: 'GET /v1/org/branding' },
    updateBranding: { call: 'PATCH /v1/org/branding', takes: 'body' },
    addMember: { call: 'POST /v1/org/members', takes: 'body' },
    listMembers: { call: 'GET /v1/org/members', takes: 'query', answers: 'list' },
    updateMember: { call: 'PATCH /v1/org/members/{id}', takes: 'body' },
    removeMember: { call: 'DELETE /v1/org/members/{id}' },
  },
  relays: {
    create: { call: 'POST /v1/apps/{appId}/relays', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/relays', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/relays/{id}' },
    update: { call: 'PATCH /v1/apps/{appId}/relays/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/relays/{id}' },
    check: { call: 'POST /v1/apps/{appId}/relays/{id}/check' },
    try: { call: 'POST /v1/apps/{appId}/relays/{id}/try', takes: 'body' },
    createShared: { call: 'POST /v1/org/relays', takes: 'body', key: 'made' },
    listShared: { call: 'GET /v1/org/relays', takes: 'query', answers: 'list' },
    readShared: { call: 'GET /v1/org/relays/{id}' },
    updateShared: { call: 'PATCH /v1/org/relays/{id}', takes: 'body' },
    deleteShared: { call: 'DELETE /v1/org/relays/{id}' },
    checkShared: { call: 'POST /v1/org/relays/{id}/check' },
    tryShared: { call: 'POST /v1/org/relays/{id}/try', takes: 'body' },
    listRecipes: { call: 'GET /v1/relay-recipes', takes: 'query', answers: 'list' },
  },
  segments: {
    create: { call: 'POST /v1/apps/{appId}/segments', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/segments', takes: 'query', answers: 'list' },
    duplicate: { call: 'POST /v1/apps/{appId}/segments/{id}/duplicate', takes: 'body', key: 'made' },
    preview: { call: 'POST /v1/apps/{appId}/segments/preview', takes: 'body' },
    read: { call: 'GET /v1/apps/{appId}/segments/{id}' },
    update: { call: 'PATCH /v1/apps/{appId}/segments/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/segments/{id}' },
    count: { call: 'GET /v1/apps/{appId}/segments/{id}/count' },
    explain: { call: 'GET /v1/apps/{appId}/segments/{id}/explain', takes: 'query' },
    listOfSubscriber: { call: 'GET /v1/apps/{appId}/subscribers/{id}/segments', takes: 'query', answers: 'list' },
    listUses: { call: 'GET /v1/apps/{appId}/segments/{id}/uses' },
    listFields: { call: 'GET /v1/apps/{appId}/fields' },
  },
  sessions: {
    list: { call: 'GET /v1/org/sessions', takes: 'query', answers: 'list' },
    end: { call: 'DELETE /v1/org/sessions/{id}' },
  },
  signUps: {
    readOptIns: { call: 'GET /v1/apps/{appId}/opt-ins' },
  },
  subscribers: {
    upsert: { call: 'POST /v1/apps/{appId}/subscribers', takes: 'body', key: 'made' },
    list: { call: 'GET /v1/apps/{appId}/subscribers', takes: 'query', answers: 'list' },
    import: { call: 'POST /v1/import/subscribers', takes: 'body', app: 'query' },
    search: { call: 'POST /v1/apps/{appId}/subscribers/search', takes: 'body' },
    changeMany: { call: 'POST /v1/apps/{appId}/subscribers/bulk', takes: 'body', key: 'made' },
    readBulkChange: { call: 'GET /v1/apps/{appId}/subscribers/bulk/{id}' },
    read: { call: 'GET /v1/apps/{appId}/subscribers/{id}' },
    update: { call: 'PATCH /v1/apps/{appId}/subscribers/{id}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/subscribers/{id}' },
    readTimeline: { call: 'GET /v1/apps/{appId}/subscribers/{id}/timeline', takes: 'query', answers: 'list' },
    export: { call: 'GET /v1/apps/{appId}/subscribers/export', takes: 'query', answers: 'stream' },
    listTagNames: { call: 'GET /v1/apps/{appId}/tag-names', takes: 'query', answers: 'list' },
    deleteTagName: { call: 'DELETE /v1/apps/{appId}/tag-names/{name}' },
    addDevice: { call: 'POST /v1/apps/{appId}/subscribers/{id}/devices', takes: 'body' },
    updateDevice: { call: 'PATCH /v1/apps/{appId}/subscribers/{id}/devices/{deviceId}', takes: 'body' },
    deleteDevice: { call: 'DELETE /v1/apps/{appId}/subscribers/{id}/devices/{deviceId}' },
    resumeDevice: { call: 'POST /v1/apps/{appId}/subscribers/{id}/devices/{deviceId}/resume' },
    endSessions: { call: 'POST /v1/apps/{appId}/subscribers/{id}/end-sessions' },
  },
  suppressions: {
    import: { call: 'POST /v1/import/suppressions', takes: 'body', app: 'query' },
    add: { call: 'POST /v1/apps/{appId}/suppressions', takes: 'body' },
    list: { call: 'GET /v1/apps/{appId}/suppressions', takes: 'query', answers: 'list' },
    delete: { call: 'DELETE /v1/apps/{appId}/suppressions', takes: 'query' },
    listDoubtful: { call: 'GET /v1/apps/{appId}/suppressions/doubtful', takes: 'query', answers: 'list' },
    decideDoubtful: { call: 'POST /v1/apps/{appId}/suppressions/doubtful/{id}', takes: 'body' },
  },
  topics: {
    readPreferences: { call: 'GET /v1/apps/{appId}/subscribers/{id}/preferences' },
    setPreferences: { call: 'PUT /v1/apps/{appId}/subscribers/{id}/preferences', takes: 'body' },
    create: { call: 'POST /v1/apps/{appId}/topics', takes: 'body' },
    list: { call: 'GET /v1/apps/{appId}/topics', takes: 'query', answers: 'list' },
    read: { call: 'GET /v1/apps/{appId}/topics/{key}' },
    update: { call: 'PATCH /v1/apps/{appId}/topics/{key}', takes: 'body' },
    delete: { call: 'DELETE /v1/apps/{appId}/topics/{key}' },
  },
} as const;
