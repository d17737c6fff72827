// The client for servers: its generated file is what the API description says now, and every method
// has a good name of its own.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { describeApi } from '../../http/describe/outside-routes.ts';
import { routes } from '../../http/routes/index.ts';
import { nodeTable } from '../../sdk/generate/api-table.ts';
import { methodsOf } from '../../sdk/generate/client-methods.ts';
import type { Description } from '../../sdk/generate/client-source.ts';
import {
  complaintAbout,
  groupNameOf,
  methodNameOf,
  withoutGroup,
  withoutMethod,
} from '../../sdk/generate/method-names.ts';
import { clientVersion } from '../../sdk/node/src/version.ts';
import { root } from '../support/places.ts';
import { filesBelow, readSources } from '../support/source-graph.ts';

const description = describeApi(routes, '') as unknown as Description;
const methods = methodsOf(description);

t.test('the generated file is current; `npm run generate` makes it so', async (t) => {
  const committed = readFileSync(join(root, 'sdk/node/src/methods.generated.ts'), 'utf8');
  t.ok(committed === nodeTable(), 'sdk/node/src/methods.generated.ts');
});

t.test('a name that is not good, or not the only one, stops the generator', async (t) => {
  const key = [{ apiKey: [] }];
  const one = (operationId: string) => ({
    operationId,
    tags: ['Things'],
    security: key,
    responses: {},
  });
  const described = (first: string, second: string): Description => ({
    components: { schemas: {} },
    paths: { '/v1/a': { get: one(first) }, '/v1/b': { get: one(second) } },
  });
  t.equal(methodsOf(described('readThing', 'listThings')).length, 2);
  t.throws(() => methodsOf(described('readThing', 'postThing')), /is the method of HTTP/);
  t.throws(() => methodsOf(described('readThing', 'readThings')), /is the name of another method/);
  t.ok(methods.length > 150);
});

t.test('the rule leaves out the noun of the group', async (t) => {
  const cases = [
    ['Notifications', 'sendNotification', 'notifications.send'],
    ['Notifications', 'sendBatch', 'notifications.sendBatch'],
    ['Segments', 'previewSegment', 'segments.preview'],
    ['Campaigns', 'readCampaignStats', 'campaigns.readStats'],
    ['Live Activities', 'listLiveActivities', 'liveActivities.list'],
    ['Live Activities', 'endLiveActivity', 'liveActivities.end'],
    ['Message templates', 'createMessageTemplate', 'messageTemplates.create'],
    ['Topics', 'createTopic', 'topics.create'],
    ['Preferences', 'updatePreferences', 'preferences.update'],
  ];
  for (const [tag = '', operationId = '', wanted] of cases) {
    const group = groupNameOf(tag);
    t.equal(`${group}.${methodNameOf(operationId, group)}`, wanted);
  }
});

t.test('names that say nothing, or say it in the words of HTTP, are refused', async (t) => {
  const ugly = [
    'postV1Apps',
    'readCampaignOfApp',
    'listSubscriberSegmentsOf',
    'get',
    'then',
    'readURL',
  ];
  for (const name of [...ugly, '', 'Segments', 'readAllTheVeryLongThings'])
    t.ok(complaintAbout(name), name);
});

t.test('every operation that a key may call has a method, or a reason why not', async (t) => {
  const known = new Set(methods.map(({ operationId }) => operationId));
  const forKeys = Object.values(description.paths).flatMap((one) =>
    Object.values(one).filter(
      ({ security = [], tags: [tag = ''] = [] }) =>
        withoutGroup[tag] === undefined && security.some((scheme) => 'apiKey' in scheme),
    ),
  );
  const missing = forKeys.map(({ operationId }) => operationId).filter((id) => !known.has(id));
  t.same(
    missing.filter((id) => !id.endsWith('OfApp')),
    Object.keys(withoutMethod),
  );
  for (const id of missing.filter((one) => one.endsWith('OfApp')))
    t.ok(known.has(id.slice(0, -'OfApp'.length)), `${id} has a shorter route`);
});

t.test('the client imports nothing but itself, and names its version', async (t) => {
  for (const { path, references, code } of readSources(['sdk/node/src']).values()) {
    for (const { specifier } of references) t.match(specifier, /^\.\/[\w.-]+\.ts$/, path);
    t.notMatch(code, /\b(?:process|Buffer|require)\b\s*[.(]/, `${path} knows no platform`);
  }
  t.ok(filesBelow('sdk/node/src').length > 10);
  const { version } = JSON.parse(readFileSync(join(root, 'sdk/node/package.json'), 'utf8'));
  t.equal(version, clientVersion);
  const { version: whole } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
  t.equal(version, whole);
});
