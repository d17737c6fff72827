// Lists the names of tags that people of an app have.

import { key, route } from '../../call/route.ts';
import { namesQuery, pageOfNames, tagNamesPage } from './name-shape.ts';

export const listTagNames = route({
  method: 'GET',
  path: '/v1/apps/:appId/tag-names',
  summary: 'List tag names',
  description:
    'The names of tags, in alphabetical order. An app has at most 20,000. At most 1,000 of them may be unvouched: beyond that, clients need an API key to add another one.',
  tag: 'Subscribers',
  access: key('read'),
  reads: ['tag-name'],
  lane: 'standard',
  query: namesQuery,
  responses: { 200: { description: 'A page of names.', schema: tagNamesPage } },
  refusals: [404],
  async handle(call) {
    return { status: 200, body: await pageOfNames(call, 'tags') };
  },
});
