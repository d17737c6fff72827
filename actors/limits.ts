// Every limit of the specification and the contract, with its unit. Assertions at load hold numbers
// that must agree.

import { assert } from '../engine/base/assert.ts';
import { dayMs, hourMs, minuteMs } from '../engine/base/brand.ts';

export const limits = {
  /** Counted while the body arrives. */
  bodyBytesMax: 1_048_576,
  jsonDepthMax: 32,
  jsonNodesMax: 50_000,
  /** For an import: 10,000 people with an id, seven tags, two devices and a choice of channels. */
  importNodesMax: 200_000,

  transactionalPerMinute: 6_000,
  standardPerMinute: 1_200,
  perIpPerMinute: 1_200,
  /** What an agency's clients may use together, as a multiple of a client's own rate limit. */
  clientsShare: 20,
  /** Wrong secrets of one key, or wrong links, from one address. */
  authFailuresPerMinute: 20,
  /** Look-ups, by one address, of credentials that no list of the front has. */
  authLookupsPerMinute: 600,
  dailySendCap: 1_000_000,
  emailAllowance: 20_000,
  /** Client workspaces of an org. */
  clientsMax: 10_000,
  /** Members of an org, who may sign in. */
  membersMax: 500,
  /** A session in the dashboard: unused, in all, and per member or key and org. */
  sessionIdleMs: 12 * hourMs,
  sessionMs: 30 * dayMs,
  sessionsOfOneMax: 20,
  sessionsMax: 2_000,
  /** Sign-ins older than this do not allow sensitive changes. */
  freshSignInMs: 12 * hourMs,
  /** A sign-in link: how long it works, and how many an hour one member gets. */
  signInLinkMs: 15 * minuteMs,
  signInLinksPerHour: 5,
  /** Sign-in mails of an org to members who never signed in, and the default for the server. */
  invitingMailsPerHour: 20,
  invitingMailsPerDay: 200,
  signInMailsPerHour: 1_000,
  /** The link that a starting sandbox prints. */
  onceLinkMs: 7 * dayMs,

  batchRecipientsMax: 1_000,
  /** JSON values in a batch: 1,000 recipients with id, key, two texts, data and 50 variables. */
  batchNodesMax: 100_000,
  ingestEventsMax: 1_000,
  variablesMax: 50,

  /** Sender domains of an app, and of an org that the operator vouches for. */
  emailDomainsMax: 50,
  vouchedDomainsMax: 100,

  pageMax: 200,
  pageDefault: 50,

  nameCharsMax: 256,
  productNameCharsMax: 64,
  externalUserIdCharsMax: 256,
  tagKeyCharsMax: 128,
  /** Tag and event names with columns in an app, and how many of them only strangers use. */
  namesMax: 20_000,
  namesKeylessMax: 1_000,
  tagValueBytesMax: 1_024,
  subscriberBytesMax: 65_536,
  devicesMax: 50,

  /** A filter: levels of groups including the outermost, conditions, values of one `in`. */
  filterLevelsMax: 3,
  filterConditionsMax: 100,
  filterValuesMax: 1_000,
  /** The greatest `atLeast`: counting takes up to that many columns, at 6 bytes a person. */
  filterAtLeastMax: 100,
  windowDaysMax: 90,
  /** Of an app. */
  segmentsMax: 1_000,
  /** Matching people in a preview. */
  previewSampleMax: 20,
  /**
   * Tags and events of the list of fields, values shown of a tag, different values looked at: a tag
   * with more is an id. The newest events whose properties are shown, and properties of an event.
   */
  fieldsMax: 200,
  fieldTopMax: 10,
  fieldValuesMax: 100_000,
  fieldEventsSampled: 1_000,
  fieldPropsMax: 50,
  /** People named by a bulk change; bulk changes of an app that run, and that are kept. */
  bulkIdsMax: 1_000,
  bulkChangesRunning: 4,
  bulkChangesKept: 100,
  /** Tags that a search names to be shown. */
  searchTagsMax: 50,

  /** Saved messages of an app; characters of one as JSON. */
  messagesMax: 100_000,
  messageCharsMax: 524_288,
  /** Characters as JSON of an editor's document beside a message. */
  designCharsMax: 262_144,
  /** Pictures of an app: how many, and all their bytes. */
  assetsMax: 10_000,
  assetBytesMax: 209_715_200,
  /** Campaigns and journeys that the answer to a message's change names. */
  messageUsesShown: 20,
  /** What uses a message or segment, in the list of its uses. */
  usesListed: 200,
  /** Of an app; their handles are in memory. */
  templatesMax: 10_000,
  templateNameCharsMax: 128,
  /** How long an org's audit log goes back. */
  auditKeptMs: 400 * dayMs,
  /** Notes of an org's audit log; beyond, the oldest are dropped. */
  auditNotesMax: 200_000,
  /** Characters as JSON of one page of messages or journeys, about. */
  pageCharsMax: 2_097_152,
  /** Flags of an app, and variants of a flag. */
  flagsMax: 500,
  flagKeyCharsMax: 100,
  flagVariantsMax: 20,
  flagWeightMax: 1_000_000,
  /** Topics of an app. A key follows `topic.` in the name of a tag. */
  topicsMax: 200,
  topicKeyCharsMax: 64,
  topicDescriptionCharsMax: 500,
  /** Of an app, ended ones included: each takes up to four bits per person. */
  inAppMessagesMax: 200,
  inAppPriorityMax: 1_000,
  /** Of an in-app message's display: seconds before it is shown, shows, hours between them. */
  inAppAfterSecondsMax: 3_600,
  inAppShowsMax: 1_000,
  inAppEveryHoursMax: 8_760,
  /** Values that an event must have to show one. */
  inAppWhereMax: 10,
  /** Characters as JSON of one in-app message in all languages, and about, of one feed. */
  inAppCharsMax: 65_536,
  feedCharsMax: 1_048_576,
  /** Per feed; the inbox is paged. */
  feedMessagesMax: 20,
  /**
   * Template steps, characters of work (`contentLimits`) and characters within tags, per message
   * and per feed. A feed is a keyless call: 10,000 steps take about 5 ms, and parsing 16 Ki
   * characters of tags 10 ms.
   */
  inAppStepsMax: 2_000,
  inAppWorkMax: 131_072,
  inAppTagCharsMax: 4_096,
  feedStepsMax: 10_000,
  feedWorkMax: 524_288,
  feedTagCharsMax: 16_384,

  /**
   * Live Activities of a person, ended ones included; characters of a type, bytes of attributes as
   * JSON, digits of a token. A screen shows one for eight hours, and four more once it has ended.
   */
  liveActivitiesMax: 32,
  liveActivityTypeCharsMax: 128,
  liveActivityAttributesBytesMax: 2_048,
  liveActivityTokenDigitsMin: 64,
  liveActivityTokenDigitsMax: 400,
  liveActivitySecondsMax: 12 * 3_600,
  liveActivityStateBytesMax: 4_096,

  /**
   * Sign-ups: days that a link is valid; mails an address and day, for all people together; rows of
   * a person that are looked at; topics of one sign-up; forms and sentences of what waits for one
   * confirmation.
   */
  optInDays: 7,
  /** Days in which an import does not ask an address again, and owed mails a minute in an app. */
  optInAskAgainDays: 90,
  optInOwedPerMinute: 300,
  optInMailsMax: 3,
  optInsPerPersonMax: 1_000,
  optInTopicsMax: 50,
  optInFormsKept: 10,
  /** Tags of all sign-ups that wait for one confirmation, as JSON. */
  optInTagBytesMax: 16 * 1024,
  /** Sign-up forms of an app, and fields of one. */
  formsMax: 100,
  /** Of an app, and of an org. */
  relaysMax: 20,
  formFieldsMax: 10,

  /** Campaigns of an app, ended ones included; characters as JSON of a campaign's own filter. */
  campaignsMax: 10_000,
  campaignFilterCharsMax: 32_768,
  /** How far in the past `schedule.at` may lie when it is set: clocks differ, calls take time. */
  campaignPastMs: minuteMs,
  /** Delay of a fallback; on a recurring campaign at most half its shortest period. */
  fallbackMinutesMin: 5,
  fallbackMinutesMax: 10_080,
  campaignVariantsMin: 2,
  campaignVariantsMax: 10,
  campaignVariantIdCharsMax: 64,
  campaignWeightMax: 1_000_000,
  campaignPerMinuteMax: 10_000_000,
  /** How long a send may wait for its author, and how long the dashboard lets it wait. */
  sendDelaySecondsMax: 60,
  undoSendSeconds: 10,
  experimentMinutesMax: 43_200,
  goalHoursMax: 720,
  /** Campaigns in one comparison of stats. */
  campaignsComparedMax: 10,
  /** Allowed difference in people between a dry run and its send. */
  campaignToleranceMax: 4_294_967_295,
  /** People per slice of a dry run, how long it is kept, people shown at once. */
  dryRunSliceMax: 16_384,
  dryRunKeptMs: dayMs,
  dryRunSampled: 20,
  /** People looked at for one page of a campaign's recipients or a journey's people. */
  recipientsWalkedMax: 20_000,
  /** A journey: steps including branches, nested conditions, characters of its steps as JSON. */
  journeyStepsMax: 200,
  journeyNestingMax: 10,
  journeyCharsMax: 524_288,
  /** Conditions of all filters of a journey: one wake may test all of them. */
  journeyConditionsMax: 1_000,
  journeyStepIdCharsMax: 128,
  journeyStepNoteCharsMax: 500,
  /** Journeys of an app, and characters of all their steps as JSON: they are in memory. */
  journeysMax: 1_000,
  journeysCharsMax: 16_777_216,
  /** Live journeys per event; characters of all sends of a journey when it goes live. */
  journeysAnEventMax: 20,
  journeyCopiesCharsMax: 4_194_304,
  /** People moved per decision about a journey; wakes per turn, fewer while calls wait. */
  journeySliceMax: 2_000,
  turnWakesMax: 8_192,
  turnWakesSharedMax: 1_024,
  journeyWaitMs: 30 * dayMs,
  /** The longest retention of events: a goal waits for an event. */
  journeyGoalHoursMax: 90 * 24,
  /** Wakes of one simulated run: a send that is always held would never end. */
  simulatedWakesMax: 10_000,
  simulatedEventsMax: 1_000,

  eventIdsMax: 16_000_000,
  eventFutureMs: 10 * minuteMs,
  eventPropsBytesMax: 8_192,
  eventsRetentionDays: 90,
  eventsRetentionDaysMin: 7,

  idempotencyKeyBytesMax: 255,
  idempotencyKeysMax: 16_000_000,

  capsMax: 5,
  /** Languages of an app's own words for buttons and pages. */
  wordingLanguagesMax: 60,
  /** Words of an app's own for STOP, and for START. */
  ownKeywordsMax: 50,
  capCountMax: 100,
  capHoursMax: 720,

  /** Hours, days, weeks or months between occurrences. */
  recurrenceIntervalMax: 365,

  /** Keyless creation of people: per app, and per app and address. */
  keylessPeoplePerMinute: 600,
  /** What a tenant may set instead. */
  keylessPeoplePerMinuteMax: 100_000,
  keylessPeoplePerAddress: 60,
  /** Days without activity after which anonymous people expire, and what a tenant may set. */
  anonymousExpiryDays: 30,
  anonymousExpiryDaysMax: 365,
  /** Without an API key, per address and app: what an address sends, and events of it. */
  keylessKibPerMinute: 4_096,
  keylessEventsPerMinute: 20_000,
  /** New event and tag names. */
  keylessNamesPerHour: 100,
  /** Of a new org in live mode. */
  storageQuotaGib: 5,
  /** Of its org's storage quota; strangers stop there, and leave the rest to the org. */
  keylessStorageShare: 0.9,
  /** Of an org's storage quota: what sending copies may go beyond it. */
  sendingStorageShare: 1.1,
  /** People merged into one; beyond, a login leaves an anonymous person unmerged. */
  aliasesMax: 1_000,
  /** Sessions ended one by one that a person's record lists; one more ends all of theirs. */
  endedSessionsMax: 32,
  /** Past months whose usage can be read. */
  usageMonthsKept: 13,

  /** Attempts that count, of one target: more than the waits of a day allow. */
  attemptsMax: 64,
  /** From acceptance, or from a redrive, where the message has no time to live. */
  attemptSpanMs: 24 * hourMs,
  /** Attempts of one target that ended with the process: the next may be why it ends. */
  interruptedMax: 8,
  /** Tries kept per device of a send; the newest ones. */
  triesKept: 16,
  /** Callback items per turn; bytes of a form or single report. LINE and WhatsApp send more. */
  callbackItemsMax: 1_000,
  callbackFormBytesMax: 65_536,
  /** Wait before an early report is read again, doubled each time. */
  callbackLookMsMin: 1_000,
  callbackLookMsMax: 15 * minuteMs,
  callbackLooksMax: 16,
  /** Ids of STOP and START messages: for how long, and how many per address. */
  keywordIdsKeptMs: 90 * dayMs,
  keywordIdsMax: 200,
  /** Tags that make a person's name; values prepared at once for a search by name. */
  displayNameTagsMax: 5,
  namesFoldedAtOnce: 5_000,
  /** Texts that may be opt-outs: per app, in UTF-16 units, for how long; ids kept per address. */
  doubtfulMax: 1_000,
  doubtfulCharsMax: 1_000,
  doubtfulKeptMs: 90 * dayMs,
  doubtfulLookMsMin: hourMs,
  doubtfulIdsMax: 8,
  /** Sends kept per device for callbacks; early reports kept per device. */
  deviceSendsKept: 32,
  deviceEarlyKept: 16,
  /** Sends within the window that found a phone unreachable before its device is disabled. */
  unreachedMax: 3,
  unreachedWindowMs: 30 * dayMs,
  /** How long an ambiguous attempt on a channel without an idempotency key waits for a callback. */
  ambiguousWaitMs: minuteMs,
  /** A dispatcher hands back what it cannot start in this time. */
  grantHoldMs: 5_000,
  inFlightPerAccountMax: 64,
  /** Marketing's share of those, so that transactional sends need not wait. */
  bulkInFlightMax: 56,
  /** Rows of waves that dispatch starts per app and channel before it yields to the event loop. */
  rowsPerTickMax: 512,
  /** Granted rows of waves per app and channel: initially and at most (`bulk-window.ts`). */
  waveRowsMin: 64,
  waveRowsMax: 8_192,
  /** Where a second copy would be seen or paid for: a crash loses what is in flight. */
  waveRowsPaidMax: 256,
  /** People of one lane per slice, and of all campaigns per turn; fewer while calls wait. */
  sliceMax: 2_048,
  /** Bytes of people's records per slice, except the last; most people have a few hundred. */
  sliceBytesMax: 4 * 1024 * 1024,
  turnPeopleMax: 8_192,
  turnPeopleSharedMax: 1_024,
  /** Campaigns decided per turn: starting one scans all people of its app. */
  turnCampaignsMax: 8,
  /** How long a dispatcher waits until a rotated credential is durable; how many wait. */
  rotationWaitMs: 5_000,
  rotationsWaitingMax: 4_096,
  circuitBaseMs: 10_000,
  circuitCapMs: 15 * minuteMs,
  /** Calls in a row without getting through that open a circuit; waits between its probes. */
  circuitMissesMin: 10,
  circuitProbeMsMin: 5_000,
  circuitProbeMsMax: 5 * minuteMs,
  /** Parts of a provider with a circuit of their own, per app; a probe's time before the next. */
  circuitAccountsMax: 64,
  circuitProbeHoldMs: 15_000,
  /** The same for a part that is slowed down, should its end never be told: calls may be slow. */
  slowedProbeHoldMs: 15 * minuteMs,
  /** Pending sends per app; more are refused with 429. Journeys and campaigns stop well below. */
  outboxMax: 1_000_000,
  /** Runs of an outbox, which every look-up of a person scans. More are added send by send. */
  outboxRunsMax: 4_096,
  outboxJourneysMax: 100_000,
  /** On one channel, before campaigns stop adding: refused sends stay in the outbox. */
  outboxCampaignsMax: 50_000,

  /** A checkpoint is due by the entries, bytes or age of the log since the last one. */
  tailEntriesMax: 2_000_000,
  tailBytesMax: 256 * 1024 * 1024,
  tailAgeMs: 5 * minuteMs,
  /** Even without news one is made this often, to remove expired and erased events. */
  sweepEveryMs: 6 * hourMs,
  /** A clean stop makes one if the tail has more entries than this. */
  stopTailEntries: 200_000,
  /** Log blocks dropped per commit. */
  dropBlocksMax: 1_000,
  /** Events, and bytes of log, gathered before history is written; events joined in one file. */
  foldRowsMax: 524_288,
  foldBytesMax: 64 * 1024 * 1024,
  /** History files that a checkpoint opens, about, to remove erased people. */
  foldFilesMax: 2_000,
  /** Events of one history file. */
  historyRowsMax: 524_288,
  /** History files of similar size per app and day; more are joined. */
  historyRunsMax: 8,
  /** How long erased people may remain in old files, where readers skip them. */
  erasureRestMs: hourMs,
  /** Rows that one read of events scans before it answers with a partial page. */
  readRowsMax: 4_000_000,
  /** A log without a checkpoint and shorter than this is read on the shard's own thread. */
  inlineReadBytes: 1024 * 1024,
} as const;

/**
 * Whether JSON.parse may have rounded a value: doubles hold integers up to 2^53 - 1, and each
 * larger double is an integer. So an id that was sent as a number would become another id.
 */
export function isInexact(value: unknown): boolean {
  return typeof value === 'number' && Math.abs(value) > Number.MAX_SAFE_INTEGER;
}

/** After the name of a field that has such a value. */
export const inexactProblem = `a number beyond ±${Number.MAX_SAFE_INTEGER} is not stored exactly; send it as text`;

assert(limits.eventsRetentionDaysMin < limits.eventsRetentionDays, 'retention bounds');
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
assert(limits.interruptedMax < limits.triesKept, 'interrupted tries are all kept');
