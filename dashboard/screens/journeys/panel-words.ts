// The words of the panels of a journey, and of switching it on and off: trying it out, the
// forecast, who is in it.

import { type PluralForms, plural } from '../../words/plural.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const leaving: PluralForms = {
  one: 'One person in it now leaves it and gets nothing more of it.',
  other: '{n} people in it now leave it and get nothing more of it.',
};
const sends: PluralForms = { one: '{n} message', other: '{n} messages' };
const days: PluralForms = { one: '{n} day', other: '{n} days' };

export const panelWords = {
  try: {
    text: 'One person walks through the steps on a clock of its own. Nothing is sent or recorded.',
    who: 'Who walks',
    madeUp: 'A made-up person',
    real: 'A real person',
    madeUpHint: 'New, and reachable on every channel.',
    realHint: 'With their tags, devices and events; quiet hours and caps apply.',
    person: 'Person',
    events: 'What they do on the way',
    event: 'Event',
    after: 'After',
    unit: 'Unit of time',
    addEvent: 'Add an event',
    removeEvent: 'Remove this event',
    from: 'Starts at',
    fromHint: 'Your time. Now, if you leave it empty.',
    go: 'Walk through',
    again: 'Walk through again',
    outcome: {
      completed: 'They come to the end.',
      converted: 'They convert and leave.',
      waits: 'They are put off over and over; the walk was stopped.',
    },
    walk: 'The walk',
    old: 'The steps have changed since this walk.',
    what: {
      enrolled: 'Starts the journey',
      entered: 'Comes to the step',
      event: (event: string) => `Does ${event}`,
      branched: (branch: string) => `Goes the way “${branch}”`,
      waits: 'Waits',
      sent: 'Gets the message',
      held: 'The message waits',
      suppressed: 'Gets no message',
      timed_out: 'Did not do it in time and goes on',
      completed: 'Comes to the end',
      converted: 'Converts and leaves',
    },
    until: 'until',
    start: 'start',
    later: (text: string) => `+${text}`,
  },
  forecast: {
    text: 'What this journey would have done with the events of the last days.',
    days: 'Days to look back',
    dayCount: (n: number) => plural(n, days),
    enrolled: 'Would have started',
    sends: 'Messages',
    converted: 'Converted',
    completed: 'Came to the end',
    inFlow: (n: string) => `${n} still in it`,
    sentence: (sent: number, n: number) =>
      `It would have sent ${plural(sent, sends)} in ${plural(n, days)}.`,
    bySteps: 'Step by step',
    byStepsText: 'Day by day; all curves have one scale.',
    sentOf: (n: string) => `${n} sent`,
    enteredOf: (n: string) => `${n} entered`,
    peak: (day: string, n: string) => `Most on ${day}: ${n}`,
    noPeak: 'None',
    perDay: 'Messages a day',
    day: 'Day',
    table: 'As a table',
    unsaved: 'This is the forecast of what is saved; your last changes are not in it.',
    notSaved: 'A forecast needs a saved journey. It is saved as soon as every step is filled in.',
  },
  people: {
    text: 'Who is in the journey now.',
    step: 'Waits at',
    everywhere: 'Any step',
    until: 'goes on',
    leaving: 'leaves',
    none: 'Nobody waits here now.',
    more: 'Show more',
    export: 'Download as CSV',
    exited: (n: number) => `${plural(n, people)} left early: the journey was paused.`,
    never: 'This journey was not live yet. Who is in it shows here.',
  },
  switch: {
    activate: 'Activate',
    activateTitle: (name: string) => `Activate “${name}”`,
    activateEvent: (event: string) => `From now on, everyone who does ${event} starts.`,
    activateSegment: (name: string) => `From now on, everyone who enters “${name}” starts.`,
    once: 'Each person starts once.',
    always: 'People start again after they finished.',
    frozen: 'Steps and start are frozen while it is live; texts can be corrected.',
    messages: (n: number) =>
      n === 0
        ? 'It sends no message.'
        : `It sends ${plural(n, sends)}, with the content that they have now.`,
    existing: (n: string) => `Also start the ${n} who are in the segment now`,
    existingOne: 'Also start those who are in the segment now',
    forecast: (enrolled: number, sent: number) =>
      `In the last 30 days ${plural(enrolled, people)} would have started, and it would have sent ${plural(sent, sends)}.`,
    confirmWarnings: 'Activate although these fields have no effect:',
    replace: (name: string) => `Take the place of “${name}”, which is paused in the same instant`,
    replaceOnce: 'Whoever was ever in it does not start again.',
    leaveOther: (n: number) => (n === 0 ? 'Nobody is in it now.' : plural(n, leaving)),
    activated: 'The journey is live.',
    existingStarted: 'The journey is live, and those who are in the segment start.',
    pause: 'Pause',
    pauseTitle: (name: string) => `Pause “${name}”?`,
    pauseText: (n: number) =>
      n === 0
        ? 'Nobody is in it now. Nobody starts until you activate it again.'
        : `${plural(n, people)} in it now leave it and get nothing more of it. Activating it again does not bring them back.`,
    paused: 'The journey is paused.',
    notYet: 'First, fill in every step and save.',
  },
} as const;
