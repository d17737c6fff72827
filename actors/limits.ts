// Every number of the specification's Limits chapter and of the contract, with its unit, in one
// table. Relations between them are asserted when the module loads, so numbers that must agree
// cannot drift apart.

import { assert } from '../engine/base/assert.ts';
import { dayMs, hourMs, minuteMs } from '../engine/base/brand.ts';

export const limits = {
  /** Request body, counted while it arrives. */
  bodyBytesMax: 1_048_576,
  jsonDepthMax: 32,
  jsonNodesMax: 50_000,
  /**
   * The same of an import: 10,000 people of an id, seven tags, two devices and a choice of
   * channels.
   */
  importNodesMax: 200_000,

  transactionalPerMinute: 6_000,
  standardPerMinute: 1_200,
  perIpPerMinute: 1_200,
  authFailuresPerMinute: 20,
  dailySendCap: 1_000_000,
  emailAllowance: 20_000,

  batchRecipientsMax: 1_000,
  /**
   * Values in the body of a batch: 1,000 recipients of an id, a key, two texts of their own, data
   * and 50 variables.
   */
  batchNodesMax: 100_000,
  ingestEventsMax: 1_000,
  variablesMax: 50,

  pageMax: 200,
  pageDefault: 50,

  nameCharsMax: 256,
  externalUserIdCharsMax: 256,
  tagKeyCharsMax: 128,
  /**
   * Different names of tags, and of events, that an app has columns for; and from how many on none
   * is added without a key.
   */
  namesMax: 20_000,
  namesKeylessMax: 1_000,
  tagValueBytesMax: 1_024,
  subscriberBytesMax: 65_536,
  devicesMax: 50,

  /**
   * A filter: levels of groups, the outermost being the first; conditions; values of one `in`; the
   * greatest `atLeast`.
   */
  filterLevelsMax: 3,
  filterConditionsMax: 100,
  filterValuesMax: 1_000,
  /**
   * A filter that counts keeps so many columns of 6 bytes a person at most, as far as people did it
   * so often.
   */
  filterAtLeastMax: 100,
  windowDaysMax: 90,
  /** Saved filters of an app. */
  segmentsMax: 1_000,
  /** Matching people that a preview shows. */
  previewSampleMax: 20,

  /** Saved messages of an app; characters of one as JSON; and of one page of them, about. */
  messagesMax: 100_000,
  messageCharsMax: 524_288,
  /**
   * Message templates of an app, whose handles are in memory; each is as long as a message at most.
   */
  templatesMax: 10_000,
  templateNameCharsMax: 128,
  /** How long an org's audit log goes back. */
  auditKeptMs: 400 * dayMs,
  /** Notes of an org's audit log; beyond, the oldest go, whatever their age. */
  auditNotesMax: 200_000,
  pageCharsMax: 2_097_152,
  /** Feature flags of an app, and variants of one. */
  flagsMax: 500,
  flagKeyCharsMax: 100,
  flagVariantsMax: 20,
  flagWeightMax: 1_000_000,
  /**
   * In-app messages of an app, those that are over included: each holds up to four bits a person.
   */
  inAppMessagesMax: 200,
  inAppPriorityMax: 1_000,
  /**
   * Characters as JSON of a message that an app shows, all its languages together; and of one feed,
   * about.
   */
  inAppCharsMax: 65_536,
  feedCharsMax: 1_048_576,
  /** In-app messages that one feed shows at once; the inbox comes by pages. */
  feedMessagesMax: 20,
  /**
   * Steps and characters of work (`contentLimits`) that rendering takes, and characters within
   * tags, which have to be parsed: of one message that an app shows, and of one feed, all its
   * messages together. A feed is a keyless call that neighbours wait for: 10,000 steps are some 5
   * ms, and 16 Ki characters of tags, parsed for the first time, 10 ms.
   */
  inAppStepsMax: 2_000,
  inAppWorkMax: 131_072,
  inAppTagCharsMax: 4_096,
  feedStepsMax: 10_000,
  feedWorkMax: 524_288,
  feedTagCharsMax: 16_384,

  /**
   * Live Activities of a person, those that are over included; characters of what one is called,
   * bytes of what it was started with as JSON, digits of its token. On a screen it is for eight
   * hours and, ended by then, four more.
   */
  liveActivitiesMax: 32,
  liveActivityTypeCharsMax: 128,
  liveActivityAttributesBytesMax: 2_048,
  liveActivityTokenDigitsMin: 64,
  liveActivityTokenDigitsMax: 400,
  liveActivitySecondsMax: 12 * 3_600,
  liveActivityStateBytesMax: 4_096,

  /**
   * Campaigns of an app, those that are over included; and characters as JSON of a filter that is
   * one's own.
   */
  campaignsMax: 10_000,
  campaignFilterCharsMax: 32_768,
  /**
   * How far in the past `schedule.at` may lie when it is given: clocks differ, and calls take their
   * time.
   */
  campaignPastMs: minuteMs,
  /**
   * A fallback waits 5 minutes to 7 days, and on a recurring campaign half its shortest period at
   * most.
   */
  fallbackMinutesMin: 5,
  fallbackMinutesMax: 10_080,
  campaignVariantsMin: 2,
  campaignVariantsMax: 10,
  campaignVariantIdCharsMax: 64,
  campaignWeightMax: 1_000_000,
  campaignPerMinuteMax: 10_000_000,
  experimentMinutesMax: 43_200,
  goalHoursMax: 720,
  /** Campaigns whose stats one call compares. */
  campaignsComparedMax: 10,
  /** People who may come or go between a dry run and its send; as many as an app can have. */
  campaignToleranceMax: 4_294_967_295,
  /** People of one slice of a dry run, how long it is kept, and how many it shows at once. */
  dryRunSliceMax: 16_384,
  dryRunKeptMs: dayMs,
  dryRunSampled: 20,
  /**
   * A journey: steps, those in branches included; conditions within one another; characters of the
   * steps as JSON.
   */
  journeyStepsMax: 200,
  journeyNestingMax: 10,
  journeyCharsMax: 524_288,
  /**
   * Conditions of all filters of a journey together: what one wake may have to try on its person.
   */
  journeyConditionsMax: 1_000,
  journeyStepIdCharsMax: 128,
  /**
   * Journeys of an app, and the characters of the steps of all of them as JSON: they are in memory.
   */
  journeysMax: 1_000,
  journeysCharsMax: 16_777_216,
  /**
   * Live journeys that one event may enrol in; characters of all that one sends, when it goes live.
   */
  journeysAnEventMax: 20,
  journeyCopiesCharsMax: 4_194_304,
  /**
   * People that a decision about a journey moves; and that wake in a turn: fewer while others wait
   * for answers.
   */
  journeySliceMax: 2_000,
  turnWakesMax: 8_192,
  turnWakesSharedMax: 1_024,
  journeyWaitMs: 30 * dayMs,
  /** As long as events are kept at most: a goal waits for one. */
  journeyGoalHoursMax: 90 * 24,
  /** Wakes of one simulated walk; a send that is held at each of them would never end. */
  simulatedWakesMax: 10_000,
  simulatedEventsMax: 1_000,

  eventIdWindowMs: dayMs,
  eventIdsMax: 16_000_000,
  eventFutureMs: 10 * minuteMs,
  eventPropsBytesMax: 8_192,
  eventsRetentionDays: 90,
  eventsRetentionDaysMin: 7,

  idempotencyKeyBytesMax: 255,
  idempotencyWindowMs: dayMs,
  idempotencyKeysMax: 16_000_000,

  capsMax: 5,
  capCountMax: 100,
  capHoursMax: 720,

  /** Hours, days, weeks or months from one period of a recurring schedule to the next. */
  recurrenceIntervalMax: 365,

  /** Keyless creation of people, per app; and per app and address. */
  keylessPeoplePerMinute: 600,
  keylessPeoplePerAddress: 60,
  /** People merged into one; beyond, a login leaves an anonymous person alone. */
  aliasesMax: 1_000,
  /** Months that are over and whose usage can be read. */
  usageMonthsKept: 13,

  attemptsMax: 8,
  attemptBaseMs: 1_000,
  attemptCapMs: 15 * minuteMs,
  attemptSpanMs: 24 * hourMs,
  /**
   * Calls for one device of a send that are remembered one by one; the newest, where providers
   * asked for many pauses.
   */
  triesKept: 16,
  /**
   * Things that one turn takes of a provider’s callback, and bytes of a form, or of a body that
   * tells one thing; of LINE and WhatsApp there may be as many as of any.
   */
  callbackItemsMax: 1_000,
  callbackFormBytesMax: 65_536,
  /**
   * What a provider tells before it answers is looked at again after so long, then after twice as
   * long each time.
   */
  callbackLookMsMin: 1_000,
  callbackLookMsMax: 15 * minuteMs,
  callbackLooksMax: 16,
  /** Ids of STOP and START messages that an address is remembered by. */
  keywordIdsKept: 16,
  /**
   * Sends of a device that callbacks find by a provider's name or to their journey; and things told
   * of a name too early.
   */
  deviceSendsKept: 32,
  deviceEarlyKept: 16,
  /** So many sends that found a handset out of reach, within this time, end its device. */
  unreachedMax: 3,
  unreachedWindowMs: 30 * dayMs,
  /**
   * How long an ambiguous attempt on a channel without a key waits for a callback before it is sent
   * again.
   */
  ambiguousWaitMs: minuteMs,
  /** A dispatcher hands back what it could not start in this time. */
  grantHoldMs: 5_000,
  inFlightPerAccountMax: 64,
  /** Of those, marketing takes so many at most: a transactional send never waits for a place. */
  bulkInFlightMax: 56,
  /**
   * Rows of waves that dispatch starts for one app and channel before the event loop has its turn.
   */
  rowsPerTickMax: 512,
  /**
   * Rows of waves of one app and channel that are granted and not back: to begin with, and at most
   * (see `bulk-window.ts`).
   */
  waveRowsMin: 64,
  waveRowsMax: 8_192,
  /**
   * The same where a second copy would be seen, or paid for: what is in flight at a crash is given
   * up there.
   */
  waveRowsPaidMax: 256,
  /**
   * People of one lane that a slice takes, and of all campaigns that a turn does: less while others
   * wait for answers.
   */
  sliceMax: 2_048,
  /**
   * Records of people that a slice hands on, but for the last: most people have a few hundred
   * bytes, some 64 KiB.
   */
  sliceBytesMax: 4 * 1024 * 1024,
  turnPeopleMax: 8_192,
  turnPeopleSharedMax: 1_024,
  /**
   * Campaigns of which a turn decides what is due: to begin one, all people of its app are looked
   * through.
   */
  turnCampaignsMax: 8,
  /**
   * How long a dispatcher waits to hear that a credential which its provider has rotated is
   * durable, and how many wait.
   */
  rotationWaitMs: 5_000,
  rotationsWaitingMax: 4_096,
  circuitBaseMs: 10_000,
  circuitCapMs: 15 * minuteMs,
  /**
   * Sends waiting to leave, per app; more are refused with 429. Journeys leave most of it to
   * others, and wait.
   */
  outboxMax: 1_000_000,
  /**
   * Runs of an outbox: whoever looks for somebody's sends looks at every one, and one of few sends
   * weighs more than they do. A batch beyond it is put in send by send.
   */
  outboxRunsMax: 4_096,
  outboxJourneysMax: 100_000,
  /**
   * Of one channel, before campaigns hand nobody more out on it: what a provider refuses for now
   * stays in the outbox.
   */
  outboxCampaignsMax: 50_000,

  /**
   * A checkpoint is made once the log after the last one has this many entries, or bytes, or is
   * this old.
   */
  tailEntriesMax: 2_000_000,
  tailBytesMax: 256 * 1024 * 1024,
  tailAgeMs: 5 * minuteMs,
  /** With nothing new, one is still made this often, so that expired and erased events go. */
  sweepEveryMs: 6 * hourMs,
  /** A clean stop makes one first when the tail has more entries than this. */
  stopTailEntries: 200_000,
  /** Log blocks that one commit drops, at most. */
  dropBlocksMax: 1_000,
  /**
   * Events, and bytes of log, that a checkpoint gathers before it writes history; and events it
   * joins.
   */
  foldRowsMax: 524_288,
  foldBytesMax: 64 * 1024 * 1024,
  /** Files of history that a checkpoint opens to take erased people out, about. */
  foldFilesMax: 2_000,
  /** Events of one file of history. */
  historyRowsMax: 524_288,
  /** Files of about one size, of one app and day; more are joined. */
  historyRunsMax: 8,
  /**
   * How long erased people rest in old files, where readers pass them by, before the files are
   * rewritten.
   */
  erasureRestMs: hourMs,
  /** Rows that one read of events looks at before it answers with the page it has. */
  readRowsMax: 4_000_000,
  /** A log without a checkpoint is read on the shard's own thread while it is shorter than this. */
  inlineReadBytes: 1024 * 1024,
} as const;

assert(limits.eventsRetentionDaysMin < limits.eventsRetentionDays, 'retention bounds');
assert(limits.attemptBaseMs < limits.attemptCapMs, 'backoff bounds');
assert(limits.erasureRestMs + 2 * limits.sweepEveryMs < dayMs, 'erasure is done within a day');
assert(limits.fallbackMinutesMin < limits.fallbackMinutesMax, 'fallback bounds');
assert(
  limits.journeyGoalHoursMax * hourMs <= limits.eventsRetentionDays * dayMs,
  'a goal waits no longer than events are kept',
);
assert(limits.outboxJourneysMax < limits.outboxMax / 2, 'journeys fill no outbox');
assert(limits.outboxCampaignsMax < limits.outboxJourneysMax, 'campaigns leave room to journeys');
assert(limits.journeyStepsMax < 255, 'a run keeps its place in a byte');
assert(limits.grantHoldMs < limits.circuitBaseMs, 'a circuit outlives a grant');
