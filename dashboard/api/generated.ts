// Made by `npm run generate` from the API description. Do not edit.

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

export interface Operations {
  readonly sendNotification: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: Notification;
    readonly answer: ({ readonly id: string; readonly status: "pending"; }) & (Warned);
  };
  readonly listNotifications: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly status?: "delivered" | "bounced" | "failed" | "suppressed" | "pending"; readonly channel?: Channel; readonly template?: string; readonly from?: string; readonly to?: string; readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (ListedSend)[]; readonly nextCursor: string | null; };
  };
  readonly sendBatch: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: NotificationBatch;
    readonly answer: (NotificationBatchResult) & (Warned);
  };
  readonly readNotification: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly story?: "true" | "false"; readonly content?: "true" | "false"; };
    readonly body: undefined;
    readonly answer: ExplainedSend;
  };
  readonly previewNotification: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: SentPreview;
  };
  readonly listDeadLetters: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly lane?: "transactional" | "campaign" | "journey"; readonly channel?: Channel; readonly reason?: string; readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (DeadLetter)[]; readonly nextCursor: string | null; };
  };
  readonly redriveDeadLetters: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly ids?: readonly (string)[]; readonly reason?: string; readonly all?: true; readonly channel?: Channel; readonly lane?: "transactional" | "campaign" | "journey"; };
    readonly answer: ({ readonly redriven: number; }) & (Warned);
  };
  readonly listLiveActivities: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly state?: "active" | "ended" | "closed"; readonly subscriberId?: string; readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (LiveActivity)[]; readonly nextCursor: string | null; };
  };
  readonly updateLiveActivity: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly contentState: Readonly<Record<string, unknown>>; readonly alert?: { readonly title: string; readonly body: string; } | null; readonly idempotencyKey?: string | null; };
    readonly answer: ({ readonly id: string; }) & (Warned);
  };
  readonly endLiveActivity: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly contentState: Readonly<Record<string, unknown>>; readonly idempotencyKey?: string | null; };
    readonly answer: ({ readonly id: string; }) & (Warned);
  };
  readonly createMessage: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly templateName?: string | null; readonly templateId?: string | null; };
    readonly answer: ({ readonly id: string; readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly messageId: string; }) & (Warned);
  };
  readonly listMessages: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Message)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly duplicateMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string | null; };
    readonly answer: (Message) & (Warned);
  };
  readonly readMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Message;
  };
  readonly updateMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string | null; readonly title?: string | null; readonly body?: string | null; readonly image?: string | null; readonly deepLink?: string | null; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[] | null; readonly data?: Readonly<Record<string, string | number | boolean>> | null; readonly payload?: Readonly<Record<string, unknown>> | null; readonly badgeCount?: number | null; readonly sound?: string | null; readonly ttlSeconds?: number | null; readonly collapseKey?: string | null; readonly androidChannelId?: string | null; readonly priority?: "normal" | "high" | null; readonly unsubscribe?: "none" | "footer" | "header" | "both" | null; readonly utm?: boolean | null; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>> | null; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; } | null; readonly design?: Readonly<Record<string, unknown>> | null; readonly writtenFor?: readonly (Channel)[] | null; readonly templateName?: unknown; readonly templateId?: unknown; };
    readonly saves: true;
    readonly answer: ({ readonly id: string; readonly name?: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly design?: Readonly<Record<string, unknown>>; readonly writtenFor?: readonly (Channel)[]; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly inUse: readonly ({ readonly type: "campaign" | "journey"; readonly id: string; readonly name: string; readonly state: string; readonly copied: boolean; })[]; readonly inUseTotal: number; }) & (Warned);
  };
  readonly deleteMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly listMessageUses: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: MessageUses;
  };
  readonly previewMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly person?: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>> | null; readonly timezone?: string | null; readonly externalUserId?: string | null; } | null; readonly channel?: Channel | null; readonly channels?: readonly (Channel)[] | null; readonly language?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; };
    readonly answer: ({ readonly items: readonly ({ readonly channel: Channel; readonly language: string | null; readonly deviceId: string | null; readonly content?: { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; }; readonly payload?: Readonly<Record<string, unknown>>; readonly mailPath?: string; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly error?: { readonly field?: string; readonly error: string; }; })[]; readonly issues: readonly ({ readonly level: "error" | "warning"; readonly field: string; readonly line?: number; readonly column?: number; readonly error: string; })[]; readonly usesVariables: readonly (string)[]; }) & (Warned);
  };
  readonly previewDraft: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly message: { readonly name?: string | null; readonly design?: Readonly<Record<string, unknown>> | null; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; }; readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly person?: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>> | null; readonly timezone?: string | null; readonly externalUserId?: string | null; } | null; readonly channel?: Channel | null; readonly channels?: readonly (Channel)[] | null; readonly language?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; };
    readonly answer: ({ readonly items: readonly ({ readonly channel: Channel; readonly language: string | null; readonly deviceId: string | null; readonly content?: { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; }; readonly payload?: Readonly<Record<string, unknown>>; readonly mailPath?: string; readonly dropped?: readonly ({ readonly field: string; readonly why: string; })[]; readonly error?: { readonly field?: string; readonly error: string; }; })[]; readonly issues: readonly ({ readonly level: "error" | "warning"; readonly field: string; readonly line?: number; readonly column?: number; readonly error: string; })[]; readonly usesVariables: readonly (string)[]; }) & (Warned);
  };
  readonly testMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly channels?: readonly (Channel)[] | null; readonly idempotencyKey?: string | null; };
    readonly answer: ({ readonly id: string; readonly status: "pending"; }) & (Warned);
  };
  readonly uploadAsset: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly name?: string; readonly use?: "attachment"; };
    readonly body: undefined;
    readonly answer: Asset;
  };
  readonly listAssets: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Asset)[]; readonly nextCursor: string | null; readonly total: number | null; readonly bytes: number; };
  };
  readonly deleteAsset: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly createMessageTemplate: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name: string; readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; readonly data?: Readonly<Record<string, string | number | boolean>>; readonly payload?: Readonly<Record<string, unknown>>; readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; readonly unsubscribe?: "none" | "footer" | "header" | "both"; readonly utm?: boolean; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>>; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; }; readonly design?: Readonly<Record<string, unknown>>; };
    readonly answer: (MessageTemplate) & (Warned);
  };
  readonly listMessageTemplates: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (MessageTemplate)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readMessageTemplate: {
    readonly path: { readonly appId: string; readonly idOrName: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: MessageTemplate;
  };
  readonly updateMessageTemplate: {
    readonly path: { readonly appId: string; readonly idOrName: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly title?: string | null; readonly body?: string | null; readonly image?: string | null; readonly deepLink?: string | null; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[] | null; readonly data?: Readonly<Record<string, string | number | boolean>> | null; readonly payload?: Readonly<Record<string, unknown>> | null; readonly badgeCount?: number | null; readonly sound?: string | null; readonly ttlSeconds?: number | null; readonly collapseKey?: string | null; readonly androidChannelId?: string | null; readonly priority?: "normal" | "high" | null; readonly unsubscribe?: "none" | "footer" | "header" | "both" | null; readonly utm?: boolean | null; readonly localizations?: Readonly<Record<string, { readonly title?: string; readonly body?: string; readonly image?: string; readonly deepLink?: string; readonly buttons?: readonly ({ readonly id?: string; readonly label?: string; readonly url?: string; })[]; }>> | null; readonly deliveryOptions?: { readonly badgeCount?: number; readonly sound?: string; readonly ttlSeconds?: number; readonly collapseKey?: string; readonly androidChannelId?: string; readonly priority?: "normal" | "high"; } | null; readonly design?: Readonly<Record<string, unknown>> | null; };
    readonly saves: true;
    readonly answer: (MessageTemplate) & (Warned);
  };
  readonly deleteMessageTemplate: {
    readonly path: { readonly appId: string; readonly idOrName: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly createCampaign: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly templateName?: unknown; readonly templateId?: unknown; readonly name?: string | null; readonly messageId: string; readonly segmentId?: string | null; readonly filter?: Filter | null; readonly topic?: string | null; readonly channels?: readonly (Channel)[] | null; readonly fallbackChannels?: readonly (Channel)[] | null; readonly fallbackAfterMinutes?: number | null; readonly schedule?: Schedule | null; readonly timezoneDelivery?: { readonly at: string; } | null; readonly optimalTime?: boolean | null; readonly throttle?: { readonly perMinute: number; } | null; readonly variants?: readonly ({ readonly templateName?: unknown; readonly templateId?: unknown; readonly id?: string | null; readonly key?: string | null; readonly weight: number; readonly messageId: string; })[] | null; readonly experiment?: { readonly sampleShare: number; readonly winnerMetric: "opened" | "clicked" | "converted"; readonly decideAfterMinutes: number; } | null; readonly holdoutShare?: number | null; readonly goal?: { readonly event: string; readonly withinHours: number; } | null; readonly guard?: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly ifLate?: "send" | "skip" | "hold" | null; };
    readonly answer: (Campaign) & (Warned);
  };
  readonly listCampaigns: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly state?: "draft" | "scheduled" | "sending" | "paused" | "completed" | "canceled" | "failed"; readonly archived?: "true" | "false" | "all"; readonly createdFrom?: string; readonly createdTo?: string; readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Campaign)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly duplicateCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string | null; };
    readonly answer: (Campaign) & (Warned);
  };
  readonly duplicateCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string | null; };
    readonly answer: (Campaign) & (Warned);
  };
  readonly readCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly updateCampaign: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly templateName?: unknown; readonly templateId?: unknown; readonly name?: string | null; readonly messageId?: string; readonly segmentId?: string | null; readonly filter?: Filter | null; readonly topic?: string | null; readonly channels?: readonly (Channel)[] | null; readonly fallbackChannels?: readonly (Channel)[] | null; readonly fallbackAfterMinutes?: number | null; readonly schedule?: Schedule | null; readonly timezoneDelivery?: { readonly at: string; } | null; readonly optimalTime?: boolean | null; readonly throttle?: { readonly perMinute: number; } | null; readonly variants?: readonly ({ readonly templateName?: unknown; readonly templateId?: unknown; readonly id?: string | null; readonly key?: string | null; readonly weight: number; readonly messageId: string; })[] | null; readonly experiment?: { readonly sampleShare: number; readonly winnerMetric: "opened" | "clicked" | "converted"; readonly decideAfterMinutes: number; } | null; readonly holdoutShare?: number | null; readonly goal?: { readonly event: string; readonly withinHours: number; } | null; readonly guard?: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly ifLate?: "send" | "skip" | "hold" | null; };
    readonly saves: true;
    readonly answer: (Campaign) & (Warned);
  };
  readonly deleteCampaign: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly readCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly sendCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly dryRunId?: string; readonly confirmWarnings?: boolean | null; readonly delaySeconds?: number; readonly tolerance?: number; };
    readonly answer: (Campaign) & (Warned);
  };
  readonly sendCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly dryRunId?: string; readonly confirmWarnings?: boolean | null; readonly delaySeconds?: number; readonly tolerance?: number; };
    readonly answer: (Campaign) & (Warned);
  };
  readonly pauseCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly pauseCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly resumeCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly resumeCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly cancelCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly cancelCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly readCampaignLinks: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CampaignLinks;
  };
  readonly listRecipients: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly outcome?: "pending" | "delivered" | "bounced" | "failed" | "suppressed" | "opened" | "clicked" | "converted" | "unsubscribed" | "complained" | "holdout"; readonly variant?: string; readonly occurrence?: number; readonly format?: "json" | "csv"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (CampaignRecipient)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly archiveCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly archiveCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly unarchiveCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly unarchiveCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly unscheduleCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly unscheduleCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Campaign;
  };
  readonly readCampaignStats: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CampaignStats;
  };
  readonly readCampaignSeries: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly interval?: "minute" | "hour" | "day"; readonly from?: string; readonly to?: string; };
    readonly body: undefined;
    readonly answer: CampaignSeries;
  };
  readonly compareCampaigns: {
    readonly path: undefined;
    readonly query: { readonly ids: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (CampaignStats)[]; readonly best: { readonly delivered: string | null; readonly opened: string | null; readonly clicked: string | null; readonly converted: string | null; readonly bounced: string | null; readonly failed: string | null; readonly unsubscribed: string | null; readonly complained: string | null; readonly lift: string | null; }; };
  };
  readonly exportCampaigns: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly previewCampaign: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly subscriberId?: string | null; readonly externalUserId?: string | null; readonly person?: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>> | null; readonly timezone?: string | null; readonly externalUserId?: string | null; } | null; readonly channel?: Channel | null; readonly channels?: readonly (Channel)[] | null; readonly language?: string | null; readonly variables?: Readonly<Record<string, string | number | boolean>>; readonly variant?: string | null; readonly checks?: boolean; readonly occurrence?: number | null; };
    readonly answer: (CampaignPreview) & (Warned);
  };
  readonly dryRunCampaign: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: DryRun;
  };
  readonly dryRunCampaignOfApp: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: DryRun;
  };
  readonly readDryRun: {
    readonly path: { readonly id: string; readonly dryRunId: string; };
    readonly query: { readonly verdict?: "send" | "defer" | "suppress" | "holdout"; readonly format?: "json" | "csv"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (DryRunPerson)[]; readonly nextCursor: string | null; };
  };
  readonly readDryRunOfApp: {
    readonly path: { readonly appId: string; readonly id: string; readonly dryRunId: string; };
    readonly query: { readonly verdict?: "send" | "defer" | "suppress" | "holdout"; readonly format?: "json" | "csv"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (DryRunPerson)[]; readonly nextCursor: string | null; };
  };
  readonly readCampaignCost: {
    readonly path: { readonly appId: string; readonly id: string; readonly dryRunId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CampaignCost;
  };
  readonly createJourney: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name: string; readonly triggerEvent?: string | null; readonly triggerSegmentId?: string | null; readonly reentry?: "once" | "always" | null; readonly steps: readonly (JourneyStep)[]; readonly active?: false | null; };
    readonly answer: (Journey) & (Warned);
  };
  readonly listJourneys: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly active?: "true" | "false"; readonly archived?: "true" | "false" | "all"; readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Journey)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly duplicateJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string | null; };
    readonly answer: (Journey) & (Warned);
  };
  readonly readJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Journey;
  };
  readonly updateJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly triggerEvent?: string | null; readonly triggerSegmentId?: string | null; readonly reentry?: "once" | "always" | null; readonly steps?: readonly (JourneyStep)[]; readonly active?: boolean | null; readonly confirmWarnings?: boolean | null; readonly enrollExisting?: boolean | null; readonly replaces?: string | null; };
    readonly saves: true;
    readonly answer: (Journey) & (Warned);
  };
  readonly deleteJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly archiveJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Journey;
  };
  readonly unarchiveJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Journey;
  };
  readonly correctStep: {
    readonly path: { readonly appId: string; readonly id: string; readonly stepId: string; };
    readonly query: undefined;
    readonly body: { readonly messageId?: string | null; readonly message?: Readonly<Record<string, unknown>> | null; };
    readonly saves: true;
    readonly answer: (Journey) & (Warned);
  };
  readonly readJourneyStats: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: JourneyStats;
  };
  readonly listJourneyPeople: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly step?: string; readonly state?: "waiting" | "leaving"; readonly format?: "json" | "csv"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (JourneyPerson)[]; readonly nextCursor: string | null; };
  };
  readonly simulateJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly subscriberId?: string | null; readonly events?: readonly ({ readonly name: string; readonly afterMinutes: number; })[] | null; readonly fromTime?: string | null; };
    readonly answer: ({ readonly outcome: "completed" | "converted" | "waits"; readonly steps: readonly ({ readonly at: string; readonly what: "enrolled" | "entered" | "event" | "branched" | "waits" | "sent" | "held" | "suppressed" | "timed_out" | "completed" | "converted"; readonly step?: string; readonly until?: string; readonly reason?: string; readonly branch?: "then" | "else"; readonly event?: string; })[]; }) & (Warned);
  };
  readonly simulateUnsaved: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly triggerEvent?: string | null; readonly triggerSegmentId?: string | null; readonly reentry?: "once" | "always" | null; readonly steps: readonly (JourneyStep)[]; readonly active?: false | null; readonly subscriberId?: string | null; readonly events?: readonly ({ readonly name: string; readonly afterMinutes: number; })[] | null; readonly fromTime?: string | null; };
    readonly answer: ({ readonly outcome: "completed" | "converted" | "waits"; readonly steps: readonly ({ readonly at: string; readonly what: "enrolled" | "entered" | "event" | "branched" | "waits" | "sent" | "held" | "suppressed" | "timed_out" | "completed" | "converted"; readonly step?: string; readonly until?: string; readonly reason?: string; readonly branch?: "then" | "else"; readonly event?: string; })[]; }) & (Warned);
  };
  readonly forecastJourney: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly days: number; };
    readonly answer: ({ readonly days: number; readonly enrolled: number; readonly sends: { readonly total: number; readonly byDay: readonly ({ readonly day: string; readonly sends: number; })[]; }; readonly bySteps: Readonly<Record<string, { readonly entered: number; readonly sent: number; readonly enteredByDay: readonly (number)[]; readonly sentByDay: readonly (number)[]; }>>; readonly converted: number; readonly completed: number; readonly exited: number; readonly inFlow: number; readonly note: string; }) & (Warned);
  };
  readonly createInAppMessage: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly messageId?: string | null; readonly templateName?: string | null; readonly templateId?: string | null; readonly display?: InAppDisplay | null; readonly filter?: Filter | null; readonly startAt?: string | null; readonly endAt?: string | null; readonly priority?: number; readonly inbox?: boolean; readonly show?: "popup" | "inbox" | "both"; };
    readonly answer: (InAppMessage) & (Warned);
  };
  readonly listInAppMessages: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (InAppMessage)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readInAppMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: InAppMessage;
  };
  readonly updateInAppMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly messageId?: string; readonly display?: InAppDisplay | null; readonly filter?: Filter | null; readonly startAt?: string | null; readonly endAt?: string | null; readonly priority?: number; readonly inbox?: boolean; readonly show?: "popup" | "inbox" | "both"; };
    readonly saves: true;
    readonly answer: (InAppMessage) & (Warned);
  };
  readonly deleteInAppMessage: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly createFlag: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly key: string; readonly enabled?: boolean; readonly filter?: Filter | null; readonly rolloutPercent?: number; readonly variants?: readonly ({ readonly key: string; readonly weight: number; })[] | null; };
    readonly answer: (Flag) & (Warned);
  };
  readonly listFlags: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Flag)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readFlag: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Flag;
  };
  readonly updateFlag: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: { readonly key?: string; readonly enabled?: boolean; readonly filter?: Filter | null; readonly rolloutPercent?: number; readonly variants?: readonly ({ readonly key: string; readonly weight: number; })[] | null; };
    readonly saves: true;
    readonly answer: (Flag) & (Warned);
  };
  readonly deleteFlag: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly evaluateFlag: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: { readonly subscriberId: string; };
    readonly body: undefined;
    readonly answer: { readonly enabled: boolean; readonly variant?: string; readonly reason: "off" | "filter" | "rollout" | "on"; readonly conditions: readonly ({ readonly path: string; readonly condition: Readonly<Record<string, unknown>>; readonly holds: boolean; })[]; readonly place: number; readonly rolloutPercent: number; };
  };
  readonly createSegment: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name: string; readonly filter: Filter; };
    readonly answer: (Segment) & (Warned);
  };
  readonly listSegments: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Segment)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly duplicateSegment: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string | null; };
    readonly answer: (Segment) & (Warned);
  };
  readonly previewSegment: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly filter: Filter; readonly sample?: number; readonly parts?: boolean; readonly reach?: boolean; };
    readonly answer: ({ readonly count: number; readonly total: number; readonly tookMs: number; readonly sample: readonly (Subscriber)[]; readonly parts?: readonly ({ readonly path: string; readonly count: number; readonly left: number | null; })[]; readonly reach?: readonly ({ readonly channel: Channel; readonly reachable: number; })[]; }) & (Warned);
  };
  readonly readSegment: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Segment;
  };
  readonly updateSegment: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly filter?: Filter; };
    readonly saves: true;
    readonly answer: (Segment) & (Warned);
  };
  readonly deleteSegment: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly countSegment: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly count: number; readonly total: number; readonly tookMs: number; };
  };
  readonly explainSegment: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly subscriberId: string; };
    readonly body: undefined;
    readonly answer: { readonly matches: boolean; readonly conditions: readonly ({ readonly path: string; readonly condition: Readonly<Record<string, unknown>>; readonly holds: boolean; readonly value?: unknown; readonly lastAt?: string | null; readonly createdAt?: string; readonly devices?: readonly ({ readonly id: string; readonly enabled: boolean; readonly disabledReason?: string; readonly optedOut: boolean; })[]; readonly count?: number; })[]; };
  };
  readonly listSubscriberSegments: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (SegmentMembership)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly listSegmentUses: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: SegmentUses;
  };
  readonly listFields: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Fields;
  };
  readonly upsertSubscriber: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly externalUserId?: string | null; readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly topics?: Readonly<Record<string, "in" | "out" | null>>; readonly timezone?: string | null; readonly preferredChannels?: readonly (Channel)[] | null; readonly devices?: readonly ({ readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly environment?: "production" | "sandbox"; readonly enabled?: boolean; readonly disabledReason?: string; })[]; readonly consent?: "confirmed" | "doubleOptIn"; };
    readonly answer: (Subscriber) & (Warned);
  };
  readonly listSubscribers: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly externalUserId?: string; readonly segmentId?: string; readonly channel?: Channel; readonly address?: string; readonly phone?: string; readonly tag?: string; readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Subscriber)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly importSubscribers: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; };
    readonly body: { readonly appId?: string; readonly rows: readonly ({ readonly externalUserId?: string | null; readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly topics?: Readonly<Record<string, "in" | "out" | null>>; readonly timezone?: string | null; readonly preferredChannels?: readonly (Channel)[] | null; readonly devices?: readonly ({ readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly environment?: "production" | "sandbox"; readonly enabled?: boolean; readonly disabledReason?: string; })[]; })[]; readonly dryRun?: boolean; readonly consent?: "confirmed" | "doubleOptIn"; };
    readonly answer: (ImportResult) & (Warned);
  };
  readonly importSuppressions: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; };
    readonly body: { readonly appId?: string; readonly rows: readonly ({ readonly channel: Channel; readonly address: string; readonly scope?: "all" | "marketing"; readonly reason?: string; })[]; readonly dryRun?: boolean; };
    readonly answer: (SuppressionImportResult) & (Warned);
  };
  readonly searchSubscribers: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly filter?: Filter; readonly segmentId?: string; readonly ids?: readonly (string)[]; readonly q?: string; readonly order?: "newest" | "oldest" | "lastActive"; readonly offset?: number; readonly limit?: number; readonly tags?: readonly (string)[]; };
    readonly answer: ({ readonly items: readonly (Subscriber)[]; readonly total: number; readonly tookMs: number; }) & (Warned);
  };
  readonly changeSubscribers: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly filter?: Filter; readonly segmentId?: string; readonly ids?: readonly (string)[]; readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly suppress?: { readonly channels: readonly (Channel)[]; readonly scope?: "all" | "marketing"; readonly reason?: string; }; readonly delete?: true; readonly dryRun?: boolean; };
    readonly answer: (BulkChange) & (Warned);
  };
  readonly readBulkChange: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: BulkChange;
  };
  readonly readSubscriber: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Subscriber;
  };
  readonly updateSubscriber: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly tags?: Readonly<Record<string, string | number | boolean | readonly (string)[] | null>>; readonly topics?: Readonly<Record<string, "in" | "out" | null>>; readonly timezone?: string | null; readonly preferredChannels?: readonly (Channel)[] | null; };
    readonly saves: true;
    readonly answer: (Subscriber) & (Warned);
  };
  readonly deleteSubscriber: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly readTimeline: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (StoryEntry)[]; readonly nextCursor: string | null; readonly now: readonly (StoryEntry)[]; };
  };
  readonly exportSubscribers: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly format?: "csv" | "jsonl"; readonly segmentId?: string; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly readPreferences: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Preferences;
  };
  readonly setPreferences: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly channels?: readonly (Channel)[] | null; readonly topics?: Readonly<Record<string, "in" | "out" | "pending" | null>>; readonly language?: string | null; readonly timezone?: string | null; };
    readonly answer: (Preferences) & (Warned);
  };
  readonly listTagNames: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (UsedName)[]; readonly nextCursor: string | null; };
  };
  readonly deleteTagName: {
    readonly path: { readonly appId: string; readonly name: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly addDevice: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly channel: Channel; readonly endpoint: string | { readonly endpoint: string; readonly keys: { readonly p256dh: string; readonly auth: string; }; }; readonly environment?: "production" | "sandbox"; readonly enabled?: boolean; readonly disabledReason?: string; };
    readonly answer: (Device) & (Warned);
  };
  readonly updateDevice: {
    readonly path: { readonly appId: string; readonly id: string; readonly deviceId: string; };
    readonly query: undefined;
    readonly body: { readonly enabled: boolean; };
    readonly saves: true;
    readonly answer: (Device) & (Warned);
  };
  readonly deleteDevice: {
    readonly path: { readonly appId: string; readonly id: string; readonly deviceId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly resumeDevice: {
    readonly path: { readonly appId: string; readonly id: string; readonly deviceId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Device;
  };
  readonly endSubscriberSessions: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly createTopic: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly key: string; readonly name: string; readonly description?: string | null; readonly default?: "in" | "out"; readonly doubleOptIn?: boolean; };
    readonly answer: (Topic) & (Warned);
  };
  readonly listTopics: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Topic)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readTopic: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Topic;
  };
  readonly updateTopic: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: { readonly key?: string; readonly name?: string; readonly description?: string | null; readonly default?: "in" | "out"; readonly doubleOptIn?: boolean; };
    readonly saves: true;
    readonly answer: (Topic) & (Warned);
  };
  readonly deleteTopic: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly addSuppression: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly channel: Channel; readonly address: string; readonly scope?: "all" | "marketing"; readonly reason?: string; };
    readonly answer: (Suppression) & (Warned);
  };
  readonly listSuppressions: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly channel?: Channel; readonly address?: string; readonly q?: string; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Suppression)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly deleteSuppression: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly channel: Channel; readonly address: string; };
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly listDoubtful: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (DoubtfulOptOut)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly decideDoubtful: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly decision: "opt_out" | "dismiss"; readonly scope?: "all" | "marketing"; };
    readonly answer: ({ readonly suppression: Suppression | null; }) & (Warned);
  };
  readonly readOptIns: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly queued: number; readonly waiting: number; readonly confirmed: number; readonly mailsPerMinute: number; readonly nextMailAt: string | null; readonly warnings?: readonly ({ readonly field: string; readonly warning: string; })[]; };
  };
  readonly createRelay: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name: string; readonly channel?: "email" | "sms" | "voice"; readonly kind: "smtp" | "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "http"; readonly config: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; };
    readonly answer: (Relay) & (Warned);
  };
  readonly listRelays: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Relay)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readRelay: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Relay;
  };
  readonly updateRelay: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly config?: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; };
    readonly saves: true;
    readonly answer: (Relay) & (Warned);
  };
  readonly deleteRelay: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly checkRelay: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CredentialCheck;
  };
  readonly tryRelay: {
    readonly path: { readonly appId: string; readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly to: string; readonly text?: string; readonly send?: boolean; readonly config?: RelayConfig; };
    readonly answer: (RelayTrial) & (Warned);
  };
  readonly createSharedRelay: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly name: string; readonly channel?: "email" | "sms" | "voice"; readonly kind: "smtp" | "ses" | "sendgrid" | "postmark" | "mailgun" | "resend" | "brevo" | "http"; readonly config: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; };
    readonly answer: (Relay) & (Warned);
  };
  readonly listSharedRelays: {
    readonly path: undefined;
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Relay)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readSharedRelay: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Relay;
  };
  readonly updateSharedRelay: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly config?: RelayConfig; readonly streams?: readonly ("transactional" | "marketing")[]; readonly order?: number; readonly perSecond?: number | null; readonly perDay?: number | null; readonly enabled?: boolean; };
    readonly saves: true;
    readonly answer: (Relay) & (Warned);
  };
  readonly deleteSharedRelay: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly checkSharedRelay: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CredentialCheck;
  };
  readonly trySharedRelay: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly to: string; readonly text?: string; readonly send?: boolean; readonly config?: RelayConfig; };
    readonly answer: (RelayTrial) & (Warned);
  };
  readonly listRelayRecipes: {
    readonly path: undefined;
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (RelayRecipe)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly createForm: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly key: string; readonly name: string; readonly consent: string; readonly fields?: readonly ({ readonly tag: string; readonly label: string; readonly type: "text" | "checkbox"; readonly required?: boolean; })[]; readonly topics?: readonly (string)[]; readonly redirectUrl?: string | null; readonly archived?: boolean; };
    readonly answer: (Form) & (Warned);
  };
  readonly listForms: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Form)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readForm: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Form;
  };
  readonly updateForm: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: { readonly key?: string; readonly name?: string; readonly consent?: string; readonly fields?: readonly ({ readonly tag: string; readonly label: string; readonly type: "text" | "checkbox"; readonly required?: boolean; })[]; readonly topics?: readonly (string)[]; readonly redirectUrl?: string | null; readonly archived?: boolean; };
    readonly saves: true;
    readonly answer: (Form) & (Warned);
  };
  readonly deleteForm: {
    readonly path: { readonly appId: string; readonly key: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly askTls: {
    readonly path: undefined;
    readonly query: { readonly domain: string; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly receiveSmsStatus: {
    readonly path: undefined;
    readonly query: { readonly app: string; readonly send: string; readonly device: string; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly receiveVoiceStatus: {
    readonly path: undefined;
    readonly query: { readonly app: string; readonly send: string; readonly device: string; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly receiveSms: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly subscribeWhatsapp: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly "hub.mode"?: string; readonly "hub.verify_token"?: string; readonly "hub.challenge"?: string; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly receiveWhatsapp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveRcs: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly receiveTelegram: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveLine: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveZalo: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveViber: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveRelay: {
    readonly path: { readonly relayId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveRelayQuery: {
    readonly path: { readonly relayId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CallbackCounts;
  };
  readonly receiveStripe: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: StripeEventResult;
  };
  readonly trackEvents: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: EventBatch;
    readonly answer: ({ readonly accepted: number; readonly rejected: number; readonly errors: readonly ({ readonly index: number; readonly error: string; })[]; }) & (Warned);
  };
  readonly receiveCdp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: CdpBody;
    readonly answer: { readonly success: true; readonly problems?: number; readonly errors?: readonly ({ readonly index: number; readonly error: string; })[]; };
  };
  readonly listEvents: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly subscriberId?: string; readonly name?: string; readonly campaignId?: string; readonly journeyId?: string; readonly sendId?: string; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Event)[]; readonly nextCursor: string | null; };
  };
  readonly listEventNames: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (UsedEventName)[]; readonly nextCursor: string | null; };
  };
  readonly deleteEventName: {
    readonly path: { readonly appId: string; readonly name: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly readEventTrends: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly events?: string; readonly origin?: "app" | "engage"; readonly days?: number; readonly interval?: "hour" | "day" | "week"; };
    readonly body: undefined;
    readonly answer: { readonly interval: "hour" | "day" | "week"; readonly buckets: readonly ({ readonly at: string; readonly counts: Readonly<Record<string, number>>; })[]; };
  };
  readonly readEngagementHeatmap: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly days?: number; };
    readonly body: undefined;
    readonly answer: { readonly cells: readonly ({ readonly weekday: number; readonly hour: number; readonly delivered: number; readonly opened: number; readonly clicked: number; })[]; };
  };
  readonly readChannelHealth: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly days?: number; };
    readonly body: undefined;
    readonly answer: { readonly channels: Readonly<Record<string, { readonly delivered: number; readonly bounced: number; readonly suppressed: number; readonly failed: number; readonly bounceRate: number; }>>; };
  };
  readonly readMailboxProviders: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly days?: number; readonly domain?: string; readonly relay?: string; };
    readonly body: undefined;
    readonly answer: { readonly dates: readonly (string)[]; readonly providers: readonly ({ readonly provider: "gmail" | "microsoft" | "yahoo" | "apple" | "proton" | "zoho" | "qq" | "netease" | "naver" | "others"; readonly total: { readonly sent: number; readonly delivered: number; readonly deferred: number; readonly bouncedHard: number; readonly bouncedSoft: number; readonly complained: number; readonly openedByPeople: number; readonly openedByMachines: number; readonly clicked: number; readonly clickedByMachines: number; }; readonly daily: Readonly<Record<string, readonly (number)[]>>; readonly reasons: readonly ({ readonly figure: "deferred" | "bouncedHard" | "bouncedSoft"; readonly reason: string; readonly detail: string | null; readonly count: number; readonly lastAt: string; })[]; })[]; readonly domains: readonly ({ readonly domain: string | null; readonly total: { readonly sent: number; readonly delivered: number; readonly deferred: number; readonly bouncedHard: number; readonly bouncedSoft: number; readonly complained: number; readonly openedByPeople: number; readonly openedByMachines: number; readonly clicked: number; readonly clickedByMachines: number; }; readonly daily: Readonly<Record<string, readonly (number)[]>>; })[]; readonly relays: readonly ({ readonly relay: string | null; readonly total: { readonly sent: number; readonly delivered: number; readonly deferred: number; readonly bouncedHard: number; readonly bouncedSoft: number; readonly complained: number; readonly openedByPeople: number; readonly openedByMachines: number; readonly clicked: number; readonly clickedByMachines: number; }; readonly daily: Readonly<Record<string, readonly (number)[]>>; })[]; };
  };
  readonly readDeliveryFailures: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly days?: number; readonly limit?: number; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly ({ readonly reason: string; readonly lane: "transactional" | "campaign" | "journey"; readonly channel: string; readonly count: number; readonly recovered: number; readonly lastAt: string; })[]; };
  };
  readonly readSubscriberGrowth: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly days?: number; readonly interval?: "hour" | "day" | "week"; };
    readonly body: undefined;
    readonly answer: { readonly buckets: readonly ({ readonly at: string; readonly new: number; readonly total: number; })[]; };
  };
  readonly readFunnel: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; };
    readonly body: { readonly appId?: string; readonly steps: readonly ({ readonly event: string; })[]; readonly days?: number; readonly withinHours?: number; readonly filter?: Filter; };
    readonly answer: ({ readonly steps: readonly ({ readonly event: string; readonly count: number; readonly conversionFromPrevious: number | null; readonly conversionFromFirst: number | null; readonly medianSecondsFromPrevious: number | null; })[]; }) & (Warned);
  };
  readonly readRetention: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly event?: string; readonly interval?: "day" | "week" | "month"; readonly periods?: number; };
    readonly body: undefined;
    readonly answer: { readonly interval: "day" | "week" | "month"; readonly cohorts: readonly ({ readonly at: string; readonly people: number; readonly periods: readonly ({ readonly at: string; readonly active: number; readonly share: number | null; })[]; })[]; };
  };
  readonly readRfm: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly days?: number; readonly event?: string; readonly valueProp?: string; };
    readonly body: undefined;
    readonly answer: { readonly people: number; readonly edges: { readonly recency: readonly (string)[]; readonly frequency: readonly (number)[]; }; readonly cells: readonly ({ readonly recency: number; readonly frequency: number; readonly people: number; readonly value?: number; })[]; };
  };
  readonly createApp: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly name: string; readonly timezone?: string; };
    readonly answer: (App) & (Warned);
  };
  readonly listApps: {
    readonly path: undefined;
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (App)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readApp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: App;
  };
  readonly updateApp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly name?: string; readonly timezone?: string; };
    readonly saves: true;
    readonly answer: (App) & (Warned);
  };
  readonly deleteApp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly streamLive: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly topics: string; readonly seconds?: number; };
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly readSettings: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: AppSettings;
  };
  readonly updateSettings: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly caps?: readonly ({ readonly channel?: Channel; readonly max: number; readonly perHours: number; })[]; readonly quietHours?: { readonly start: string; readonly end: string; readonly timezone?: string; readonly channels?: readonly (Channel)[]; } | null; readonly campaignGuard?: { readonly bounceShare?: number | null; readonly bouncesAfterCalls?: number; readonly complaintShare?: number | null; readonly complaintsAfterDeliveries?: number; readonly senderRefusalsInARow?: number | null; } | null; readonly softBounces?: { readonly inARow: number; readonly overDays: number; readonly restDays: number; } | null; readonly webhookUrl?: string | null; readonly secret?: string | null; readonly email?: { readonly fromName?: string | null; readonly fromAddress?: string | null; readonly replyTo?: string | null; readonly unsubscribeText?: string | null; }; readonly eventsRetentionDays?: number | null; readonly emailTracking?: boolean; readonly unsubscribe?: "none" | "footer" | "header" | "both" | null; readonly unsubscribeScope?: "all" | "marketing"; readonly doubleOptIn?: boolean; readonly displayName?: readonly (string)[] | null; readonly keywords?: { readonly stop?: readonly (string)[]; readonly start?: readonly (string)[]; } | null; readonly wording?: Readonly<Record<string, { readonly open?: string; readonly unsubscribe?: string; readonly confirmTitle?: string; readonly confirmText?: string; readonly confirmMarketingText?: string; readonly everything?: string; readonly doneTitle?: string; readonly doneText?: string; readonly doneMarketingText?: string; }>> | null; readonly utm?: { readonly source?: string | null; readonly medium?: string | null; readonly campaign?: string | null; readonly term?: string | null; readonly content?: string | null; } | null; readonly refuseDisposableAddresses?: boolean; readonly keylessPeoplePerMinute?: number | null; readonly anonymousExpiryDays?: number | null; readonly identityVerification?: "required" | "first-use" | "open" | null; readonly keylessEvents?: { readonly startJourneys?: boolean; readonly countEngagement?: boolean; readonly registerPaidChannels?: boolean | null; }; readonly textPrices?: { readonly currency: string; readonly perSegment?: number; readonly byCountry?: Readonly<Record<string, number>>; } | null; readonly undoSendSeconds?: number | null; readonly defaultCountry?: string | null; };
    readonly saves: true;
    readonly answer: (AppSettings) & (Warned);
  };
  readonly createIdentitySecret: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly endClientTokens?: "true" | "false"; };
    readonly body: undefined;
    readonly answer: { readonly secret: string; };
  };
  readonly putCredential: {
    readonly path: { readonly appId: string; readonly channel: string; };
    readonly query: undefined;
    readonly body: CredentialUpload;
    readonly answer: (StoredCredential) & (Warned);
  };
  readonly deleteCredential: {
    readonly path: { readonly appId: string; readonly channel: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly listChannels: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly items: readonly (ChannelState)[]; };
  };
  readonly listCredentials: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Credential)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly checkStoredCredential: {
    readonly path: { readonly appId: string; readonly channel: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: CredentialCheck;
  };
  readonly addEmailDomain: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly domain: string; };
    readonly answer: (EmailDomain) & (Warned);
  };
  readonly listEmailDomains: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (EmailDomain)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly readEmailDomain: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: EmailDomain;
  };
  readonly deleteEmailDomain: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly verifyEmailDomain: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: EmailDomain;
  };
  readonly readDmarcReports: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: { readonly days?: number; };
    readonly body: undefined;
    readonly answer: { readonly total: { readonly messages: number; readonly passed: number; readonly quarantined: number; readonly rejected: number; }; readonly days: readonly ({ readonly date: string; readonly messages: number; readonly passed: number; readonly quarantined: number; readonly rejected: number; })[]; readonly reporters: readonly ({ readonly org: string | null; readonly reports: number; readonly messages: number; })[]; readonly sources: readonly ({ readonly ip: string | null; readonly headerFrom: string | null; readonly messages: number; readonly spf: "pass" | "fail" | "none"; readonly spfAligned: boolean; readonly dkim: "pass" | "fail" | "none"; readonly dkimAligned: boolean; readonly disposition: "none" | "quarantine" | "reject"; })[]; };
  };
  readonly readWarmUp: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WarmUp;
  };
  readonly putWarmUp: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: undefined;
    readonly body: { readonly startsAt?: string; readonly days?: readonly ({ readonly max: number; readonly perProvider?: Readonly<Record<string, number>>; })[]; readonly held?: boolean; };
    readonly saves: true;
    readonly answer: (WarmUp) & (Warned);
  };
  readonly deleteWarmUp: {
    readonly path: { readonly appId: string; readonly domain: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly listCatalog: {
    readonly path: undefined;
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (IntegrationType)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly listIntegrations: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Destination | Integration)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly putCdp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly devicesFromTraits?: boolean; readonly consent?: "confirmed" | "doubleOptIn"; };
    readonly saves: true;
    readonly answer: ({ readonly type: "cdp"; readonly enabled: boolean; readonly devicesFromTraits: boolean; readonly consent: "confirmed" | "doubleOptIn"; readonly etag: string; readonly createdAt: string; readonly updatedAt: string; readonly writeKey: string; readonly path: string; }) & (Warned);
  };
  readonly updateCdp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly devicesFromTraits?: boolean; readonly consent?: "confirmed" | "doubleOptIn"; };
    readonly saves: true;
    readonly answer: (Integration) & (Warned);
  };
  readonly deleteCdp: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly createWriteKey: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly writeKey: string; };
  };
  readonly putSlack: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: ChatWorkspaceConfiguration;
    readonly saves: true;
    readonly answer: (Destination) & (Warned);
  };
  readonly putWebhook: {
    readonly path: { readonly appId: string; readonly type: string; };
    readonly query: undefined;
    readonly body: WebhookConfiguration;
    readonly saves: true;
    readonly answer: (SavedDestination) & (Warned);
  };
  readonly readIntegration: {
    readonly path: { readonly appId: string; readonly type: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Destination | Integration;
  };
  readonly deleteIntegration: {
    readonly path: { readonly appId: string; readonly type: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly rotateWebhookSecret: {
    readonly path: { readonly appId: string; readonly type: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly secret: string; };
  };
  readonly testIntegration: {
    readonly path: { readonly appId: string; readonly type: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookDelivery;
  };
  readonly listWebhookDeliveries: {
    readonly path: { readonly appId: string; };
    readonly query: { readonly status?: "pending" | "retrying" | "delivered" | "stopped" | "dead"; readonly event?: "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "webhook.test" | "integration.disabled" | "message.complained"; readonly type?: string; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (WebhookDelivery)[]; readonly nextCursor: string | null; };
  };
  readonly readWebhookDelivery: {
    readonly path: { readonly appId: string; readonly deliveryId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: WebhookDeliveryDetail;
  };
  readonly retryWebhookDelivery: {
    readonly path: { readonly appId: string; readonly deliveryId: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly id: string; };
  };
  readonly retryWebhookDeliveries: {
    readonly path: { readonly appId: string; };
    readonly query: undefined;
    readonly body: { readonly status: "dead" | "stopped"; readonly event?: "campaign.completed" | "campaign.failed" | "delivery.degraded" | "campaign.chunk_processed" | "message.delivered" | "message.bounced" | "message.suppressed" | "message.deferred" | "message.failed" | "message.opened" | "message.clicked" | "message.dismissed" | "subscriber.unsubscribed" | "webhook.test" | "integration.disabled" | "message.complained"; readonly type?: string; readonly from?: string; readonly to?: string; };
    readonly answer: ({ readonly retried: number; }) & (Warned);
  };
  readonly createKey: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly name: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; readonly appId?: string | null; };
    readonly answer: ({ readonly id: string; readonly name: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; readonly appId: string | null; readonly etag: string; readonly createdAt: string; readonly key: string; }) & (Warned);
  };
  readonly listKeys: {
    readonly path: undefined;
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (ApiKey)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly deleteKey: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly createOrg: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly name: string; };
    readonly answer: ({ readonly org: Org; readonly apiKey: { readonly id: string; readonly key: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; }; }) & (Warned);
  };
  readonly setOrgLimits: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly dailySendCap?: number | null; readonly rateLimits?: { readonly transactional?: number | null; readonly standard?: number | null; }; readonly emailAllowance?: number | null; readonly emailDomains?: readonly (string)[]; readonly storageQuotaBytes?: number | null; };
    readonly saves: true;
    readonly answer: (Org) & (Warned);
  };
  readonly readOrg: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Org;
  };
  readonly updateOrg: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly name?: string; };
    readonly saves: true;
    readonly answer: (Org) & (Warned);
  };
  readonly readOrgLimits: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: OrgLimits;
  };
  readonly listAuditLog: {
    readonly path: undefined;
    readonly query: { readonly appId?: string; readonly actor?: string; readonly action?: "org.created" | "org.renamed" | "org.limits_changed" | "org.deleted" | "branding.changed" | "client.created" | "client.deleted" | "member.added" | "member.accepted" | "member.role_changed" | "member.removed" | "member.declined" | "member.left" | "key.created" | "key.deleted" | "app.created" | "app.changed" | "app.deleted" | "settings.changed" | "credential.uploaded" | "credential.removed" | "email_domain.added" | "email_domain.verified" | "email_domain.failed" | "email_domain.deleted" | "warm_up.started" | "warm_up.changed" | "warm_up.deleted" | "identity_secret.created" | "write_key.created" | "integration.removed" | "sessions.ended" | "subscriber.erased" | "subscribers.bulk_changed" | "integration.saved" | "integration.disabled" | "integration.secret_replaced" | "relay.created" | "relay.changed" | "relay.deleted" | "form.created" | "form.changed" | "form.deleted" | "topic.created" | "topic.changed" | "topic.deleted" | "suppression.removed" | "doubtful_opt_out.decided" | "template.renamed" | "template.deleted" | "campaign.sent" | "campaign.started" | "campaign.unscheduled" | "campaign.changed" | "campaign.archived" | "campaign.unarchived" | "campaign.paused" | "campaign.resumed" | "campaign.canceled" | "campaign.completed" | "campaign.failed" | "campaign.deleted" | "journey.activated" | "journey.paused" | "journey.corrected" | "journey.archived" | "journey.unarchived" | "journey.deleted" | "dead_letters.redriven" | "billing.checkout_started" | "billing.method_connected" | "billing.method_removed" | "invoice.issued" | "invoice.paid" | "invoice.charge_started" | "invoice.charge_failed" | "invoice.failed"; readonly target?: string; readonly from?: string; readonly to?: string; readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (AuditNote)[]; readonly nextCursor: string | null; };
  };
  readonly readUsage: {
    readonly path: undefined;
    readonly query: { readonly month?: string; };
    readonly body: undefined;
    readonly answer: OrgUsage;
  };
  readonly readBranding: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Branding;
  };
  readonly updateBranding: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly productName?: string | null; readonly logoUrl?: string | null; readonly accentColor?: string | null; readonly hideServiceBranding?: boolean | null; };
    readonly saves: true;
    readonly answer: (Branding) & (Warned);
  };
  readonly createClient: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly name: string; readonly idempotencyKey?: string | null; };
    readonly answer: ({ readonly org: Org; readonly apiKey: { readonly id: string; readonly key: string; readonly scopes: readonly ("read" | "write" | "send" | "admin")[]; }; }) & (Warned);
  };
  readonly listClients: {
    readonly path: undefined;
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (ClientWorkspace)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly deleteClient: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly addMember: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly email: string; readonly role: "owner" | "editor" | "viewer"; };
    readonly answer: (Member) & (Warned);
  };
  readonly listMembers: {
    readonly path: undefined;
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (Member)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly updateMember: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: { readonly role: "owner" | "editor" | "viewer"; };
    readonly saves: true;
    readonly answer: (Member) & (Warned);
  };
  readonly removeMember: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly saves: true;
    readonly answer: undefined;
  };
  readonly mailSignInLink: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly email: string; };
    readonly answer: ({ readonly accepted: true; }) & (Warned);
  };
  readonly readSignInLink: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly link: string; };
    readonly answer: ({ readonly email: string; readonly org: { readonly id: string; readonly name: string; }; readonly orgs: readonly ({ readonly id: string; readonly name: string; readonly invited: boolean; })[]; readonly expiresAt: string; }) & (Warned);
  };
  readonly openSession: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: { readonly link?: string; readonly once?: string; readonly apiKey?: string; readonly org?: string; };
    readonly answer: (OpenedSession) & (Warned);
  };
  readonly readSession: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: OpenedSession | { readonly signedIn: false; readonly setup: boolean; readonly mode: "sandbox" | "live"; };
  };
  readonly endSession: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly leaveOrg: {
    readonly path: { readonly org: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly listOrgSessions: {
    readonly path: undefined;
    readonly query: { readonly order?: "newest" | "oldest"; readonly limit?: number; readonly cursor?: string; readonly q?: string; };
    readonly body: undefined;
    readonly answer: { readonly items: readonly (OrgSession)[]; readonly nextCursor: string | null; readonly total: number | null; };
  };
  readonly endOrgSession: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
  readonly callTools: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: McpMessage | readonly (McpMessage)[];
    readonly answer: ({ readonly jsonrpc: "2.0"; readonly id?: string | number; readonly result?: Readonly<Record<string, unknown>>; readonly error?: { readonly code: number; readonly message: string; }; } | readonly ({ readonly jsonrpc: "2.0"; readonly id?: string | number; readonly result?: Readonly<Record<string, unknown>>; readonly error?: { readonly code: number; readonly message: string; }; })[]) & (Warned) | undefined;
  };
  readonly readInvoicePreview: {
    readonly path: undefined;
    readonly query: { readonly month?: string; };
    readonly body: undefined;
    readonly answer: InvoicePreview;
  };
  readonly readBilling: {
    readonly path: undefined;
    readonly query: { readonly limit?: number; readonly cursor?: string; };
    readonly body: undefined;
    readonly answer: OrgBilling;
  };
  readonly readInvoice: {
    readonly path: { readonly id: string; };
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Invoice;
  };
  readonly startCheckout: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: Checkout;
  };
  readonly readHealth: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly status: "ok"; };
  };
  readonly readReadiness: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: { readonly status: "ready"; readonly warnings?: readonly ({ readonly code: "clock_behind" | "clock_unconfirmed" | "quarantined"; readonly seconds?: number; readonly count?: number; readonly message: string; })[]; };
  };
  readonly readSecurityText: {
    readonly path: undefined;
    readonly query: undefined;
    readonly body: undefined;
    readonly answer: undefined;
  };
}

