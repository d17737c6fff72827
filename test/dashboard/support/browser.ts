// Headless Chromium on the dashboard of a server that all tests of a process share. Every page
// fails its test when a script throws, the policy refuses something, or it calls another host.

import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, chromium, type Page } from 'playwright-core';
import root, { type Test } from 'tap';
import { sharedServer } from '../../support/server.ts';

/** The shell draws no window, which takes a third of the processor time. */
const places = [
  '/usr/bin/chromium-headless-shell',
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
];

/** A quiet machine needs a tenth of it; two cores that run other tests as well may need half. */
const waitMs = 90_000;

/** Where Chromium is; `undefined` where none is installed. */
const chromiumPath = process.env['ENGAGE_TEST_CHROMIUM'] ?? places.find(existsSync);

/** An option of `t.test`: skips where there is no browser, which CI never allows. */
export const needsBrowser =
  chromiumPath === undefined && process.env['CI'] === undefined
    ? { skip: 'no Chromium is installed; ENGAGE_TEST_CHROMIUM names one' }
    : {};

interface Size {
  readonly width: number;
  readonly height: number;
}

export const desk: Size = { width: 1440, height: 900 };
export const phone: Size = { width: 390, height: 844 };

/** An org with an app and a key with all scopes, and pages that are signed in to it. */
export interface Workplace {
  readonly url: string;
  readonly sandboxUrl: string;
  readonly appId: string;
  readonly key: string;
  /** Calls the API; throws unless it answers 2xx. */
  call(method: string, path: string, body?: unknown): Promise<unknown>;
  /** Opens a screen: `people`, `campaigns/cmp_…?tab=links`, or `/…` below `/dashboard`. */
  open(screen: string, options?: PageOptions): Promise<Page>;
}

export interface PageOptions {
  readonly size?: Size;
  readonly scheme?: 'light' | 'dark';
  /** Pixels of a picture for each of the page. */
  readonly pixelRatio?: number;
  /** A file of fontconfig: which fonts there are for the browser. */
  readonly fonts?: string;
  /** Signs in with this key; by default with that of the workplace. */
  readonly key?: string;
  /** Without a session: the door. */
  readonly isSignedOut?: boolean;
  /** What the page is expected to say in its console. */
  readonly expects?: RegExp;
  /** Runs before the page loads, to plant answers. */
  before?(page: Page): Promise<void>;
}

/** By the settings of fonts they were started with. */
const browsers = new Map<string, Promise<Browser>>();

/** The browser that all tests of a file share; it ends with them, and the next file has its own. */
function sharedBrowser(fonts: string): Promise<Browser> {
  const started = browsers.get(fonts) ?? launch(fonts);
  browsers.set(fonts, started);
  return started;
}

function launch(fonts: string): Promise<Browser> {
  root.teardown(async () => {
    const ended = browsers.get(fonts);
    browsers.delete(fonts);
    await (await ended)?.close();
  });
  return chromium.launch({
    ...(chromiumPath === undefined ? {} : { executablePath: chromiumPath }),
    env: { ...process.env, ...(fonts === '' ? {} : { FONTCONFIG_FILE: fonts }) },
    args: [
      '--no-sandbox',
      '--disable-dev-shm-usage',
      '--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1',
    ],
  });
}

interface PlaceOptions {
  /** Settings of the server. */
  readonly environment?: Readonly<Record<string, string>>;
}

