// The topics of an app.

import { limits } from '../../../actors/limits.ts';
import { isNamed } from '../../../actors/list-order.ts';
import type { TopicsProtocol, TopicView } from '../../../actors/people/topics/protocol.ts';
import { pageByKey } from '../../call/answer/page.ts';
import { present } from '../../call/answer/present.ts';
import type { Call } from '../../call/call.ts';
import { senderWarnings } from '../audience/sender-warnings.ts';
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
  async handle(call) {
    const { body } = call;
    const input = { ...topicInput(body), name: body.name };
    const topic = await actorOf(call).ask('topic.create', { key: body.key, input });
    return { status: 201, body: await warned(call, topic) };
  },
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
  edits: 'topic.update',
  async handle(call) {
    const { body } = call;
    const named = { topic: call.param('key'), ...present({ key: body.key }) };
    const input = topicInput(body);
    const topic = await actorOf(call).ask('topic.update', { ...named, input });
    return { status: 200, body: await warned(call, topic) };
  },
});

function actorOf(call: Call<unknown, unknown>) {
  return call.to<TopicsProtocol>(call.app());
}

/** With a warning if nobody can be asked for the confirmation that the topic needs. */
async function warned(call: Call<unknown, unknown>, topic: TopicView) {
  const { doubleOptIn } = topic;
  const more = await senderWarnings(call, call.app(), 'doubleOptIn', doubleOptIn);
  return { ...topicView(topic), ...more };
}

export const deleteTopic = topics.remove({
  description:
    "Refused with 409 while an unfinished campaign or a journey names the topic. People's choices stay in their records, so they hold again if you create the topic again; `DELETE /v1/apps/:appId/tag-names/:name` removes them.",
  refusals: [409],
  asks: 'topic.delete',
});