/** Method and path of each operation. */
export const operations = {
  sendNotification: ['POST', '/v1/apps/{appId}/notifications'],
  listNotifications: ['GET', '/v1/apps/{appId}/notifications'],
  sendBatch: ['POST', '/v1/apps/{appId}/notifications/batch'],
  readNotification: ['GET', '/v1/apps/{appId}/notifications/{id}'],
  previewNotification: ['GET', '/v1/apps/{appId}/notifications/{id}/preview'],
  listDeadLetters: ['GET', '/v1/apps/{appId}/dead-letters'],
  redriveDeadLetters: ['POST', '/v1/apps/{appId}/dead-letters/redrive'],
  listLiveActivities: ['GET', '/v1/apps/{appId}/live-activities'],
  updateLiveActivity: ['POST', '/v1/apps/{appId}/live-activities/{id}/update'],
  endLiveActivity: ['POST', '/v1/apps/{appId}/live-activities/{id}/end'],
  createMessage: ['POST', '/v1/apps/{appId}/messages'],
  listMessages: ['GET', '/v1/apps/{appId}/messages'],
  duplicateMessage: ['POST', '/v1/apps/{appId}/messages/{id}/duplicate'],
  readMessage: ['GET', '/v1/apps/{appId}/messages/{id}'],
  updateMessage: ['PATCH', '/v1/apps/{appId}/messages/{id}'],
  deleteMessage: ['DELETE', '/v1/apps/{appId}/messages/{id}'],
  listMessageUses: ['GET', '/v1/apps/{appId}/messages/{id}/uses'],
  previewMessage: ['POST', '/v1/apps/{appId}/messages/{id}/preview'],
  previewDraft: ['POST', '/v1/apps/{appId}/messages/preview'],
  testMessage: ['POST', '/v1/apps/{appId}/messages/{id}/test'],
  uploadAsset: ['POST', '/v1/apps/{appId}/assets'],
  listAssets: ['GET', '/v1/apps/{appId}/assets'],
  deleteAsset: ['DELETE', '/v1/apps/{appId}/assets/{id}'],
  createMessageTemplate: ['POST', '/v1/apps/{appId}/message-templates'],
  listMessageTemplates: ['GET', '/v1/apps/{appId}/message-templates'],
  readMessageTemplate: ['GET', '/v1/apps/{appId}/message-templates/{idOrName}'],
  updateMessageTemplate: ['PATCH', '/v1/apps/{appId}/message-templates/{idOrName}'],
  deleteMessageTemplate: ['DELETE', '/v1/apps/{appId}/message-templates/{idOrName}'],
  createCampaign: ['POST', '/v1/apps/{appId}/campaigns'],
  listCampaigns: ['GET', '/v1/apps/{appId}/campaigns'],
  duplicateCampaign: ['POST', '/v1/campaigns/{id}/duplicate'],
  duplicateCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/duplicate'],
  readCampaignOfApp: ['GET', '/v1/apps/{appId}/campaigns/{id}'],
  updateCampaign: ['PATCH', '/v1/apps/{appId}/campaigns/{id}'],
  deleteCampaign: ['DELETE', '/v1/apps/{appId}/campaigns/{id}'],
  readCampaign: ['GET', '/v1/campaigns/{id}'],
  sendCampaign: ['POST', '/v1/campaigns/{id}/send'],
  sendCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/send'],
  pauseCampaign: ['POST', '/v1/campaigns/{id}/pause'],
  pauseCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/pause'],
  resumeCampaign: ['POST', '/v1/campaigns/{id}/resume'],
  resumeCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/resume'],
  cancelCampaign: ['POST', '/v1/campaigns/{id}/cancel'],
  cancelCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/cancel'],
  readCampaignLinks: ['GET', '/v1/apps/{appId}/campaigns/{id}/links'],
  listRecipients: ['GET', '/v1/apps/{appId}/campaigns/{id}/recipients'],
  archiveCampaign: ['POST', '/v1/campaigns/{id}/archive'],
  archiveCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/archive'],
  unarchiveCampaign: ['POST', '/v1/campaigns/{id}/unarchive'],
  unarchiveCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/unarchive'],
  unscheduleCampaign: ['POST', '/v1/campaigns/{id}/unschedule'],
  unscheduleCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/unschedule'],
  readCampaignStats: ['GET', '/v1/apps/{appId}/campaigns/{id}/stats'],
  readCampaignSeries: ['GET', '/v1/apps/{appId}/campaigns/{id}/series'],
  compareCampaigns: ['GET', '/v1/campaigns/stats'],
  exportCampaigns: ['GET', '/v1/campaigns/export'],
  previewCampaign: ['POST', '/v1/apps/{appId}/campaigns/{id}/preview'],
  dryRunCampaign: ['POST', '/v1/campaigns/{id}/dry-run'],
  dryRunCampaignOfApp: ['POST', '/v1/apps/{appId}/campaigns/{id}/dry-run'],
  readDryRun: ['GET', '/v1/campaigns/{id}/dry-run/{dryRunId}'],
  readDryRunOfApp: ['GET', '/v1/apps/{appId}/campaigns/{id}/dry-run/{dryRunId}'],
  readCampaignCost: ['GET', '/v1/apps/{appId}/campaigns/{id}/dry-run/{dryRunId}/cost'],
  createJourney: ['POST', '/v1/apps/{appId}/journeys'],
  listJourneys: ['GET', '/v1/apps/{appId}/journeys'],
  duplicateJourney: ['POST', '/v1/apps/{appId}/journeys/{id}/duplicate'],
  readJourney: ['GET', '/v1/apps/{appId}/journeys/{id}'],
  updateJourney: ['PATCH', '/v1/apps/{appId}/journeys/{id}'],
  deleteJourney: ['DELETE', '/v1/apps/{appId}/journeys/{id}'],
  archiveJourney: ['POST', '/v1/apps/{appId}/journeys/{id}/archive'],
  unarchiveJourney: ['POST', '/v1/apps/{appId}/journeys/{id}/unarchive'],
  correctStep: ['PATCH', '/v1/apps/{appId}/journeys/{id}/steps/{stepId}'],
  readJourneyStats: ['GET', '/v1/apps/{appId}/journeys/{id}/stats'],
  listJourneyPeople: ['GET', '/v1/apps/{appId}/journeys/{id}/people'],
  simulateJourney: ['POST', '/v1/apps/{appId}/journeys/{id}/simulate'],
  simulateUnsaved: ['POST', '/v1/apps/{appId}/journeys/simulate'],
  forecastJourney: ['POST', '/v1/apps/{appId}/journeys/{id}/forecast'],
  createInAppMessage: ['POST', '/v1/apps/{appId}/in-app-messages'],
  listInAppMessages: ['GET', '/v1/apps/{appId}/in-app-messages'],
  readInAppMessage: ['GET', '/v1/apps/{appId}/in-app-messages/{id}'],
  updateInAppMessage: ['PATCH', '/v1/apps/{appId}/in-app-messages/{id}'],
  deleteInAppMessage: ['DELETE', '/v1/apps/{appId}/in-app-messages/{id}'],
  createFlag: ['POST', '/v1/apps/{appId}/flags'],
  listFlags: ['GET', '/v1/apps/{appId}/flags'],
  readFlag: ['GET', '/v1/apps/{appId}/flags/{key}'],
  updateFlag: ['PATCH', '/v1/apps/{appId}/flags/{key}'],
  deleteFlag: ['DELETE', '/v1/apps/{appId}/flags/{key}'],
  evaluateFlag: ['GET', '/v1/apps/{appId}/flags/{key}/evaluate'],
  createSegment: ['POST', '/v1/apps/{appId}/segments'],
  listSegments: ['GET', '/v1/apps/{appId}/segments'],
  duplicateSegment: ['POST', '/v1/apps/{appId}/segments/{id}/duplicate'],
  previewSegment: ['POST', '/v1/apps/{appId}/segments/preview'],
  readSegment: ['GET', '/v1/apps/{appId}/segments/{id}'],
  updateSegment: ['PATCH', '/v1/apps/{appId}/segments/{id}'],
  deleteSegment: ['DELETE', '/v1/apps/{appId}/segments/{id}'],
  countSegment: ['GET', '/v1/apps/{appId}/segments/{id}/count'],
  explainSegment: ['GET', '/v1/apps/{appId}/segments/{id}/explain'],
  listSubscriberSegments: ['GET', '/v1/apps/{appId}/subscribers/{id}/segments'],
  listSegmentUses: ['GET', '/v1/apps/{appId}/segments/{id}/uses'],
  listFields: ['GET', '/v1/apps/{appId}/fields'],
  upsertSubscriber: ['POST', '/v1/apps/{appId}/subscribers'],
  listSubscribers: ['GET', '/v1/apps/{appId}/subscribers'],
  importSubscribers: ['POST', '/v1/import/subscribers'],
  importSuppressions: ['POST', '/v1/import/suppressions'],
  searchSubscribers: ['POST', '/v1/apps/{appId}/subscribers/search'],
  changeSubscribers: ['POST', '/v1/apps/{appId}/subscribers/bulk'],
  readBulkChange: ['GET', '/v1/apps/{appId}/subscribers/bulk/{id}'],
  readSubscriber: ['GET', '/v1/apps/{appId}/subscribers/{id}'],
  updateSubscriber: ['PATCH', '/v1/apps/{appId}/subscribers/{id}'],
  deleteSubscriber: ['DELETE', '/v1/apps/{appId}/subscribers/{id}'],
  readTimeline: ['GET', '/v1/apps/{appId}/subscribers/{id}/timeline'],
  exportSubscribers: ['GET', '/v1/apps/{appId}/subscribers/export'],
  readPreferences: ['GET', '/v1/apps/{appId}/subscribers/{id}/preferences'],
  setPreferences: ['PUT', '/v1/apps/{appId}/subscribers/{id}/preferences'],
  listTagNames: ['GET', '/v1/apps/{appId}/tag-names'],
  deleteTagName: ['DELETE', '/v1/apps/{appId}/tag-names/{name}'],
  addDevice: ['POST', '/v1/apps/{appId}/subscribers/{id}/devices'],
  updateDevice: ['PATCH', '/v1/apps/{appId}/subscribers/{id}/devices/{deviceId}'],
  deleteDevice: ['DELETE', '/v1/apps/{appId}/subscribers/{id}/devices/{deviceId}'],
  resumeDevice: ['POST', '/v1/apps/{appId}/subscribers/{id}/devices/{deviceId}/resume'],
  endSubscriberSessions: ['POST', '/v1/apps/{appId}/subscribers/{id}/end-sessions'],
  createTopic: ['POST', '/v1/apps/{appId}/topics'],
  listTopics: ['GET', '/v1/apps/{appId}/topics'],
  readTopic: ['GET', '/v1/apps/{appId}/topics/{key}'],
  updateTopic: ['PATCH', '/v1/apps/{appId}/topics/{key}'],
  deleteTopic: ['DELETE', '/v1/apps/{appId}/topics/{key}'],
  addSuppression: ['POST', '/v1/apps/{appId}/suppressions'],
  listSuppressions: ['GET', '/v1/apps/{appId}/suppressions'],
  deleteSuppression: ['DELETE', '/v1/apps/{appId}/suppressions'],
  listDoubtful: ['GET', '/v1/apps/{appId}/suppressions/doubtful'],
  decideDoubtful: ['POST', '/v1/apps/{appId}/suppressions/doubtful/{id}'],
  readOptIns: ['GET', '/v1/apps/{appId}/opt-ins'],
  createRelay: ['POST', '/v1/apps/{appId}/relays'],
  listRelays: ['GET', '/v1/apps/{appId}/relays'],
  readRelay: ['GET', '/v1/apps/{appId}/relays/{id}'],
  updateRelay: ['PATCH', '/v1/apps/{appId}/relays/{id}'],
  deleteRelay: ['DELETE', '/v1/apps/{appId}/relays/{id}'],
  checkRelay: ['POST', '/v1/apps/{appId}/relays/{id}/check'],
  tryRelay: ['POST', '/v1/apps/{appId}/relays/{id}/try'],
  createSharedRelay: ['POST', '/v1/org/relays'],
  listSharedRelays: ['GET', '/v1/org/relays'],
  readSharedRelay: ['GET', '/v1/org/relays/{id}'],
  updateSharedRelay: ['PATCH', '/v1/org/relays/{id}'],
  deleteSharedRelay: ['DELETE', '/v1/org/relays/{id}'],
  checkSharedRelay: ['POST', '/v1/org/relays/{id}/check'],
  trySharedRelay: ['POST', '/v1/org/relays/{id}/try'],
  listRelayRecipes: ['GET', '/v1/relay-recipes'],
  createForm: ['POST', '/v1/apps/{appId}/forms'],
  listForms: ['GET', '/v1/apps/{appId}/forms'],
  readForm: ['GET', '/v1/apps/{appId}/forms/{key}'],
  updateForm: ['PATCH', '/v1/apps/{appId}/forms/{key}'],
  deleteForm: ['DELETE', '/v1/apps/{appId}/forms/{key}'],
  askTls: ['GET', '/tls/ask'],
  receiveSmsStatus: ['POST', '/v1/webhooks/twilio/sms-status'],
  receiveVoiceStatus: ['POST', '/v1/webhooks/twilio/voice-status'],
  receiveSms: ['POST', '/v1/webhooks/twilio/sms-inbound/{appId}'],
  subscribeWhatsapp: ['GET', '/v1/webhooks/whatsapp/{appId}'],
  receiveWhatsapp: ['POST', '/v1/webhooks/whatsapp/{appId}'],
  receiveRcs: ['POST', '/v1/webhooks/rcs/{appId}'],
  receiveTelegram: ['POST', '/v1/webhooks/telegram/{appId}'],
  receiveLine: ['POST', '/v1/webhooks/line/{appId}'],
  receiveZalo: ['POST', '/v1/webhooks/zalo/{appId}'],
  receiveViber: ['POST', '/v1/webhooks/viber/{appId}'],
  receiveRelay: ['POST', '/v1/webhooks/relay/{relayId}'],
  receiveRelayQuery: ['GET', '/v1/webhooks/relay/{relayId}'],
  receiveStripe: ['POST', '/v1/webhooks/stripe'],
  trackEvents: ['POST', '/e'],
  receiveCdp: ['POST', '/i/cdp/{appId}'],
  listEvents: ['GET', '/v1/apps/{appId}/events'],
  listEventNames: ['GET', '/v1/apps/{appId}/event-names'],
  deleteEventName: ['DELETE', '/v1/apps/{appId}/event-names/{name}'],
  readEventTrends: ['GET', '/v1/insights/event-trends'],
  readEngagementHeatmap: ['GET', '/v1/insights/engagement-heatmap'],
  readChannelHealth: ['GET', '/v1/insights/channel-health'],
  readMailboxProviders: ['GET', '/v1/insights/mailbox-providers'],
  readDeliveryFailures: ['GET', '/v1/insights/delivery-failures'],
  readSubscriberGrowth: ['GET', '/v1/insights/subscriber-growth'],
  readFunnel: ['POST', '/v1/insights/funnel'],
  readRetention: ['GET', '/v1/insights/retention'],
  readRfm: ['GET', '/v1/insights/rfm'],
  createApp: ['POST', '/v1/apps'],
  listApps: ['GET', '/v1/apps'],
  readApp: ['GET', '/v1/apps/{appId}'],
  updateApp: ['PATCH', '/v1/apps/{appId}'],
  deleteApp: ['DELETE', '/v1/apps/{appId}'],
  streamLive: ['GET', '/v1/apps/{appId}/live'],
  readSettings: ['GET', '/v1/apps/{appId}/settings'],
  updateSettings: ['PATCH', '/v1/apps/{appId}/settings'],
  createIdentitySecret: ['POST', '/v1/apps/{appId}/identity-secret'],
  putCredential: ['POST', '/v1/apps/{appId}/credentials/{channel}'],
  deleteCredential: ['DELETE', '/v1/apps/{appId}/credentials/{channel}'],
  listChannels: ['GET', '/v1/apps/{appId}/channels'],
  listCredentials: ['GET', '/v1/apps/{appId}/credentials'],
  checkStoredCredential: ['POST', '/v1/apps/{appId}/credentials/{channel}/check'],
  addEmailDomain: ['POST', '/v1/apps/{appId}/email-domains'],
  listEmailDomains: ['GET', '/v1/apps/{appId}/email-domains'],
  readEmailDomain: ['GET', '/v1/apps/{appId}/email-domains/{domain}'],
  deleteEmailDomain: ['DELETE', '/v1/apps/{appId}/email-domains/{domain}'],
  verifyEmailDomain: ['POST', '/v1/apps/{appId}/email-domains/{domain}/verify'],
  readDmarcReports: ['GET', '/v1/apps/{appId}/email-domains/{domain}/dmarc-reports'],
  readWarmUp: ['GET', '/v1/apps/{appId}/email-domains/{domain}/warm-up'],
  putWarmUp: ['PUT', '/v1/apps/{appId}/email-domains/{domain}/warm-up'],
  deleteWarmUp: ['DELETE', '/v1/apps/{appId}/email-domains/{domain}/warm-up'],
  listCatalog: ['GET', '/v1/integrations'],
  listIntegrations: ['GET', '/v1/apps/{appId}/integrations'],
  putCdp: ['PUT', '/v1/apps/{appId}/integrations/cdp'],
  updateCdp: ['PATCH', '/v1/apps/{appId}/integrations/cdp'],
  deleteCdp: ['DELETE', '/v1/apps/{appId}/integrations/cdp'],
  createWriteKey: ['POST', '/v1/apps/{appId}/write-key'],
  putSlack: ['PUT', '/v1/apps/{appId}/integrations/slack'],
  putWebhook: ['PUT', '/v1/apps/{appId}/integrations/{type}'],
  readIntegration: ['GET', '/v1/apps/{appId}/integrations/{type}'],
  deleteIntegration: ['DELETE', '/v1/apps/{appId}/integrations/{type}'],
  rotateWebhookSecret: ['POST', '/v1/apps/{appId}/integrations/{type}/rotate-secret'],
  testIntegration: ['POST', '/v1/apps/{appId}/integrations/{type}/test'],
  listWebhookDeliveries: ['GET', '/v1/apps/{appId}/webhook-deliveries'],
  readWebhookDelivery: ['GET', '/v1/apps/{appId}/webhook-deliveries/{deliveryId}'],
  retryWebhookDelivery: ['POST', '/v1/apps/{appId}/webhook-deliveries/{deliveryId}/retry'],
  retryWebhookDeliveries: ['POST', '/v1/apps/{appId}/webhook-deliveries/retry'],
  createKey: ['POST', '/v1/keys'],
  listKeys: ['GET', '/v1/keys'],
  deleteKey: ['DELETE', '/v1/keys/{id}'],
  createOrg: ['POST', '/v1/orgs'],
  setOrgLimits: ['PATCH', '/v1/orgs/{id}'],
  readOrg: ['GET', '/v1/org'],
  updateOrg: ['PATCH', '/v1/org'],
  readOrgLimits: ['GET', '/v1/org/limits'],
  listAuditLog: ['GET', '/v1/org/audit-log'],
  readUsage: ['GET', '/v1/org/usage'],
  readBranding: ['GET', '/v1/org/branding'],
  updateBranding: ['PATCH', '/v1/org/branding'],
  createClient: ['POST', '/v1/org/clients'],
  listClients: ['GET', '/v1/org/clients'],
  deleteClient: ['DELETE', '/v1/org/clients/{id}'],
  addMember: ['POST', '/v1/org/members'],
  listMembers: ['GET', '/v1/org/members'],
  updateMember: ['PATCH', '/v1/org/members/{id}'],
  removeMember: ['DELETE', '/v1/org/members/{id}'],
  mailSignInLink: ['POST', '/v1/session/link'],
  readSignInLink: ['POST', '/v1/session/link/read'],
  openSession: ['POST', '/v1/session'],
  readSession: ['GET', '/v1/session'],
  endSession: ['DELETE', '/v1/session'],
  leaveOrg: ['DELETE', '/v1/session/memberships/{org}'],
  listOrgSessions: ['GET', '/v1/org/sessions'],
  endOrgSession: ['DELETE', '/v1/org/sessions/{id}'],
  callTools: ['POST', '/mcp'],
  readInvoicePreview: ['GET', '/v1/org/invoice-preview'],
  readBilling: ['GET', '/v1/org/billing'],
  readInvoice: ['GET', '/v1/org/invoices/{id}'],
  startCheckout: ['POST', '/v1/org/billing/checkout'],
  readHealth: ['GET', '/healthz'],
  readReadiness: ['GET', '/readyz'],
  readSecurityText: ['GET', '/.well-known/security.txt'],
} as const;

