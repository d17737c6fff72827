// A shop that uses the web SDK: pages of an origin of its own, an app on a server, and what the
// server has heard.

import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { BrowserContext, Page } from 'playwright-core';
import type { Test } from 'tap';
import { newContext, workplace } from '../../../dashboard/support/browser.ts';
import { eventually } from '../../../support/server.ts';

export interface HeardEvent {
  readonly id: string;
  readonly name: string;
  readonly subscriberId: string;
  readonly externalUserId: string | null;
  readonly at: string;
  readonly props: { readonly n?: number } | null;
}

export interface Shop {
  /** Of its pages. */
  readonly url: string;
  /** Of the server. */
  readonly engageUrl: string;
  readonly sandboxUrl: string;
  readonly appId: string;
  readonly context: BrowserContext;
  /** Opens a page that has the SDK as `window.Engage`, and calls `init` unless told not to. */
  open(options?: OpenOptions): Promise<Page>;
  /** Calls the API below the app; throws unless it answers 2xx. */
  call(line: string, body?: unknown): Promise<unknown>;
  /** Events of this name, oldest first. */
  heard(name: string): Promise<readonly HeardEvent[]>;
  /** The same once there are at least so many. */
  heardAtLeast(name: string, count: number): Promise<readonly HeardEvent[]>;
}

interface OpenOptions {
  readonly path?: string;
  /** Without it the page calls `init` itself. */
  readonly isWithoutInit?: boolean;
  /** Runs before the page loads. */
  before?(page: Page): Promise<unknown>;
}

interface ShopOptions {
  readonly environment?: Readonly<Record<string, string>>;
  /** Of the app. */
  readonly settings?: object;
  /** Another browser than the shared one. */
  browser?(sandboxUrl: string): Promise<BrowserContext>;
}

/** Of pages that say what the policy refused, in `window.refused`. */
const strictPolicy = (engageUrl: string, policies: string) =>
  [
    "default-src 'none'",
    `script-src 'self' ${engageUrl}`,
    "style-src 'self'",
    `connect-src ${engageUrl}`,
    `img-src ${engageUrl}`,
    "worker-src 'self'",
    "require-trusted-types-for 'script'",
    `trusted-types ${policies}`,
  ].join('; ');

export async function openShop(t: Test, options: ShopOptions = {}): Promise<Shop> {
  const place = await workplace(t, 'Shop', { environment: options.environment ?? {} });
  const { appId, url: engageUrl } = place;
  if (options.settings !== undefined)
    await place.call('PATCH', `/v1/apps/${appId}/settings`, options.settings);
  const { server, url } = await serve(engageUrl, appId);
  t.teardown(() => {
    server.closeAllConnections();
    server.close();
  });
  const context = (await options.browser?.(place.sandboxUrl)) ?? (await newContext(t, {}));
  const call: Shop['call'] = (line, body) => {
    const [method = '', path = ''] = line.split(' ');
    return place.call(method, `/v1/apps/${appId}${path}`, body);
  };
  const heard: Shop['heard'] = async (name) => {
    const all: HeardEvent[] = [];
    let cursor = '';
    do {
      const path = `/events?name=${encodeURIComponent(name)}&limit=200${cursor}`;
      const page = (await call(`GET ${path}`)) as {
        readonly items: readonly HeardEvent[];
        readonly nextCursor: string | null;
      };
      all.push(...page.items);
      cursor = page.nextCursor === null ? '' : `&cursor=${page.nextCursor}`;
    } while (cursor !== '');
    return all.reverse();
  };
  return {
    url,
    engageUrl,
    sandboxUrl: place.sandboxUrl,
    appId,
    context,
    call,
    heard,
    heardAtLeast: (name, count) =>
      eventually(
        async () => {
          const events = await heard(name);
          return events.length >= count ? events : undefined;
        },
        `${count} events ${name}`,
        60_000,
      ),
    async open({ path = '/', isWithoutInit = false, before } = {}) {
      const page = await context.newPage();
      page.on('pageerror', (error) => t.fail(`a script threw: ${error.message}`));
      await before?.(page);
      await page.goto(`${url}${path}`);
      await page.waitForFunction(() => 'Engage' in globalThis);
      if (!isWithoutInit)
        await page.evaluate(
          `Engage.on('error', (problem) => (window.problems ??= []).push(problem));
           Engage.init({appId: '${appId}', baseUrl: '${engageUrl}'})`,
        );
      return page;
    },
  };
}

const main = (engageUrl: string) =>
  `import {Engage} from '${engageUrl}/sdk/v1/engage.js'; window.Engage = Engage;`;

const reporting =
  'window.refused = []; document.addEventListener("securitypolicyviolation", (event) => window.refused.push(event.violatedDirective + " " + event.blockedURI));';

/** Answers paths by a table: a page as a module, as a script tag, and under a strict policy. */
async function serve(
  engageUrl: string,
  appId: string,
): Promise<{ readonly server: Server; readonly url: string }> {
  const page = (scripts: string) =>
    `<!doctype html><html lang="en"><title>Shop</title><main><h1>Shop</h1></main>${scripts}</html>`;
  const strict = page(
    '<script src="/reporting.js"></script><script type="module" src="/main.js"></script>',
  );
  const policies: Readonly<Record<string, string>> = {
    '/strict': strictPolicy(engageUrl, "'none'"),
    '/inbox': strictPolicy(engageUrl, "'none'"),
    // To register a worker, push needs a policy of its own.
    '/strict-push': strictPolicy(engageUrl, 'engage'),
  };
  const pages: Readonly<Record<string, readonly [type: string, body: string]>> = {
    '/': ['text/html', page('<script type="module" src="/main.js"></script>')],
    '/strict': ['text/html', strict],
    '/strict-push': ['text/html', strict],
    '/tag': [
      'text/html',
      page(
        `<script>(window.engageReady ??= []).push((Engage) => Engage.init({appId: '${appId}', baseUrl: '${engageUrl}'}));</script><script async src="${engageUrl}/sdk/v1/engage.iife.js"></script>`,
      ),
    ],
    '/inbox': [
      'text/html',
      page(
        `<nav><button type="button">Menu</button><engage-inbox preferences="/settings"></engage-inbox></nav><script src="/reporting.js"></script><script type="module" src="${engageUrl}/sdk/v1/inbox.js"></script><script type="module" src="/main.js"></script><link rel="stylesheet" href="/style.css">`,
      ),
    ],
    '/style.css': [
      'text/css',
      'nav { display: flex; justify-content: space-between; } @media (prefers-color-scheme: dark) { html { background: #121316; color: #f1f2f4; } }',
    ],
    '/main.js': ['text/javascript', main(engageUrl)],
    '/reporting.js': ['text/javascript', reporting],
    '/engage-sw.js': ['text/javascript', `importScripts('${engageUrl}/sdk/v1/sw.js');`],
  };
  const server = createServer((request, response) => {
    const { pathname } = new URL(request.url ?? '/', 'http://shop');
    const [type, body] = pages[pathname] ?? ['text/html', undefined];
    const policy = policies[pathname];
    response.writeHead(body === undefined ? 404 : 200, {
      'content-type': `${type}; charset=utf-8`,
      ...(policy === undefined ? {} : { 'content-security-policy': policy }),
    });
    response.end(body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return { server, url: `http://127.0.0.1:${port}` };
}
