// The promises that a run is judged by, each with the sentence that a failing seed prints. Checkers
// report what they saw and go on: throwing from inside the product's own callbacks would look like
// one of its faults.

/** Every promise, by the name under which a broken one is reported. */
export const invariants = {
  no_throw: 'no message makes a partition throw, and no entry fails to fold',
  answered_once: 'a message is answered at most once',
  expires_late: 'a message is given up on as not started only after it has waited its time',
  acknowledged_kept: 'what was acknowledged is there after any crash, and nothing else is',
  accepted_recorded:
    'every send whose answer reached its caller is in the log, and in its org’s daily tally',
  send_ends: 'every accepted send comes to an end within bounded time once faults stop',
  receipt_per_device: 'a send’s row has the newest receipt of each of its devices',
  target_order:
    'a device of a send is due, started, waiting or done, and moves only along the allowed steps',
  attempts_bounded: 'no attempt has a number above the limit',
  call_needs_start:
    'each provider call belongs to one committed start, and each start makes at most one call',
  one_call_at_a_time: 'a device of a send has at most one call under way',
  accepted_once:
    'a provider accepts twice only where a call was in flight at a crash or its outcome unknown',
  one_relay: 'a mail that a relay may have is given to no other',
  warm_up_holds:
    'a sender domain that warms up begins no more of a campaign on a day than its number',
  mail_counts: 'what relays tell of a mail is counted once',
  told_is_heard:
    'a mail’s newest receipt is what its relay told of it, in whatever order and how often',
  delivered_is_true: 'a receipt says delivered exactly when a provider accepted',
  drain_is_clean: 'a drained process leaves no call whose outcome is not in the log',
  pause_obeyed: 'no call begins within the pause that a provider asked for',
  suppression_holds: 'no call is granted to an identity after its suppression was committed',
  erased_is_left_alone: 'nothing is granted for a person who was erased or an app that was deleted',
  key_replays: 'an idempotency key gives the same send for 24 hours, and queues one',
  key_conflicts: 'an idempotency key with another body is a conflict, and queues nothing',
  pending_only:
    'an address that somebody signed up gets the mail that asks, and nothing else until its owner has opened the link',
  words_kept:
    'what leaves is what was rendered when it was accepted, whatever became of its template since',
  segments_exact:
    'a segment is who the records and the raw events say it is, at every instant, the edges of windows included',
  event_stored_once: 'an event id is stored once in 24 hours',
  events_gapless: 'an app’s events are numbered without a gap, and no number is given twice',
  tally_exact: 'the daily tally is the number of sends accepted that day',
  daily_cap_holds: 'an org never has more sends in a day than its cap',
  dead_letters_counted:
    'a send’s counts of dead letters match the letters, and a redriven letter comes to an end',
  campaign_once: 'a device gets an occurrence of a campaign once, and a person on each channel',
  audience_holds: 'only who is in a frozen audience is sent a campaign, and nobody who is held out',
  nobody_skipped: 'everybody of a frozen audience has a turn that ends, or is gone',
  policy_holds:
    'no send of a campaign starts in quiet hours, over a cap, or against a preference or a choice',
  pause_holds: 'nobody has a turn in a campaign that is paused or over',
  fallback_set: 'a fallback goes to those targeted who did not open or click, and to all of them',
  webhook_once: 'a delivery has the same bytes at every attempt, and none after it was taken',
  webhook_complete:
    'a destination gets every event that it subscribed to, about the right person, from its save on',
  webhook_subscribed:
    'a destination gets nothing else: nothing from before its save, and nothing once it is off',
  webhook_event_once: 'an event is one delivery of a destination',
  webhook_ends:
    'every delivery ends, is given up on or is stopped within bounded time once faults stop',
  webhook_pending_exact: 'a destination counts as pending what is open in its ledger',
  webhook_order: 'where deliveries go one at a time, none begins before an earlier one has ended',
  funnel_exact: 'the stats of a campaign are what a recount of its receipts gives',
  campaign_ends: 'a campaign comes to an end within bounded time once faults stop',
  journey_once:
    'whoever a live journey listens for enrolls in the turn of the event, never twice at a time, and once where that is enough',
  journey_steps:
    'a run goes the way its steps say, at the time they say, and nothing runs after its end',
  journey_counts: 'the stats of a journey are what a recount of its log gives',
  journey_ends: 'every run comes to its end within bounded time once faults stop',
  memory_is_a_fold:
    'memory after a restart, by log or by checkpoint and tail, equals memory before it',
  owner_in_key:
    'every document key begins with the owner of an entry of its turn, and its row is that owner’s',
  tenants_apart: 'an org sees nothing of another',
  roll_up_exact: 'a parent knows a minute later what a recount of its client’s log gives',
  last_word_holds: 'a client’s figures of a month do not change once it said that they will not',
} as const;

/** What is promised of several processes that share a log, beside all that is promised of one. */
const clusterInvariants = {
  one_owner_a_term: 'nobody but its owner answers in a term',
  terms_rise: 'terms never fall',
  timers_fire_once: 'a timer fires once, whoever owns its partition, and not before its time',
  copies_agree: 'the memory of every copy is the owner’s at the same turn, and so are its files',
  copies_live: 'every copy can go on, or is made anew from another',
  owner_found: 'a partition that lost its owner has another within bounded time',
} as const;

export type Invariant = keyof typeof invariants | keyof typeof clusterInvariants;

/** A promise in words. */
export function wordsOf(invariant: Invariant): string {
  return { ...invariants, ...clusterInvariants }[invariant];
}

/** Those that are about campaigns. */
export const campaignInvariants = [
  'campaign_once',
  'audience_holds',
  'nobody_skipped',
  'policy_holds',
  'pause_holds',
  'fallback_set',
  'funnel_exact',
  'campaign_ends',
] as const satisfies readonly Invariant[];

/** Those that are about journeys. */
export const journeyInvariants = [
  'journey_once',
  'journey_steps',
  'journey_counts',
  'journey_ends',
] as const satisfies readonly Invariant[];

/** One broken promise. */
export interface Finding {
  readonly invariant: Invariant;
  readonly detail: string;
}

/** What the checkers of one run found. */
export class Findings {
  readonly all: Finding[] = [];

  /** The first broken promise; the run stops at it. */
  get first(): Finding | undefined {
    return this.all[0];
  }

  add(invariant: Invariant, detail: string): void {
    if (this.all.length < 20) this.all.push({ invariant, detail });
  }

  /** Reports the invariant unless the condition holds; `detail` is made only when it is needed. */
  expect(condition: boolean, invariant: Invariant, detail: () => string): void {
    if (!condition) this.add(invariant, detail());
  }
}
