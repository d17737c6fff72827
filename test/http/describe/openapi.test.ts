// The API description and the reference made from it: whole, consistent, and true to the schemas.

import t from 'tap';
import type { z } from 'zod';
import { escaped } from '../../../http/describe/docs/html.ts';
import { loadReferenceFiles } from '../../../http/describe/docs-page.ts';
import { describeApi, operationsOutside } from '../../../http/describe/outside-routes.ts';
import { routes } from '../../../http/routes/index.ts';
import { fakeFront } from '../routes/fake-front.ts';

const document = describeApi(routes, 'http://127.0.0.1:8400');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

t.test('every route is described once, under an operation id of its own', async (t) => {
  t.equal(operations.length, routes.length + operationsOutside.length);
  for (const { method, path } of [...routes, ...operationsOutside]) {
    const described = document.paths[path.replace(/:(\w+)/g, '{$1}')]?.[method.toLowerCase()];
    t.ok(described, `${method} ${path}`);
  }
  const ids = operations.map(({ operation }) => operation.operationId);
  t.equal(new Set(ids).size, ids.length);
  t.notOk(
    ids.some((id) => id.includes('_')),
    'every id is a name, none is made of the path',
  );
});

t.test('every example in the description passes the schema it stands for', async (t) => {
  for (const route of [...routes, ...operationsOutside]) {
    const schemas: (z.ZodType | undefined)[] = [
      route.body,
      ...Object.values(route.responses).map(({ schema }) => schema),
    ];
    for (const schema of schemas) {
      if (schema === undefined || route.rawBody === true) continue;
      const examples = (schema.meta()?.['examples'] ?? []) as readonly unknown[];
      t.ok(examples.length > 0, `${route.method} ${route.path} has an example`);
      for (const example of examples) {
        const parsed = schema.safeParse(example);
        t.ok(parsed.success, `${route.name}: ${parsed.error?.message ?? 'valid'}`);
      }
    }
  }
});

t.test('every body shows an example', async (t) => {
  for (const { path, method, operation } of operations) {
    const json = operation.requestBody?.content['application/json'];
    if (json !== undefined) t.ok(json.examples, `${method} ${path}`);
  }
});

t.test(
  'every answer has a body but 204, 302, 303 and 304, and every operation says its lane and scopes',
  async (t) => {
    for (const { path, method, operation } of operations) {
      const own = Object.entries(operation.responses).filter(([, { $ref }]) => $ref === undefined);
      t.ok(
        own.some(([status]) => /^[23]/.test(status)),
        `${method} ${path} has a 2xx or 3xx`,
      );
      for (const [status, { content, description }] of own) {
        // A 202 of the agent tools acknowledges messages that need no answer.
        const isEmpty = /^(204|302|303|304)$/.test(status) || (path === '/mcp' && status === '202');
        t.equal(content === undefined, isEmpty, `${method} ${path} ${status}`);
        t.ok(description);
      }
      t.ok(['transactional', 'standard', 'address', 'none'].includes(operation['x-engage-lane']));
      t.equal(
        operation['x-engage-scopes'].length > 0,
        operation.security.some((one) => 'apiKey' in one) &&
          (operation.security.length === 1 || path.startsWith('/compat/')),
      );
    }
  },
);

t.test('bodies allow members that are not described, filters do not', async (t) => {
  const { Filter, ...schemas } = document.components.schemas;
  const open = { ...document, components: { ...document.components, schemas } };
  t.notMatch(JSON.stringify(open), /"additionalProperties":false/);
  for (const kind of Filter?.anyOf ?? []) t.equal(kind.additionalProperties, false);
});

t.test('every reference leads somewhere', async (t) => {
  const references = JSON.stringify(document).matchAll(/"\$ref":"#\/([^"]+)"/g);
  for (const [, path = ''] of references) {
    let value: unknown = document;
    for (const part of path.split('/')) value = (value as Record<string, unknown>)[part];
    t.ok(value, path);
  }
});

t.test('a refusal of a route that needs a key is described with its codes', async (t) => {
  const { responses } = document.components;
  t.match(responses['Error409']?.description, /idempotency_conflict/);
  const described = document.paths['/v1/apps/{appId}/notifications']?.['post'];
  for (const status of ['400', '401', '403', '404', '409', '413', '415', '429', '503', '507']) {
    t.ok(described?.responses[status], status);
  }
});

t.test('every parameter of a path has an example, so that its curl runs as copied', async (t) => {
  for (const [path, methods] of Object.entries(document.paths))
    for (const described of Object.values(methods))
      for (const { name, in: place, example } of described.parameters ?? [])
        if (place === 'path') t.ok(example, `${path} ${name}`);
});

