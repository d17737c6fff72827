// The words of the campaigns' list and pages.

import { stateReasons } from '../../words/campaign.ts';
import { type PluralForms, plural } from '../../words/plural.ts';
import { planWords } from './words-plan.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const campaignForms: PluralForms = { one: '{n} campaign', other: '{n} campaigns' };
const failedForms: PluralForms = { one: '{n} send failed', other: '{n} sends failed' };
const againForms: PluralForms = {
  one: '{n} send is on its way again.',
  other: '{n} sends are on their way again.',
};
const perSecond = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const shareFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const words = {
  title: 'Campaigns',
  one: 'Campaign',
  create: 'New campaign',
  compare: 'Compare',
  compareTwo: 'Select at least two campaigns to compare them.',
  compareTen: (n: number) => `At most ten campaigns can be compared; ${n} are selected.`,
  search: 'Search campaigns',
  exportAll: 'Save all as CSV',
  name: 'Name',
  stateHead: 'State',
  audience: 'Audience',
  funnelHead: 'Funnel, % of sent',
  progressHead: 'Progress',
  created: 'Created',
  actions: 'Actions',
  actionsOf: (name: string) => `Actions of ${name}`,
  everybody: 'Everybody',
  noFunnel: 'Nothing sent yet',
  funnelPart: (name: string, rate: string) => `${name} ${rate}`,
  funnelShort: (delivered: string, opened: string) => `${delivered} delivered, ${opened} opened`,
  none: 'Send your first campaign',
  noneText:
    'A campaign sends one message to many people, once or again and again. Before anything leaves, a dry run shows who gets it and who does not.',
  noneThere: 'No campaign is in this state.',
  noneFound: 'No campaign has this name.',
  undo: 'Undo',
  tabs: { label: 'Campaigns by state', all: 'All', archived: 'Archived' },
  act: {
    edit: 'Edit next occurrences',
    pause: 'Pause',
    resume: 'Resume',
    unschedule: 'Unschedule to edit',
    duplicate: 'Duplicate',
    archive: 'Archive',
    unarchive: 'Take out of the archive',
    cancel: 'Cancel campaign…',
    cancelNow: 'Cancel campaign',
    remove: 'Delete',
  },
  done: {
    paused: 'Paused. Messages that a provider already has still arrive.',
    resumed: 'Resumed where it stopped. Nobody gets it twice.',
    canceled: 'Canceled. Nothing more is sent.',
    unscheduled: 'The campaign is a draft again.',
    archived: (name: string) => `“${name}” is archived.`,
    archivedMany: (n: number) => `${plural(n, campaignForms)} archived.`,
    unarchived: 'The campaign is in the list again.',
    duplicated: (name: string) => `The draft “${name}” was created.`,
    removed: (name: string) => `“${name}” was deleted.`,
  },
  archiveRunning: (n: number) =>
    n === 1
      ? 'One of them is still scheduled, sending or paused. Cancel it first.'
      : `${n} of them are still scheduled, sending or paused. Cancel them first.`,
  cancelTitle: (name: string) => `Cancel “${name}”?`,
  cancelText: (sent: number, left: number | undefined) =>
    [
      sent === 0
        ? 'Nothing was sent yet.'
        : `The message already went to ${plural(sent, people)}; it cannot be called back.`,
      left === undefined || left === 0 ? '' : `${plural(left, people)} will not get it.`,
      'A canceled campaign cannot be resumed, only duplicated.',
    ]
      .filter((part) => part !== '')
      .join(' '),
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeDraft: 'The draft is gone for good. Its message stays.',
  removeText:
    'Its statistics are deleted too. What people did stays in their stories. To keep the numbers, archive it instead.',
  state: {
    changed: (when: string) => `Changed ${when}`,
    soon: 'Begins in a few seconds',
    next: (when: string) => `Starts ${when}`,
    ended: (when: string) => `Ended ${when}`,
    waits: (why: string) => `Waits: ${why}`,
    waitsUntil: (why: string, when: string) => `Goes on ${when}: ${why}`,
    pausedAt: (sent: number, all: number) =>
      `${sent.toLocaleString('en')} of ${all.toLocaleString('en')} sent, the rest waits`,
    rate: (rate: number) => `${perSecond.format(rate)} a second`,
    rateEnd: (rate: number, when: string) => `${perSecond.format(rate)} a second, done ${when}`,
    atTime: (relative: string, exact: string) =>
      relative === exact ? exact : `${relative} (${exact})`,
    draft: 'Draft. Nothing is sent before you review and send it.',
    scheduled: 'Scheduled.',
    undoable: 'It begins in a few seconds. Until then it can be undone.',
    startsAt: (at: string, reason: string | undefined) =>
      `${reason === undefined ? '' : `${reason} `}The next send starts ${at}.`,
    paused: (
      left: { readonly sent: number; readonly all: number } | undefined,
      from: 'scheduled' | 'sending' | null,
      why: string | undefined,
    ) => {
      const reason = why === undefined ? '' : ` The reason: ${why}.`;
      if (from === 'scheduled' || left === undefined || left.all === 0)
        return `Paused before its next send.${reason}`;
      return `${left.sent.toLocaleString('en')} of ${left.all.toLocaleString('en')} sent, the rest waits.${reason} Resume goes on from there.`;
    },
    sending: 'Being sent.',
    sendingAt: (rate: number, end: string | undefined) =>
      `Being sent, ${perSecond.format(rate)} a second.${end === undefined ? '' : ` It ends ${end}.`}`,
    throttled: (rate: number, why: string, end: string | undefined) =>
      `Being sent, ${perSecond.format(rate)} a second; ${why}.${end === undefined ? '' : ` It ends ${end}.`}`,
    waitsFor: (why: string, n: number | null, until: string | undefined) =>
      `It waits: ${why}${n === null ? '' : ` (${plural(n, people)})`}.${until === undefined ? '' : ` It goes on ${until}.`}`,
    completed: (at: string | undefined, reason: string | undefined) =>
      reason ?? (at === undefined ? 'Completed.' : `Completed ${at}.`),
    canceled: (at: string | undefined) =>
      at === undefined
        ? 'Canceled. What was sent cannot be called back.'
        : `Canceled ${at}. What was sent cannot be called back.`,
    failed: (reason: string) => `The campaign failed. ${reason}`,
    unknownReason: 'The server gave no reason.',
    reasons: stateReasons,
  },
  message: {
    isCopy: 'As it is sent: later edits of the message do not show here.',
    isMessage: 'As the message is now. It is copied when the campaign begins.',
  },
  page: {
    label: 'Parts of the campaign',
    overview: 'Overview',
    people: 'Recipients',
    links: 'Links',
    plan: 'Plan',
    progress: 'Progress of this send',
    doneOf: (done: string, total: string) => `${done} of ${total} sends decided`,
    endsBefore: ', done',
    funnel: 'Funnel',
    ofSent: (sent: string, audience: string, held: string | undefined) =>
      `% of ${sent} sent, audience ${audience}${held === undefined ? '' : `, ${held} held out`}`,
    lost: 'People who did not get it',
    left: 'People who left by it',
    notSent: 'Not sent, by reason',
    noneSuppressed: 'Nobody was left out.',
    deferred: 'Sent later, by reason',
    fallback: (eligible: string, sent: string) =>
      `Fallback: ${sent} of ${eligible} who had not reacted; not sent`,
    overTime: 'Over time',
    overTimeCounts: 'Deliveries count devices; opens and clicks count people.',
    interval: 'Interval',
    intervals: { minute: 'Minute', hour: 'Hour', day: 'Day' },
    noSeries: 'Nothing has happened yet. The first delivery shows here.',
    byChannel: 'By channel',
    devices: 'Counts devices, % of sent; a person may have several.',
    rates: '% of sent',
    channel: 'Channel',
    byVariant: 'Variants',
    variant: 'Variant',
    message: 'Message',
    winner: 'Winner',
    byOccurrence: 'Occurrences',
    occurrence: 'Occurrence',
    number: (n: number) => `No. ${n}`,
    started: 'Started',
    link: 'Link',
    linkPeople: 'People',
    linkClicks: 'Clicks',
    otherLinks: 'All other links',
    noLinks: 'No link was clicked yet',
    noLinksText: 'Links of emails are tracked by themselves; your app reports its own clicks.',
  },
  outcomes: {
    delivered: 'Delivered',
    opened: 'Opened',
    clicked: 'Clicked',
    converted: 'Converted',
    pending: 'Being sent',
    bounced: 'Bounced',
    failed: 'Failed',
    suppressed: 'Not sent',
    unsubscribed: 'Unsubscribed',
    complained: 'Reported as spam',
    holdout: 'Held out',
  },
  people: {
    who: 'Person',
    outcome: 'Outcome',
    did: 'Reaction',
    reason: 'Reason',
    everyone: 'Everyone',
    everyVariant: 'All variants',
    newest: 'Newest occurrence',
    none: 'Nobody has this outcome.',
    csv: 'Save as CSV',
  },
  guarded: {
    title: 'This campaign has paused itself.',
    then: 'Resuming counts anew from there.',
  },
  failures: {
    text: (n: number) =>
      `${plural(n, failedForms)} for good. Once the cause is mended, send them again: whoever has got the message is left out.`,
    redrive: (n: string) => `Send ${n} again`,
    done: (n: number) => (n === 0 ? 'No failed send is open any more.' : plural(n, againForms)),
  },
  lift: {
    title: 'Effect against the control group',
    notYet: 'There is nothing to compare yet.',
    noGoal: (n: string) =>
      `${n} people were held out. Without a goal there is no conversion to compare.`,
    none: (low: string, high: string) =>
      `No effect is shown: the difference lies between ${low} and ${high} points, and 0 is among them.`,
    more: (n: string) => `The campaign brought ${n} points more conversions than no campaign.`,
    less: (n: string) => `With the campaign ${n} points fewer converted than without it.`,
    treated: 'Got the campaign',
    holdout: 'Held out',
    difference: 'Difference',
    group: (converted: string, size: string, share: number) =>
      `${converted} of ${size} converted, ${shareFormat.format(share)}`,
    interval: (n: string, low: string, high: string) =>
      `${n} points; 95% interval ${low} to ${high}`,
    several: 'Sums over several occurrences count people several times; trust each alone more.',
  },
  ...planWords,
} as const;
