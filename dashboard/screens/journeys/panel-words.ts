// The words of the panels of a journey, and of activating and pausing it: test run,
// forecast, who is in it.

import { type PluralForms, plural } from '../../words/plural.ts';

const people: PluralForms = { one: '{n} person', other: '{n} people' };
const leaving: PluralForms = {
  one: 'The one person in it now exits and gets no more of its messages.',
  other: 'The {n} people in it now exit and get no more of its messages.',
};
const sends: PluralForms = { one: '{n} message', other: '{n} messages' };
const days: PluralForms = { one: '{n} day', other: '{n} days' };

export const panelWords = {
  try: {
    text: 'Simulates the journey for one person on a virtual clock. Nothing is sent or recorded.',
    who: 'Run it for',
    madeUp: 'A sample person',
    real: 'A real person',
    madeUpHint: 'A new person who is reachable on every channel.',
    realHint: 'Uses their tags, devices and events. Quiet hours and caps apply.',
    person: 'Person',
    events: 'Events during the run',
    event: 'Event',
    after: 'After',
    unit: 'Unit of time',
    addEvent: 'Add an event',
    removeEvent: 'Remove this event',
    from: 'Starts at',
    fromHint: 'In your time zone. Default: now.',
    go: 'Start the test run',
    again: 'Run again',
    outcome: {
      completed: 'The person reaches the end.',
      converted: 'The person converts and exits.',
      waits: 'The person is delayed repeatedly. The test run was stopped.',
    },
    walk: 'Test run',
    old: 'The steps have changed since this test run.',
    what: {
      enrolled: 'Starts the journey',
      entered: 'Reaches the step',
      event: (event: string) => `Does ${event}`,
      branched: (branch: string) => `Takes the “${branch}” branch`,
      waits: 'Waits',
      sent: 'Gets the message',
      held: 'The message waits',
      suppressed: 'Does not get the message',
      timed_out: 'Did not do it in time and continues',
      completed: 'Reaches the end',
      converted: 'Converts and exits',
    },
    until: 'until',
    start: 'start',
    later: (text: string) => `+${text}`,
  },
  forecast: {
    text: 'What this journey would have done with recent events.',
    days: 'Days to look back',
    dayCount: (n: number) => plural(n, days),
    enrolled: 'Would have started',
    sends: 'Messages',
    converted: 'Converted',
    completed: 'Reached the end',
    inFlow: (n: string) => `${n} still in it`,
    sentence: (sent: number, n: number) =>
      `It would have sent ${plural(sent, sends)} in ${plural(n, days)}.`,
    bySteps: 'Step by step',
    byStepsText: 'Per day. All curves have the same scale.',
    sentOf: (n: string) => `${n} sent`,
    enteredOf: (n: string) => `${n} entered`,
    peak: (day: string, n: string) => `Peak on ${day}: ${n}`,
    noPeak: 'None',
    perDay: 'Messages per day',
    day: 'Day',
    table: 'As a table',
    unsaved: 'This forecast uses the saved journey. It does not include your latest changes.',
    notSaved:
      'A forecast needs a saved journey. The journey is saved as soon as every step is complete.',
  },
  people: {
    text: 'People in the journey now.',
    step: 'Waiting at',
    everywhere: 'Any step',
    until: 'continues',
    leaving: 'exits',
    none: 'No one is waiting here now.',
    more: 'Show more',
    export: 'Download as CSV',
    exited: (n: number) => `${plural(n, people)} exited early because the journey was paused.`,
    never: 'This journey has not been live yet. People in it will appear here.',
  },
  switch: {
    activate: 'Activate',
    activateTitle: (name: string) => `Activate “${name}”`,
    activateEvent: (event: string) => `From now on, everyone who does ${event} starts.`,
    activateSegment: (name: string) => `From now on, everyone who enters “${name}” starts.`,
    once: 'Each person starts once.',
    always: 'People start again after they finished.',
    frozen: 'While it is live, its steps and trigger are frozen. You can still correct texts.',
    messages: (n: number) =>
      n === 0 ? 'It sends no message.' : `It sends ${plural(n, sends)} with their current content.`,
    existing: (n: string) => `Also start the ${n} people who are in the segment now`,
    existingOne: 'Also start people who are in the segment now',
    forecast: (enrolled: number, sent: number) =>
      `In the last 30 days ${plural(enrolled, people)} would have started, and the journey would have sent ${plural(sent, sends)}.`,
    confirmWarnings: 'Activate even though these fields have no effect:',
    replace: (name: string) => `Replace “${name}”, which is paused at the same time`,
    replaceOnce: 'People who were in it before do not start again.',
    leaveOther: (n: number) => (n === 0 ? 'No one is in it now.' : plural(n, leaving)),
    activated: 'The journey is live.',
    existingStarted: 'The journey is live, and people in the segment start.',
    pause: 'Pause',
    pauseTitle: (name: string) => `Pause “${name}”?`,
    pauseText: (n: number) =>
      n === 0
        ? 'No one is in it now. No one starts until you activate it again.'
        : `${plural(n, people)} in it now will exit and get no more of its messages. Activating it again does not bring them back.`,
    paused: 'The journey is paused.',
    notYet: 'First complete every step and save.',
  },
} as const;
