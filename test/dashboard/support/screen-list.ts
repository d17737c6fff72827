// The screens of the dashboard, from the list that the dashboard itself goes by, and what can be
// opened within them. A new screen is in it without being named here.

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Page } from 'playwright-core';
import type { Test } from 'tap';
import { root } from '../../support/places.ts';
import type { LivedInApp } from './lived-in-app.ts';

export interface ShownScreen {
  /** Names a picture and an assertion. */
  readonly name: string;
  /** Below `/dashboard`. */
  path(appId: string): string;
}

/** From the source: the list itself imports components, which Node cannot load. */
const list = readFileSync(join(root, 'dashboard/screens/list.ts'), 'utf8');

export const screens: readonly ShownScreen[] = [
  ...list.matchAll(/id: '([^']+)',[\s\S]*?group: '([^']+)'/g),
].map(([, id = '', group]) => ({
  name: id,
  path: (appId) => (group === 'org' ? `/org/${id}` : `/${appId}/${id}`),
}));

/** All screens, and one of each thing that they list. */
export function opened(made: LivedInApp): readonly ShownScreen[] {
  const below: Readonly<Record<string, string>> = {
    person: 'people/external:customer-0003',
    segment: `segments/${made.segmentId}`,
    campaign: `campaigns/${made.campaignId}`,
    'campaign-draft': `campaigns/${made.draftId}`,
    journey: `journeys/${made.journeyId}`,
    message: `messages/${made.messageId}`,
    'in-app': `inapp/${made.inAppId}`,
    flag: 'flags/new-checkout',
    topic: 'topics/news',
    form: 'forms/newsletter',
    send: `activity/${made.sendId}`,
    channel: 'channels/email',
    webhook: 'integrations/webhook',
    'new-campaign': 'campaigns/new',
    'new-segment': 'segments/new',
    'new-topic': 'topics/new',
    'new-form': 'forms/new',
    'new-message': 'messages/new',
    'new-journey': 'journeys/new',
  };
  return [
    ...screens,
    ...Object.entries(below).map(([name, path]) => ({
      name,
      path: (appId: string) => `/${appId}/${path}`,
    })),
  ];
}

const isSettled = `document.querySelector('h1') !== null &&
  document.querySelector('[aria-busy="true"], .late') === null`;
/** A screen needs one or two seconds alone; other tests may hold both cores of a machine. */
const settledMs = 45_000;

/** Until nothing on it is loading, and stays so for a moment. */
export async function whenSettled(page: Page): Promise<void> {
  const endMs = Date.now() + settledMs;
  // Not by `waitForFunction`, which evaluates text in the page: the policy forbids it.
  for (let seen = 0; seen < 3; ) {
    seen = (await page.evaluate(isSettled)) === true ? seen + 1 : 0;
    if (Date.now() > endMs) throw new Error(`still loading: ${page.url()}`);
    await page.waitForTimeout(30);
  }
}

interface Place {
  readonly url: string;
  readonly appId: string;
}

export async function show(page: Page, place: Place, screen: ShownScreen): Promise<void> {
  await page.goto(`${place.url}/dashboard${screen.path(place.appId)}`);
  await whenSettled(page);
}

export async function fits(t: Test, page: Page, name: string): Promise<void> {
  const beyond = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
  t.ok(Number(beyond) <= 0, `${name}: nothing beyond the page's width`);
  // Screens scroll within the page, so a page that is longer ends in nothing. A page of few lines
  // scrolls as a whole.
  const below = await page.evaluate(
    'innerHeight <= 400 ? 0 : document.documentElement.scrollHeight - innerHeight',
  );
  t.ok(Number(below) <= 0, `${name}: nothing below the page's end`);
}

/** The sum of layout shifts since the page was asked for: what moved without anybody doing it. */
const shifted = `new Promise((done) => {
  let sum = 0;
  new PerformanceObserver((list) => {
    for (const { value } of list.getEntries()) sum += value;
  }).observe({ type: 'layout-shift', buffered: true });
  setTimeout(() => done(sum), 50);
})`;

/** Nothing moves much while a screen fills: what counts as good, on a slow machine too. */
export async function staysPut(t: Test, page: Page, name: string): Promise<void> {
  const sum = Number(await page.evaluate(shifted));
  t.ok(sum < 0.1, `${name}: moved by ${sum.toFixed(3)} while it filled`);
}
