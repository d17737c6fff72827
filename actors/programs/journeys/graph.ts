// Checks the steps of a journey and names the first problem by place and id: `steps[2].then[0]
// ("nudge").minutes: expected a whole number from 1 to 43200`. Hand-written, since a schema's union
// can only say that no kind matched. `savedMessagesFault` checks separately that messages exist.
// Source: specification, "Journey"; contract, section 8.

import { dayMs, hourMs, minuteMs } from '../../../engine/base/brand.ts';
import { type Fault, FaultError } from '../../../engine/base/fault.ts';
import { conditionCount } from '../../audiences/segments/filter.ts';
import { type FilterBounds, parseFilter } from '../../audiences/segments/parse-filter.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { streams } from '../../channels/port/open-relay.ts';
import type { MessageContent } from '../../content/shape/message-schema.ts';
import { nameCharsMax } from '../../events/ingest/names.ts';
import { limits } from '../../limits.ts';
import { failAt, faultAt, faultWithin, type Place, placed } from './step-faults.ts';
import { acceptStepMessage, type OverTemplate, unfitForChannels } from './step-message.ts';
import type { ConditionStep, GoalStep, SendStep, Step, StepMessage, WaitStep } from './steps.ts';
import { eachStep } from './steps.ts';

type AcceptedGraph = { readonly steps: readonly Step[] } | { readonly fault: Fault };

/** The steps, without unknown fields, and with copies of the templates that they name. */
export function acceptGraph(
  input: unknown,
  bounds: FilterBounds,
  overTemplate: OverTemplate,
  hasTopic: (key: string) => boolean = () => false,
): AcceptedGraph {
  const graph: Graph = { bounds, overTemplate, hasTopic, placeOf: new Map(), conditions: 0 };
  try {
    const steps = readSteps(input, all, '', graph, 0);
    if (steps.length === 0) failAt(all, '', 'is empty; expected at least one step');
    if (JSON.stringify(steps).length > limits.journeyCharsMax)
      failAt(all, '', `expected at most ${limits.journeyCharsMax} characters as JSON`);
    return { steps };
  } catch (error) {
    if (error instanceof FaultError) return { fault: error.fault };
    throw error;
  }
}

/** Checks the saved messages that steps send; `contentOf` returns `undefined` for unknown ids. */
export function savedMessagesFault(
  steps: readonly Step[],
  contentOf: (messageId: string) => MessageContent | undefined,
): Fault | undefined {
  let found: Fault | undefined;
  eachStep(steps, (step, path) => {
    if (found !== undefined || step.type !== 'send' || !('messageId' in step)) return;
    const place = placed(path, step.id);
    const content = contentOf(step.messageId);
    if (content === undefined) {
      // Like any id that is unknown or another tenant's.
      found = {
        ...faultAt(place, '.messageId', `message not found: ${step.messageId}`),
        code: 'not_found',
      };
      return;
    }
    const unfit = unfitForChannels(content, step.channels);
    if (unfit !== undefined)
      found = faultAt(place, '.messageId', `this message cannot be used; ${unfit.message}`);
  });
  return found;
}

type Members = Readonly<Record<string, unknown>>;

interface Graph {
  readonly bounds: FilterBounds;
  readonly overTemplate: OverTemplate;
  hasTopic(key: string): boolean;
  /** By step id. */
  readonly placeOf: Map<string, string>;
  /** Over all filters so far. */
  conditions: number;
}

const all: Place = { path: 'steps', label: 'steps' };
const refusedIds = new Set(['__proto__', 'constructor', 'prototype']);

/** `depth`: how many conditions enclose the list. */
function readSteps(
  input: unknown,
  place: Place,
  list: string,
  graph: Graph,
  depth: number,
): readonly Step[] {
  if (!Array.isArray(input)) return failAt(place, list, 'expected a list of steps');
  return input.map((step, i) => readStep(step, `${place.path}${list}[${i}]`, graph, depth));
}

