import t from 'tap';
import { exampleClientToken as clientToken } from '../../../http/routes/sdk/sdk-shape.ts';
import { fakeFront } from '../routes/fake-front.ts';

const appId = 'app_0000g4t0d0rh86r06tmvdacv8k';
const app = `/v1/apps/${appId}`;

t.test('a call that may change something says who makes it', async (t) => {
  for (const [line, key, body, actor] of [
    [`POST ${app}/subscribers`, 'write', { externalUserId: 'ada' }, 'key_write'],
    [`DELETE ${app}/subscribers/ext:ada`, 'write', undefined, 'key_write'],
    [`GET ${app}/subscribers`, 'read', undefined, undefined],
    ['POST /v1/orgs', 'bootstrap', { name: 'Acme' }, 'operator'],
    ['POST /v1/sdk/tags', '', { appId, clientToken, tags: { plan: 'pro' } }, undefined],
  ] as const) {
    const front = fakeFront();
    await front.call(line, { key, ...(body === undefined ? {} : { body }) });
    t.same([...new Set(front.asked.map(({ message }) => message['actor']))], [actor], line);
  }
});