/** The operations whose answers show a noun. */
export const readersOf = {
  'notification': ['listNotifications', 'readNotification', 'previewNotification', 'readTimeline', 'readOptIns'],
  'dead-letter': ['listDeadLetters', 'readDeliveryFailures'],
  'live-activity': ['listLiveActivities'],
  'message': ['listMessages', 'readMessage', 'listMessageUses', 'previewMessage', 'previewCampaign', 'readCampaignCost'],
  'campaign': ['listMessageUses', 'listCampaigns', 'readCampaignOfApp', 'readCampaign', 'readCampaignStats', 'compareCampaigns', 'exportCampaigns', 'previewCampaign', 'listSegmentUses'],
  'journey': ['listMessageUses', 'listJourneys', 'readJourney', 'readJourneyStats', 'simulateJourney', 'forecastJourney', 'listSegmentUses'],
  'in-app-message': ['listMessageUses', 'listInAppMessages', 'readInAppMessage'],
  'subscriber': ['previewMessage', 'previewDraft', 'previewCampaign', 'simulateJourney', 'simulateUnsaved', 'forecastJourney', 'evaluateFlag', 'previewSegment', 'countSegment', 'explainSegment', 'listSubscriberSegments', 'listSubscribers', 'searchSubscribers', 'readSubscriber', 'readTimeline', 'exportSubscribers', 'readPreferences', 'readOptIns', 'readSubscriberGrowth'],
  'asset': ['listAssets'],
  'message-template': ['listMessageTemplates', 'readMessageTemplate'],
  'outcome': ['readCampaignLinks', 'listRecipients', 'readCampaignStats', 'readCampaignSeries', 'compareCampaigns', 'exportCampaigns', 'readJourneyStats', 'readChannelHealth', 'readMailboxProviders', 'readDeliveryFailures'],
  'dry-run': ['readDryRun', 'readDryRunOfApp', 'readCampaignCost'],
  'relay': ['readCampaignCost', 'listRelays', 'readRelay', 'checkRelay', 'tryRelay', 'listSharedRelays', 'readSharedRelay', 'checkSharedRelay', 'trySharedRelay'],
  'enrollment': ['readJourneyStats', 'listJourneyPeople'],
  'flag': ['listFlags', 'readFlag', 'evaluateFlag'],
  'segment': ['listSegments', 'readSegment', 'countSegment', 'explainSegment', 'listSubscriberSegments', 'listSegmentUses'],
  'device': ['previewSegment', 'countSegment', 'explainSegment', 'listSubscriberSegments', 'listSubscribers', 'searchSubscribers', 'readSubscriber', 'readTimeline', 'exportSubscribers', 'readOptIns'],
  'event': ['previewSegment', 'countSegment', 'explainSegment', 'listSubscriberSegments', 'searchSubscribers', 'readTimeline', 'listEvents', 'readEventTrends', 'readEngagementHeatmap', 'readFunnel', 'readRetention', 'readRfm'],
  'suppression': ['explainSegment', 'searchSubscribers', 'readSubscriber', 'readTimeline', 'readPreferences', 'listSuppressions'],
  'tag-name': ['listFields', 'listTagNames'],
  'event-name': ['listFields', 'listEventNames'],
  'topic': ['readPreferences', 'listTopics', 'readTopic'],
  'doubtful-opt-out': ['listDoubtful'],
  'form': ['listForms', 'readForm'],
  'app': ['readEventTrends', 'readEngagementHeatmap', 'readSubscriberGrowth', 'readRetention', 'listApps', 'readApp', 'listChannels'],
  'credential': ['listApps', 'readApp', 'listChannels', 'listCredentials', 'checkStoredCredential'],
  'settings': ['listApps', 'readApp', 'readSettings', 'listIntegrations', 'readIntegration'],
  'email-domain': ['listChannels', 'listEmailDomains', 'readEmailDomain', 'readDmarcReports'],
  'warm-up': ['readWarmUp'],
  'integration': ['listIntegrations', 'readIntegration'],
  'webhook-delivery': ['listIntegrations', 'readIntegration', 'listWebhookDeliveries', 'readWebhookDelivery'],
  'key': ['listKeys'],
  'org': ['readOrg', 'readSession'],
  'client': ['readUsage', 'listClients'],
  'branding': ['readBranding'],
  'member': ['listMembers', 'readSession'],
  'sign-in-link': ['readSignInLink'],
  'session': ['readSession', 'listOrgSessions'],
  'billing': ['readInvoicePreview', 'readBilling', 'readInvoice'],
} as const;