function readStep(input: unknown, path: string, graph: Graph, depth: number): Step {
  const nameless = { path, label: path };
  if (typeof input !== 'object' || input === null || Array.isArray(input))
    return failAt(nameless, '', 'expected a step: an object with id and type');
  const members = input as Members;
  const id = readId(members, nameless);
  const place = placed(path, id);
  const twin = graph.placeOf.get(id);
  if (twin !== undefined)
    failAt(place, '.id', `duplicates the id of ${twin}; expected a unique id`);
  graph.placeOf.set(id, path);
  if (graph.placeOf.size > limits.journeyStepsMax)
    failAt(place, '', `a journey has at most ${limits.journeyStepsMax} steps`);
  const note = readNote(members, place);
  const step = readKind(id, members, place, graph, depth);
  return note === undefined ? step : { ...step, note };
}

function readKind(id: string, members: Members, place: Place, graph: Graph, depth: number): Step {
  switch (members['type']) {
    case 'wait':
      return readWait(id, members, place);
    case 'send':
      return readSend(id, members, place, graph);
    case 'condition':
    case 'branch':
      return readCondition(id, members, place, graph, depth + 1);
    case 'goal':
      return readGoal(id, members, place);
    default:
      return failAt(place, '.type', 'expected one of wait, send, condition, goal');
  }
}

/** Step ids are keys of the stats, so reserved keys are refused. */
function readId(members: Members, place: Place): string {
  const id = members['id'];
  const most = limits.journeyStepIdCharsMax;
  if (typeof id !== 'string' || id.length === 0 || id.length > most)
    return failAt(place, '.id', `expected a string of 1 to ${most} characters`);
  if (/\p{Cc}/u.test(id)) failAt(place, '.id', 'must not contain control characters');
  if (refusedIds.has(id)) failAt(place, '.id', `"${id}" is not allowed; expected another id`);
  return id;
}

function readNote(members: Members, place: Place): string | undefined {
  if (!has(members, 'note')) return undefined;
  const { note } = members;
  const most = limits.journeyStepNoteCharsMax;
  if (typeof note !== 'string' || note.length === 0 || note.length > most)
    return failAt(place, '.note', `expected a string of 1 to ${most} characters`);
  return note;
}

const waitUnits = { minutes: minuteMs, hours: hourMs, days: dayMs } as const;
const waitNames = ['minutes', 'hours', 'days'] as const;

function readWait(id: string, members: Members, place: Place): WaitStep {
  const [unit, other] = waitNames.filter((name) => has(members, name));
  if (unit === undefined) return failAt(place, '', 'expected one of minutes, hours, days');
  if (other !== undefined)
    failAt(place, '', `has both ${unit} and ${other}; a wait must have exactly one of them`);
  const most = limits.journeyWaitMs / waitUnits[unit];
  const length = wholeNumber(members, unit, place, most);
  const base = { id, type: 'wait' } as const;
  if (unit === 'minutes') return { ...base, minutes: length };
  return unit === 'hours' ? { ...base, hours: length } : { ...base, days: length };
}

function readSend(id: string, members: Members, place: Place, graph: Graph): SendStep {
  const channels = readChannels(members, place);
  const message = readMessage(members, place, graph);
  const topic = readTopic(members, place, graph);
  const stream = readStream(members, place, channels);
  const unfit = 'message' in message ? unfitForChannels(message.message, channels) : undefined;
  if (unfit !== undefined) refuse(place, '.message', unfit);
  return {
    id,
    type: 'send',
    ...message,
    ...(channels === undefined ? {} : { channels }),
    ...(topic === undefined ? {} : { topic }),
    ...(stream === undefined ? {} : { stream }),
  };
}

function readStream(
  members: Members,
  place: Place,
  channels: SendStep['channels'],
): SendStep['stream'] {
  if (!has(members, 'stream')) return undefined;
  const stream = streams.find((one) => one === members['stream']);
  if (stream === undefined)
    return failAt(place, '.stream', `expected one of ${streams.join(', ')}`);
  if (channels !== undefined && !channels.includes('email'))
    return failAt(place, '.stream', 'is for email, which is none of the channels of the step');
  return stream;
}

