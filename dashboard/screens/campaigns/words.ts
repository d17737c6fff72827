// The words of the campaigns' list and pages.

import { stateReasons } from '../../words/campaign.ts';
import { type PluralForms, plural } from '../../words/plural.ts';
import { planWords } from './words-plan.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const campaignForms: PluralForms = { one: '{n} campaign', other: '{n} campaigns' };
const failedForms: PluralForms = { one: '{n} message failed', other: '{n} messages failed' };
const againForms: PluralForms = {
  one: '{n} message is being sent again.',
  other: '{n} messages are being sent again.',
};
const perSecond = new Intl.NumberFormat('en', { maximumFractionDigits: 1 });
const shareFormat = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });

export const words = {
  title: 'Campaigns',
  one: 'Campaign',
  create: 'New campaign',
  compare: 'Compare',
  compareTwo: 'Select at least two campaigns to compare.',
  compareTen: (n: number) => `You can compare up to ten campaigns; ${n} are selected.`,
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
  everybody: 'Everyone',
  noFunnel: 'Nothing sent yet',
  funnelPart: (name: string, rate: string) => `${name} ${rate}`,
  funnelShort: (delivered: string, opened: string) => `${delivered} delivered, ${opened} opened`,
  none: 'Send your first campaign',
  noneText:
    'A campaign sends one message to many people, once or on a recurring schedule. Before anything is sent, a dry run shows who gets it and who does not.',
  noneThere: 'No campaign is in this state.',
  noneFound: 'No campaign has this name.',
  tabs: { label: 'Campaigns by state', all: 'All', archived: 'Archived' },
  act: {
    edit: 'Edit next occurrences',
    pause: 'Pause',
    resume: 'Resume',
    unschedule: 'Unschedule to edit',
    cancel: 'Cancel campaign…',
    cancelNow: 'Cancel campaign',
    remove: 'Delete',
  },
  done: {
    paused: 'Paused. Messages already handed to a provider are still delivered.',
    resumed: 'Resumed where it stopped. No one gets it twice.',
    canceled: 'Canceled. No more messages are sent.',
    unscheduled: 'The campaign is a draft again.',
    archived: (name: string) => `“${name}” is archived.`,
    archivedMany: (n: number) => `${plural(n, campaignForms)} archived.`,
    unarchived: 'The campaign is unarchived.',
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
        : `The message already went to ${plural(sent, people)}and cannot be recalled.`,
      left === undefined || left === 0 ? '' : `${plural(left, people)} will not get it.`,
      'A canceled campaign cannot be resumed, only duplicated.',
    ]
      .filter((part) => part !== '')
      .join(' '),
  removeTitle: (name: string) => `Delete “${name}”?`,
  removeDraft: 'The draft is deleted permanently. Its message stays.',
  removeText:
    'Its statistics are deleted too. The activity of people stays in their stories. To keep the numbers, archive it instead.',
  state: {
    changed: (when: string) => `Changed ${when}`,
    soon: 'Starts in a few seconds',
    next: (when: string) => `Starts ${when}`,
    ended: (when: string) => `Ended ${when}`,
    waits: (why: string) => `Waiting: ${why}`,
    waitsUntil: (why: string, when: string) => `Resumes ${when}: ${why}`,
    pausedAt: (sent: number, all: number) =>
      `${sent.toLocaleString('en')} of ${all.toLocaleString('en')} sent, the rest is paused`,
    rate: (rate: number) => `${perSecond.format(rate)} per second`,
    rateEnd: (rate: number, when: string) => `${perSecond.format(rate)} per second, done ${when}`,
    atTime: (relative: string, exact: string) =>
      relative === exact ? exact : `${relative} (${exact})`,
    draft: 'Draft. Nothing is sent until you review and send it.',
    scheduled: 'Scheduled.',
    undoable: 'Sending starts in a few seconds. You can undo it until then.',
    startsAt: (at: string, reason: string | undefined) =>
      `${reason === undefined ? '' : `${reason} `}The next send starts ${at}.`,
    paused: (
      left: { readonly sent: number; readonly all: number } | undefined,
      from: 'scheduled' | 'sending' | null,
      why: string | undefined,
    ) => {
      const reason = why === undefined ? '' : ` Reason: ${why}.`;
      if (from === 'scheduled' || left === undefined || left.all === 0)
        return `Paused before its next send.${reason}`;
      return `${left.sent.toLocaleString('en')} of ${left.all.toLocaleString('en')} sent, the rest is paused.${reason} Resume continues from there.`;
    },
    sending: 'Sending.',
    sendingAt: (rate: number, end: string | undefined) =>
      `Sending ${perSecond.format(rate)} per second.${end === undefined ? '' : ` It ends ${end}.`}`,
    throttled: (rate: number, why: string, end: string | undefined) =>
      `Sending ${perSecond.format(rate)} per second; ${why}.${end === undefined ? '' : ` It ends ${end}.`}`,
    waitsFor: (why: string, n: number | null, until: string | undefined) =>
      `Waiting: ${why}${n === null ? '' : ` (${plural(n, people)})`}.${until === undefined ? '' : ` It resumes ${until}.`}`,
    completed: (at: string | undefined, reason: string | undefined) =>
      reason ?? (at === undefined ? 'Completed.' : `Completed ${at}.`),
    canceled: (at: string | undefined) =>
      at === undefined
        ? 'Canceled. Messages already sent cannot be recalled.'
        : `Canceled ${at}. Messages already sent cannot be recalled.`,
    failed: (reason: string) => `The campaign failed. ${reason}`,
    unknownReason: 'The server gave no reason.',
    reasons: stateReasons,
  },
  message: {
    isCopy: 'The content of this send. Later edits of the message do not change it.',
    isMessage: 'The current content of the message. It is copied when the campaign starts.',
  },
  page: {
    label: 'Parts of the campaign',
    overview: 'Overview',
    people: 'Recipients',
    links: 'Links',
    plan: 'Plan',
    progress: 'Progress of this send',
    doneOf: (done: string, total: string) => `${done} of ${total} people processed`,
    endsBefore: ', done',
    funnel: 'Funnel',
    ofSent: (sent: string, audience: string, held: string | undefined) =>
      `% of ${sent} sent, audience ${audience}${held === undefined ? '' : `, ${held} held out`}`,
    accepted: (people: string) =>
      `${people} accepted by the mail relay, which reports the result later. Delivered counts what it has reported.`,
    lost: 'People who did not get it',
    left: 'Opt-outs and spam reports',
    notSent: 'Not sent, by reason',
    noneSuppressed: 'No one was skipped.',
    deferred: 'Sent later, by reason',
    fallback: (eligible: string, sent: string) =>
      `Fallback: sent to ${sent} of ${eligible} who had not opened or clicked; not sent`,
    overTime: 'Over time',
    overTimeCounts: 'Deliveries count devices; opens and clicks count people.',
    interval: 'Interval',
    intervals: { minute: 'Minute', hour: 'Hour', day: 'Day' },
    noSeries: 'No activity yet. The first delivery appears here.',
    byChannel: 'By channel',
    devices: 'Counted per device, as % of sent. A person can have several devices.',
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
    noLinks: 'No clicks yet',
    noLinksText: 'Links in emails are tracked automatically. Your app reports its own clicks.',
  },
  outcomes: {
    delivered: 'Delivered',
    opened: 'Opened',
    clicked: 'Clicked',
    converted: 'Converted',
    pending: 'Sending',
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
    none: 'No one has this outcome.',
    csv: 'Save as CSV',
  },
  guarded: {
    title: 'This campaign paused automatically.',
    then: 'If you resume it, the guard starts counting from zero.',
  },
  failures: {
    text: (n: number) =>
      `${plural(n, failedForms)} permanently. Fix the cause, then send them again. People who got the message are skipped.`,
    redrive: (n: string) => `Send ${n} again`,
    done: (n: number) =>
      n === 0 ? 'There are no failed messages left to send again.' : plural(n, againForms),
  },
  lift: {
    title: 'Lift over the control group',
    notYet: 'There is nothing to compare yet.',
    noGoal: (n: string) =>
      `${n} people were held out. Without a goal there is no conversion to compare.`,
    none: (low: string, high: string) =>
      `No significant effect: the difference is between ${low} and ${high} percentage points, which includes 0.`,
    more: (n: string) => `The conversion rate is ${n} percentage points higher with the campaign.`,
    less: (n: string) => `The conversion rate is ${n} percentage points lower with the campaign.`,
    treated: 'Got the campaign',
    holdout: 'Held out',
    difference: 'Difference',
    group: (converted: string, size: string, share: number) =>
      `${converted} of ${size} converted, ${shareFormat.format(share)}`,
    interval: (n: string, low: string, high: string) =>
      `${n} points; 95% interval ${low} to ${high}`,
    several:
      'Totals over several occurrences count people more than once. The figures of a single occurrence are more reliable.',
  },
  ...planWords,
} as const;