export async function workplace(
  t: Test,
  name = 'Acme',
  { environment = {} }: PlaceOptions = {},
): Promise<Workplace> {
  const server = await sharedServer(t, { ENGAGE_PER_IP_PER_MINUTE: '0', ...environment });
  const ask = async (token: string, method: string, path: string, body?: unknown) => {
    const response = await fetch(`${server.url}${path}`, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    const text = await response.text();
    if (!response.ok) throw new Error(`${method} ${path}: ${response.status} ${text}`);
    return text === '' ? undefined : (JSON.parse(text) as unknown);
  };
  const org = (await ask(server.bootstrapToken, 'POST', '/v1/orgs', { name })) as {
    readonly apiKey: { readonly key: string };
  };
  const { key } = org.apiKey;
  const app = (await ask(key, 'POST', '/v1/apps', { name: `${name} app`, timezone: 'UTC' })) as {
    readonly id: string;
  };
  return {
    url: server.url,
    sandboxUrl: server.sandboxUrl,
    appId: app.id,
    key,
    call: (method, path, body) => ask(key, method, path, body),
    open: (screen, options) =>
      openPage(t, { url: server.url, appId: app.id, key }, screen, options),
  };
}

/** A page of any server without a session: below `/dashboard`, such as `/#once=…`. */
export function openSignedOut(
  t: Test,
  url: string,
  path: string,
  options: PageOptions = {},
): Promise<Page> {
  return openPage(t, { url, appId: '', key: '' }, path, { ...options, isSignedOut: true });
}

/** The inbox page of a sandbox: `#m3`, `?panel=dns`. */
export async function openInbox(
  t: Test,
  sandboxUrl: string,
  address = '',
  options: PageOptions = {},
): Promise<Page> {
  return pageAt(t, await newContext(t, options), sandboxUrl, `/${address}`, options);
}

async function openPage(
  t: Test,
  { url, appId, key: own }: Pick<Workplace, 'url' | 'appId' | 'key'>,
  screen: string,
  options: PageOptions = {},
): Promise<Page> {
  const context = await newContext(t, options);
  if (options.isSignedOut !== true) await signedIn(context, url, options.key ?? own);
  const path = screen.startsWith('/') ? screen.replace(/^\/(?=$|#)/, '') : `/${appId}/${screen}`;
  return pageAt(t, context, url, `/dashboard${path}`, options);
}

/** A window of its own: storage and network of no other. It closes with the test. */
export async function newContext(
  t: Test,
  { size = desk, scheme = 'light', pixelRatio = 1, fonts = '' }: PageOptions,
): Promise<BrowserContext> {
  const context = await (await sharedBrowser(fonts)).newContext({
    viewport: size,
    colorScheme: scheme,
    deviceScaleFactor: pixelRatio,
    hasTouch: size.width < 600,
    locale: 'en-GB',
    timezoneId: 'UTC',
    reducedMotion: 'reduce',
  });
  context.setDefaultTimeout(waitMs);
  context.setDefaultNavigationTimeout(waitMs);
  t.teardown(() => context.close());
  return context;
}

async function pageAt(
  t: Test,
  context: BrowserContext,
  url: string,
  address: string,
  { expects, before }: PageOptions,
): Promise<Page> {
  const page = await context.newPage();
  watch(t, page, url, expects);
  await before?.(page);
  await page.goto(url + address);
  await page.locator('h1').first().waitFor();
  return page;
}

/** The session's cookie, as a person who signs in by an API key gets it. */
async function signedIn(context: BrowserContext, url: string, apiKey: string): Promise<void> {
  const answer = await context.request.post(`${url}/v1/session`, {
    data: { apiKey },
    headers: { 'x-engage-dashboard': '1', origin: url, 'sec-fetch-site': 'same-origin' },
  });
  if (!answer.ok()) throw new Error(`sign-in: ${answer.status()} ${await answer.text()}`);
}

function watch(t: Test, page: Page, url: string, expects: RegExp | undefined): void {
  page.on('pageerror', (error) => t.fail(`a script threw: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() !== 'error' || expects?.test(message.text()) === true) return;
    t.fail(`the console says: ${message.text()} at ${message.location().url}`);
  });
  page.on('request', (request) => {
    const target = request.url();
    if (/^https?:/.test(target) && !target.startsWith(url)) t.fail(`a call to ${target}`);
  });
}