function readTopic(members: Members, place: Place, { hasTopic }: Graph): string | undefined {
  if (!has(members, 'topic')) return undefined;
  const { topic } = members;
  if (typeof topic !== 'string') return failAt(place, '.topic', 'expected the key of a topic');
  if (hasTopic(topic)) return topic;
  const unknown = faultAt(place, '.topic', `topic not found: ${topic.slice(0, 64)}`);
  throw new FaultError({ ...unknown, code: 'not_found' });
}

const messageNames = ['messageId', 'message', 'templateName', 'templateId'] as const;

function readMessage(members: Members, place: Place, { overTemplate }: Graph): StepMessage {
  const [name, other] = messageNames.filter((one) => has(members, one));
  if (name === undefined)
    return failAt(place, '', 'expected one of messageId, message, templateName');
  if (other !== undefined)
    failAt(place, '', `has both ${name} and ${other}; a send must have exactly one of them`);
  if (name !== 'messageId') {
    const isWhole = name === 'message';
    const input = isWhole ? members[name] : { [name]: members[name] };
    const accepted = acceptStepMessage(input, overTemplate);
    if ('content' in accepted) return { message: accepted.content };
    const within = faultWithin(place, isWhole ? '.message' : '', accepted.fault);
    throw new FaultError({ ...within, code: accepted.fault.code });
  }
  const { messageId } = members;
  if (typeof messageId !== 'string' || messageId === '')
    return failAt(place, '.messageId', 'expected a message id');
  return { messageId };
}

function readChannels(members: Members, place: Place): SendStep['channels'] {
  if (!has(members, 'channels')) return undefined;
  const given = members['channels'];
  if (!Array.isArray(given)) return failAt(place, '.channels', 'expected a list of channels');
  if (given.length === 0)
    failAt(place, '.channels', 'is empty; omit it to use every enabled device');
  const known: readonly unknown[] = channelIds;
  const wrong = given.findIndex((channel) => !known.includes(channel));
  if (wrong >= 0) failAt(place, `.channels[${wrong}]`, `expected one of ${channelIds.join(', ')}`);
  return channelIds.filter((channel) => given.includes(channel));
}

function readCondition(
  id: string,
  members: Members,
  place: Place,
  graph: Graph,
  depth: number,
): ConditionStep {
  if (depth > limits.journeyNestingMax)
    failAt(place, '', `conditions nest to at most ${limits.journeyNestingMax} levels`);
  const parsed = parseFilter(members['filter'], graph.bounds);
  if ('fault' in parsed) return refuse(place, '', parsed.fault);
  const { filter } = parsed;
  graph.conditions += conditionCount(filter);
  if (graph.conditions > limits.journeyConditionsMax)
    failAt(
      place,
      '.filter',
      `the filters of a journey have at most ${limits.journeyConditionsMax} conditions in total`,
    );
  const then = readSteps(members['then'], place, '.then', graph, depth);
  const base = { id, type: 'condition', filter, then } as const;
  if (!has(members, 'else')) return base;
  return { ...base, else: readSteps(members['else'], place, '.else', graph, depth) };
}

function readGoal(id: string, members: Members, place: Place): GoalStep {
  const written = members['event'];
  const event = typeof written === 'string' ? written.normalize() : '';
  if (event.length === 0 || event.length > nameCharsMax)
    return failAt(place, '.event', `expected a string of 1 to ${nameCharsMax} characters`);
  const most = limits.journeyGoalHoursMax;
  return {
    id,
    type: 'goal',
    event,
    timeoutHours: wholeNumber(members, 'timeoutHours', place, most),
  };
}

function wholeNumber(members: Members, name: string, place: Place, most: number): number {
  const value = members[name];
  if (typeof value !== 'number' || !Number.isInteger(value) || value < 1 || value > most)
    return failAt(place, `.${name}`, `expected a whole number from 1 to ${most}`);
  return value;
}

/** `null` counts as absent, as in all bodies. */
function has(members: Members, name: string): boolean {
  return Object.hasOwn(members, name) && members[name] !== undefined && members[name] !== null;
}

/** Refuses with a fault found within the step. */
function refuse(place: Place, member: string, fault: Fault): never {
  throw new FaultError(faultWithin(place, member, fault));
}
