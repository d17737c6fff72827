// The topics of an app.

import { limits } from '../../../actors/limits.ts';
import { isNamed } from '../../../actors/list-order.ts';
import type { TopicsProtocol } from '../../../actors/people/topics/protocol.ts';
import { pageByKey } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import { Resource } from '../resource.ts';
import { topicBody, topicInput, topicPatch, topicSchema, topicView } from './topic-shape.ts';

const topics = new Resource({
  path: '/v1/apps/:appId/topics',
  params: { key: 'Topic key.' },
  tag: 'Topics',
  noun: 'topic',
  a: 'a topic',
  schema: topicSchema,
  view: topicView,
  actor: (call) => call.to<TopicsProtocol>(call.app()),
  named: (call) => ({ topic: call.param('key') }),
});

export const createTopic = topics.create({
  description: `What people may want messages about. A campaign or a send step of a journey that names a topic reaches only people who are in it, by their own choice or by the default of the topic. Transactional sends have no topic. At most ${limits.topicsMax} in an app.`,
  body: topicBody,
  asks: 'topic.create',
  says: ({ body }) => ({ key: body.key, input: { ...topicInput(body), name: body.name } }),
});

export const listTopics = topics.list({
  answer: 'Topics, by time of creation. `q` searches their names and keys.',
  all: 'topic.list',
  page: (all, { q, ...query }) =>
    pageByKey(
      all.filter(({ key, name }) => isNamed(name, q) || isNamed(key, q)),
      query,
    ),
});

export const readTopic = topics.read({ asks: 'topic.read' });

export const updateTopic = topics.update({
  description:
    'Fields you send are replaced; `null` removes the description. A new `default` holds at once for everyone who has made no choice, also for campaigns that are being sent.',
  body: topicPatch,
  asks: 'topic.update',
  says: ({ body }) => ({ input: topicInput(body), ...present({ key: body.key }) }),
});

export const deleteTopic = topics.remove({
  description:
    "Refused with 409 while an unfinished campaign or a journey names the topic. People's choices stay in their records, so they hold again if you create the topic again; `DELETE /v1/apps/:appId/tag-names/:name` removes them.",
  refusals: [409],
  asks: 'topic.delete',
});