/** The nouns that an operation changes. */
export const changesOf: Partial<Record<keyof Operations, readonly (keyof typeof readersOf)[]>> = {
  sendNotification: ['notification'],
  sendBatch: ['notification'],
  redriveDeadLetters: ['dead-letter', 'notification', 'outcome'],
  updateLiveActivity: ['live-activity', 'notification'],
  endLiveActivity: ['live-activity', 'notification'],
  createMessage: ['message'],
  duplicateMessage: ['message'],
  updateMessage: ['message'],
  deleteMessage: ['message'],
  testMessage: ['notification'],
  uploadAsset: ['asset'],
  deleteAsset: ['asset'],
  createMessageTemplate: ['message-template'],
  updateMessageTemplate: ['message-template'],
  deleteMessageTemplate: ['message-template'],
  createCampaign: ['campaign'],
  duplicateCampaign: ['campaign'],
  duplicateCampaignOfApp: ['campaign'],
  updateCampaign: ['campaign'],
  deleteCampaign: ['campaign'],
  sendCampaign: ['campaign'],
  sendCampaignOfApp: ['campaign'],
  pauseCampaign: ['campaign'],
  pauseCampaignOfApp: ['campaign'],
  resumeCampaign: ['campaign'],
  resumeCampaignOfApp: ['campaign'],
  cancelCampaign: ['campaign'],
  cancelCampaignOfApp: ['campaign'],
  archiveCampaign: ['campaign'],
  archiveCampaignOfApp: ['campaign'],
  unarchiveCampaign: ['campaign'],
  unarchiveCampaignOfApp: ['campaign'],
  unscheduleCampaign: ['campaign'],
  unscheduleCampaignOfApp: ['campaign'],
  dryRunCampaign: ['dry-run'],
  dryRunCampaignOfApp: ['dry-run'],
  createJourney: ['journey'],
  duplicateJourney: ['journey'],
  updateJourney: ['journey', 'enrollment'],
  archiveJourney: ['journey'],
  unarchiveJourney: ['journey'],
  correctStep: ['journey'],
  deleteJourney: ['journey', 'enrollment'],
  createInAppMessage: ['in-app-message'],
  updateInAppMessage: ['in-app-message'],
  deleteInAppMessage: ['in-app-message'],
  createFlag: ['flag'],
  updateFlag: ['flag'],
  deleteFlag: ['flag'],
  createSegment: ['segment'],
  duplicateSegment: ['segment'],
  updateSegment: ['segment'],
  deleteSegment: ['segment'],
  upsertSubscriber: ['subscriber', 'device', 'tag-name'],
  importSubscribers: ['subscriber', 'device', 'tag-name'],
  importSuppressions: ['suppression'],
  changeSubscribers: ['subscriber', 'device', 'tag-name', 'suppression'],
  updateSubscriber: ['subscriber', 'tag-name'],
  deleteSubscriber: ['subscriber', 'device', 'tag-name', 'event', 'notification', 'suppression', 'dead-letter', 'live-activity', 'dry-run'],
  setPreferences: ['subscriber', 'topic', 'event'],
  deleteTagName: ['tag-name', 'subscriber'],
  addDevice: ['subscriber', 'device'],
  updateDevice: ['subscriber', 'device'],
  resumeDevice: ['subscriber', 'device'],
  deleteDevice: ['subscriber', 'device'],
  endSubscriberSessions: ['subscriber'],
  createTopic: ['topic'],
  updateTopic: ['topic'],
  deleteTopic: ['topic'],
  addSuppression: ['suppression'],
  deleteSuppression: ['suppression'],
  decideDoubtful: ['doubtful-opt-out', 'suppression'],
  createRelay: ['relay'],
  updateRelay: ['relay'],
  deleteRelay: ['relay'],
  createSharedRelay: ['relay'],
  updateSharedRelay: ['relay'],
  deleteSharedRelay: ['relay'],
  createForm: ['form'],
  updateForm: ['form'],
  deleteForm: ['form'],
  deleteEventName: ['event-name'],
  createApp: ['app'],
  updateApp: ['app'],
  deleteApp: ['app'],
  updateSettings: ['settings'],
  createIdentitySecret: ['settings'],
  putCredential: ['credential'],
  deleteCredential: ['credential'],
  addEmailDomain: ['email-domain'],
  verifyEmailDomain: ['email-domain'],
  deleteEmailDomain: ['email-domain'],
  putWarmUp: ['warm-up'],
  deleteWarmUp: ['warm-up'],
  putCdp: ['integration'],
  updateCdp: ['integration'],
  createWriteKey: ['integration'],
  deleteCdp: ['integration'],
  putSlack: ['integration'],
  putWebhook: ['integration'],
  deleteIntegration: ['integration'],
  rotateWebhookSecret: ['integration'],
  testIntegration: ['webhook-delivery'],
  retryWebhookDelivery: ['webhook-delivery'],
  retryWebhookDeliveries: ['webhook-delivery'],
  createKey: ['key'],
  deleteKey: ['key', 'session'],
  updateOrg: ['org'],
  updateBranding: ['branding'],
  createClient: ['client'],
  deleteClient: ['client'],
  addMember: ['member'],
  updateMember: ['member', 'session'],
  removeMember: ['member', 'session'],
  mailSignInLink: ['sign-in-link'],
  openSession: ['session'],
  endSession: ['session'],
  leaveOrg: ['member', 'session'],
  endOrgSession: ['session'],
  callTools: ['campaign', 'message', 'dry-run', 'notification'],
  startCheckout: ['billing'],
};
