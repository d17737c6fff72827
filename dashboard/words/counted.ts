// What the rows of a table are, with their number.

import type { PluralForms } from './plural.ts';

function forms(one: string, other: string): PluralForms {
  return { one: `{n} ${one}`, other: `{n} ${other}` };
}

export const counted = {
  addresses: forms('address', 'addresses'),
  campaigns: forms('campaign', 'campaigns'),
  changes: forms('change', 'changes'),
  clients: forms('client', 'clients'),
  deliveries: forms('delivery', 'deliveries'),
  eventNames: forms('event name', 'event names'),
  events: forms('event', 'events'),
  failures: forms('failure', 'failures'),
  flags: forms('flag', 'flags'),
  forms: forms('sign-up form', 'sign-up forms'),
  inApp: forms('in-app message', 'in-app messages'),
  journeys: forms('journey', 'journeys'),
  keys: forms('API key', 'API keys'),
  liveActivities: forms('Live Activity', 'Live Activities'),
  members: forms('member', 'members'),
  messages: forms('message', 'messages'),
  people: forms('person', 'people'),
  segments: forms('segment', 'segments'),
  sends: forms('send', 'sends'),
  signIns: forms('sign-in', 'sign-ins'),
  templates: forms('template', 'templates'),
  topics: forms('topic', 'topics'),
} as const;
