// The API description and the reference made from it: whole, consistent, and true to the schemas.

import t from 'tap';
import type { z } from 'zod';
import { escaped } from '../../http/docs/html.ts';
import { loadReferenceFiles } from '../../http/docs-page.ts';
import { describeApi } from '../../http/openapi.ts';
import { trackEvents } from '../../http/outside-routes.ts';
import { routes } from '../../http/routes/index.ts';
import { fakeFront } from './routes/fake-front.ts';

const document = describeApi(routes, 'http://127.0.0.1:8400');
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({ path, method, operation })),
);

t.test('every route is described once, under an operation id of its own', async (t) => {
  t.equal(operations.length, routes.length + 1);
  for (const { method, path } of [...routes, trackEvents]) {
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
  for (const route of [...routes, trackEvents]) {
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

t.test(
  'every answer but 204 has a body, and every operation says its lane and scopes',
  async (t) => {
    for (const { path, method, operation } of operations) {
      const own = Object.entries(operation.responses).filter(([, { $ref }]) => $ref === undefined);
      t.ok(
        own.some(([status]) => status.startsWith('2')),
        `${method} ${path} has a 2xx`,
      );
      for (const [status, { content, description }] of own) {
        t.equal(content === undefined, status === '204', `${method} ${path} ${status}`);
        t.ok(description);
      }
      t.ok(['transactional', 'standard', 'none'].includes(operation['x-engage-lane']));
      t.equal(
        operation['x-engage-scopes'].length > 0,
        operation.security.some((one) => 'apiKey' in one) && operation.security.length === 1,
      );
    }
  },
);

t.test('bodies allow members that are not described, everywhere', async (t) => {
  t.notMatch(JSON.stringify(document), /"additionalProperties":false/);
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