t.test('a refusal is described with the headers that it carries', async (t) => {
  const { responses } = document.components;
  const headersOf = (path: string, method: string, status: string) => {
    const described = document.paths[path]?.[method]?.responses[status];
    const name = described?.$ref?.split('/').at(-1) ?? '';
    return Object.keys(responses[name]?.headers ?? {});
  };
  const lane = ['lane', 'limit', 'remaining', 'reset'].map((name) => `x-ratelimit-${name}`);
  const every = ['x-request-id', 'x-engage-mode'];
  t.same(headersOf('/v1/org', 'get', '400'), [...every, ...lane]);
  t.same(headersOf('/v1/org', 'get', '403'), [...every, ...lane]);
  t.same(headersOf('/v1/org', 'get', '429'), [...every, ...lane, 'retry-after']);
  t.same(headersOf('/v1/org', 'get', '401'), [...every, 'www-authenticate']);
  t.same(headersOf('/v1/orgs', 'post', '429'), [...every, 'retry-after']);
  t.same(headersOf('/e', 'post', '404'), every);
});

t.test('events are described under every type that they may be declared as', async (t) => {
  const content = document.paths['/e']?.['post']?.requestBody?.content ?? {};
  t.same(Object.keys(content), ['application/json', 'text/plain', '*/*']);
  t.match(content['text/plain']?.schema, { contentMediaType: 'application/json' });
  t.same(Object.keys(document.paths['/v1/apps']?.['post']?.requestBody?.content ?? {}), [
    'application/json',
  ]);
});

t.test('an app is described once', async (t) => {
  t.notOk('AppDetails' in document.components.schemas);
  t.ok(document.components.schemas['App']?.properties?.['vapidPublicKey']);
});

t.test('the reference shows every operation, without inline script or style', async (t) => {
  const [page] = loadReferenceFiles(document);
  const html = page?.text ?? '';
  for (const { operation } of operations) {
    t.ok(html.includes(`>${escaped(operation.summary)}</a></h3>`), operation.summary);
  }
  const ids = [...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
  t.equal(new Set(ids).size, ids.length, 'ids are unique');
  t.notMatch(html, /<style|style="|\son\w+="|<script(?![^>]+src=)/);
});

const creations = [
  'create-a-message',
  'create-a-message-template',
  'create-a-campaign',
  'create-a-journey',
  'create-an-in-app-message',
  'create-a-feature-flag',
  'create-a-segment',
  'create-or-update-a-subscriber',
  'create-a-relay',
  'create-a-shared-relay',
  'create-an-app',
  'create-an-org',
  'create-an-api-key',
  'duplicate-a-campaign',
  'duplicate-a-campaign-by-id',
  'duplicate-a-journey',
  'duplicate-a-message',
  'duplicate-a-segment',
];

t.test('the search finds an operation by whatever its description shows', async (t) => {
  const html = loadReferenceFiles(document)[0]?.text ?? '';
  const sections = [...html.matchAll(/<section class="op" id="([^"]+)" data-search="([^"]+)"/g)];
  t.equal(sections.length, operations.length);
  const found = (...words: readonly string[]) =>
    sections
      .filter(([, , text = '']) => words.every((word) => text.includes(word)))
      .map(([, id = '']) => id);
  t.same(
    found('idempot').toSorted(),
    [
      'send-a-message',
      'send-a-batch-of-messages',
      'update-a-live-activity',
      'end-a-live-activity',
      'send-a-test-message',
      'identify-a-subscriber',
      'create-a-client-workspace',
      'change-many-subscribers',
      'send-a-notification-onesignal',
    ]
      .concat(creations)
      .sort(),
    'a header, a member of the body, a description',
  );
  t.same(found('androidchannelid'), found('collapsekey'), 'a member of a member');
  t.ok(found('androidchannelid').includes('send-a-message'));
  t.ok(found('notif', '/v1/apps', 'post').includes('send-a-message'), 'in any order');
  t.ok(found('cursor').length < operations.length / 2, 'not what all have in common');
  t.same(found('idempotency_conflict'), [], 'a refusal is shared, and finds nothing');
  for (const [, id, text = ''] of sections) {
    const words = text.split(' ');
    t.equal(new Set(words).size, words.length, `${id} has each word once`);
  }
});

t.test(
  'the description and the reference are served, and not sent again when nothing changed',
  async (t) => {
    const { call } = fakeFront();
    const json = await call('GET /openapi.json', { key: 'none' });
    t.equal(json.status, 200);
    t.match(json.json, { openapi: '3.1.0' });
    const etag = json.headers['etag'] ?? '';
    const again = await call('GET /openapi.json', { headers: { 'if-none-match': etag } });
    t.equal(again.status, 304);
    t.equal(again.text, '');
    const page = await call('GET /docs', { key: 'none' });
    t.match(page.headers['content-security-policy'], /default-src 'none'/);
    for (const [, path = ''] of page.text.matchAll(/(?:href|src)="(\/docs\/[^"]+)"/g)) {
      t.equal((await call(`GET ${path}`)).status, 200, path);
    }
    t.equal((await call('GET /docs/../package.json')).status, 404);
  },
);
