// Answers of the API that a test plants, whatever the server would say. What the frame itself
// needs, the session and the live stream, stays real.

import type { Page, Route } from 'playwright-core';

const isPlanted = (url: URL) =>
  url.pathname.startsWith('/v1/') &&
  !url.pathname.startsWith('/v1/session') &&
  !url.pathname.endsWith('/live');

export interface Failure {
  readonly status: number;
  readonly error: string;
  readonly code: string;
  readonly retryAfter?: string;
}

/** The frame looks on every screen whether a webhook is off, and says nothing if it cannot. */
const ofFrame = /^\/v1\/apps\/[^/]+\/integrations$/;

/** Every call fails so; without a failure nobody answers. Returns how many a screen made. */
export async function plantFailure(page: Page, failure?: Failure): Promise<() => number> {
  let calls = 0;
  await page.route(isPlanted, async (route) => {
    if (!ofFrame.test(new URL(route.request().url()).pathname)) calls++;
    if (failure === undefined) await route.abort('internetdisconnected');
    else await answer(route, failure);
  });
  return () => calls;
}

/** Every call is told once to come back in a second; then the server answers. */
export async function plantBusy(page: Page): Promise<void> {
  const told = new Set<string>();
  await page.route(isPlanted, async (route) => {
    const what = `${route.request().method()} ${route.request().url()}`;
    if (told.has(what)) return route.fallback();
    told.add(what);
    return answer(route, { status: 429, error: 'rate limit', code: 'rate', retryAfter: '1' });
  });
}

type Item = Readonly<Record<string, unknown>>;

/** Lists are said to have so many rows, made from those they have. Returns which lists were met. */
export async function plantHuge(page: Page, total: number): Promise<ReadonlySet<string>> {
  const lists = new Set<string>();
  await page.route(isPlanted, async (route) => {
    const { pathname, searchParams } = new URL(route.request().url());
    if (pathname === '/v1/integrations') return route.fallback(); // a catalog, short by nature
    // Without the header, which the browser adds after this, no session counts.
    const headers = { ...route.request().headers(), 'sec-fetch-site': 'same-origin' };
    const response = await route.fetch({ headers }).catch(() => undefined);
    if (response === undefined) return; // the page has gone on
    const body = (await response.json().catch(() => undefined)) as
      | { readonly items?: readonly Item[]; readonly total?: number; readonly nextCursor?: unknown }
      | undefined;
    const items = body?.items ?? [];
    const isPaged = body !== undefined && ('nextCursor' in body || 'total' in body);
    if (!response.ok() || !isPaged || items.length === 0) return route.fulfill({ response });
    lists.add(pathname);
    const asked = (route.request().postDataJSON() ?? {}) as {
      readonly offset?: number;
      readonly limit?: number;
    };
    const from = asked.offset ?? Number(searchParams.get('cursor') ?? '0');
    const limit = asked.limit ?? Number(searchParams.get('limit') ?? '100');
    const many = Array.from({ length: Math.min(limit, total - from) }, (_, at) =>
      numbered(items[at % items.length] as Item, from + at),
    );
    const next = 'nextCursor' in body ? { nextCursor: String(from + limit) } : {};
    return route.fulfill({ response, json: { ...body, items: many, total, ...next } });
  });
  return lists;
}

/** The row, with an id and names of its own. */
function numbered(item: Item, nth: number): Item {
  const own = (value: unknown) => (typeof value === 'string' ? `${value}-${nth}` : value);
  return {
    ...item,
    ...('id' in item ? { id: own(item['id']) } : {}),
    ...('externalUserId' in item ? { externalUserId: `row-${nth}` } : {}),
    ...('name' in item ? { name: own(item['name']) } : {}),
  };
}

async function answer(route: Route, { status, error, code, retryAfter }: Failure): Promise<void> {
  await route.fulfill({
    status,
    headers: {
      'x-request-id': 'req_planted',
      ...(retryAfter === undefined ? {} : { 'retry-after': retryAfter }),
    },
    json: { error, code },
  });
}
