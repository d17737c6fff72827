// What assistants read: the list of the documentation, and each page as Markdown whose links all
// lead somewhere.

import t from 'tap';
import { routes } from '../../../http/routes/index.ts';
import { fakeFront } from '../routes/fake-front.ts';

const { call } = fakeFront();

t.test('the list names pages that are there, and begins with what Engage is', async (t) => {
  const { status, headers, text } = await call('GET /llms.txt', { key: 'none' });
  t.equal(status, 200);
  t.match(headers['content-type'], 'text/plain; charset=utf-8');
  t.match(text, /^# Engage\n\n> \S/);
  const links = [...text.matchAll(/\]\(([^)]+)\)/g)].map(([, link = '']) => link);
  const paths = links.map((link) => link.replace(/^https?:\/\/[^/]+/, ''));
  t.ok(paths.includes('/docs/skill/SKILL.md') && paths.length > 15, `${paths.length} links`);
  for (const path of paths) {
    if (path === '/mcp') continue; // a route, which answers to POST alone
    const page = await call(`GET ${path}`, { key: 'none' });
    t.equal(page.status, 200, path);
    if (path.endsWith('.md')) t.match(page.headers['content-type'], 'text/markdown');
  }
});

t.test('no page has a link that leads nowhere, or a picture', async (t) => {
  const { text } = await call('GET /llms.txt', { key: 'none' });
  const pages = [...text.matchAll(/\/docs\/([\w/.-]+\.md)/g)].map(([, name = '']) => name);
  for (const name of new Set(pages)) {
    const page = await call(`GET /docs/${name}`, { key: 'none' });
    t.notMatch(page.text, /<picture>|<img /, name);
    const prose = page.text.replace(/```[\s\S]*?```/g, '');
    for (const [, target = ''] of prose.matchAll(/\]\(([^)\s]+)\)/g)) {
      if (/^(https?:|#)/.test(target)) continue;
      const { pathname } = new URL(target.split('#')[0] ?? '', `http://x/docs/${name}`);
      t.equal((await call(`GET ${pathname}`, { key: 'none' })).status, 200, `${name}: ${target}`);
    }
  }
});

t.test('every operation is in one line of the list of the API', async (t) => {
  const { text } = await call('GET /docs/API.md', { key: 'none' });
  for (const { method, path } of routes)
    t.ok(
      text.includes(`- \`${method} ${path.replace(/:(\w+)/g, '{$1}')}\`: `),
      `${method} ${path}`,
    );
});

t.test('only pages that are meant for readers are served', async (t) => {
  for (const path of ['PLAN.md', 'STYLE.md', 'decisions/README.md', '../package.json', 'x.md'])
    t.equal((await call(`GET /docs/${path}`, { key: 'none' })).status, 404, path);
  const again = await call('GET /llms.txt', {
    headers: { 'if-none-match': (await call('GET /llms.txt')).headers['etag'] ?? '' },
  });
  t.equal(again.status, 304);
});
