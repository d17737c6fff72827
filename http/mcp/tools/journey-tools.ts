// Tools that try a journey: for one person on a virtual clock, and for everyone of the last days.

import { forecastJourney } from '../../routes/journeys/forecast-journey.ts';
import { simulateJourney } from '../../routes/journeys/simulate-journey.ts';
import { counted } from '../quoted.ts';
import { routeTool, type Tool } from '../tool.ts';

interface Simulation {
  readonly outcome: 'completed' | 'converted' | 'waits';
  readonly steps: readonly { readonly what: string }[];
}

const outcomes = {
  completed: 'would complete the journey',
  converted: 'would reach a goal and leave the journey',
  waits: 'would be deferred repeatedly, so the simulation was stopped',
} as const;

const simulateJourneyTool = routeTool<Simulation>({
  name: 'simulate_journey',
  title: 'Simulate a journey for one person',
  description:
    'Runs one person through the steps of a journey on a virtual clock, with the code that runs live journeys, and returns what would happen and when. Without a person, it runs a new one who is reachable on every channel. Nothing is sent or recorded, and the journey need not be active.',
  effect: 'reads',
  route: simulateJourney,
  params: { appId: 'appId', journeyId: 'id' },
  text: ({ outcome, steps }) => {
    const sent = steps.filter(({ what }) => what === 'sent').length;
    return `The person ${outcomes[outcome]}, after ${counted(steps.length, 'step')} with ${counted(sent, 'message')}. Nothing was sent.`;
  },
});

interface Forecast {
  readonly days: number;
  readonly enrolled: number;
  readonly sends: { readonly total: number };
  readonly converted: number;
  readonly completed: number;
  readonly exited: number;
  readonly inFlow: number;
}

const forecastJourneyTool = routeTool<Forecast>({
  name: 'forecast_journey',
  title: 'Forecast a journey from past events',
  description:
    "Replays the app's events of the last days through the current steps of a journey, draft or live: how many people would have enrolled, converted and completed, and how many messages they would have been sent. Nothing is sent.",
  effect: 'reads',
  route: forecastJourney,
  params: { appId: 'appId', journeyId: 'id' },
  text: ({ days, enrolled, sends, converted, completed, exited, inFlow }) =>
    `In the last ${counted(days, 'day')}, ${counted(enrolled, 'person', 'people')} would have enrolled and ${counted(sends.total, 'message')} would have been sent: ${completed} completed, ${converted} converted, ${exited} exited, ${inFlow} in the journey now. Nothing was sent.`,
});

export const journeyTools: readonly Tool[] = [simulateJourneyTool, forecastJourneyTool];
