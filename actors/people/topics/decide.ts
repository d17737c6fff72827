// Decides about topics. Source: specification, "Campaign" and "Suppression".

import { accepted, type Context, type Decision, refused } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { type Fault, fieldFault } from '../../../engine/base/fault.ts';
import { fault } from '../../faults.ts';
import { limits } from '../../limits.ts';
import { withApp, withNamed } from '../../tenants/accounts/with-app.ts';
import { choiceTag } from './choice-tag.ts';
import type { TopicsMemory, TopicsView } from './memory.ts';
import type { TopicInput, TopicsEntry, TopicsProtocol, TopicView } from './protocol.ts';
import type { TopicRecord } from './topic.ts';

export const topicsDecisions: Decisions<TopicsProtocol, TopicsMemory> = {
  'topic.create': (state, { key, input }, context) =>
    withApp(state, context, (app) => {
      if (app.topics.has(key)) return refused(keyInUse(key));
      if (app.topics.size >= limits.topicsMax)
        return refused(
          fault('limit_reached', `key: an app has at most ${limits.topicsMax} topics`, {
            field: 'key',
          }),
        );
      const { nowMs } = context;
      const fresh: TopicRecord = {
        key,
        name: input.name,
        default: 'out',
        doubleOptIn: false,
        createdMs: nowMs,
        updatedMs: nowMs,
      };
      return save(app, fresh, input, context);
    }),

  'topic.read': (state, { topic }, context) =>
    withTopic(state, topic, context, (record, app) => accepted(viewOf(app, record))),

  'topic.update': (state, { topic, key, input }, context) =>
    withTopic(state, topic, context, (record, app) => {
      if (key !== undefined && key !== record.key)
        return refused(
          fieldFault('key', "cannot be changed: people's choices are stored under it"),
        );
      return save(app, { ...record, updatedMs: context.nowMs }, input, context);
    }),

  'topic.delete': (state, { topic }, context) =>
    withTopic(state, topic, context, ({ key }, app) => {
      const user = userOf(app, key);
      if (user !== undefined)
        return refused(fault('in_use', `${user} names this topic; change or delete it first`));
      const entry: TopicsEntry = { kind: 'topic.deleted', owner: context.owner, key };
      return accepted(null, { entries: [entry] });
    }),

  'topic.list': (state, _message, context) =>
    withApp(state, context, (app) =>
      accepted([...app.topics.values()].map((record) => viewOf(app, record))),
    ),
};

function save(
  app: TopicsView,
  before: TopicRecord,
  input: TopicInput,
  { owner }: Context,
): Decision<TopicView> {
  const { description: oldDescription, ...rest } = before;
  const description =
    input.description === undefined ? oldDescription : (input.description ?? undefined);
  const topic: TopicRecord = {
    ...rest,
    name: input.name ?? before.name,
    ...(description === undefined ? {} : { description }),
    default: input.default ?? before.default,
    doubleOptIn: input.doubleOptIn ?? before.doubleOptIn,
  };
  if (topic.doubleOptIn && topic.default === 'in') return refused(unconfirmed(input));
  const entry: TopicsEntry = { kind: 'topic.saved', owner, topic };
  return accepted(viewOf(app, topic), { entries: [entry] });
}

/** With the default `in`, people who confirmed nothing would get messages. */
function unconfirmed(input: TopicInput): Fault {
  return input.default === 'in'
    ? fieldFault('default', 'expected "out", because the topic has a double opt-in')
    : fieldFault('doubleOptIn', 'needs the default "out": nobody confirmed a default');
}

function viewOf({ traits }: TopicsView, record: TopicRecord): TopicView {
  const people = { in: 0, out: 0, pending: 0 };
  traits.tags.get(choiceTag(record.key))?.forEachValue((value, count) => {
    if (value === 'in' || value === 'pending') people[value] += count;
    else people.out += count;
  });
  return { ...record, people };
}

/** What names a topic, if anything does. Finished campaigns send nothing any more. */
function userOf({ campaigns, journeys }: TopicsView, key: string): string | undefined {
  return campaigns.usersOfTopic(key)[0]?.what ?? journeys.userOfTopic(key);
}

function keyInUse(key: string): Fault {
  return fault('duplicate', `key: the app already has a topic "${key}"`, { field: 'key' });
}

const withTopic = withNamed('topic', ({ topics }: TopicsView, key: string) => topics.get(key));
