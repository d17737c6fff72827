// A member's way into the dashboard: the mailed link, and the button that posts it.

import type { Page } from 'playwright-core';
import { eventually } from '../../support/server.ts';

interface Door {
  readonly url: string;
  readonly sandboxUrl: string;
}

/** The fragment of the newest mailed link to an address, other than one that was used before. */
export function mailedFragment(
  { sandboxUrl }: Door,
  email: string,
  before?: string,
): Promise<string> {
  return eventually(async () => {
    const found = await fetch(`${sandboxUrl}/control/messages?to=${encodeURIComponent(email)}`);
    const all = (await found.text()).match(/#link=[\w-]{43}/g) ?? [];
    return all.find((one) => one !== before);
  }, `no mail with a link to ${email}`);
}

/** Signs a page in as a member, by a link, and gives the fragment that was used. */
export async function signInByMail(
  page: Page,
  door: Door,
  email: string,
  before?: string,
): Promise<string> {
  const headers = { 'x-engage-dashboard': '1', origin: door.url, 'sec-fetch-site': 'same-origin' };
  const asked = await page.request.post(`${door.url}/v1/session/link`, {
    data: { email },
    headers,
  });
  if (!asked.ok()) throw new Error(`no link: ${asked.status()}`);
  const fragment = await mailedFragment(door, email, before);
  await openLink(page, door, fragment, email);
  await page.locator('h1').first().waitFor();
  return fragment;
}

/** A page whose address differs by its fragment alone is not loaded again, hence the first step. */
export async function openLink(
  page: Page,
  { url }: Door,
  fragment: string,
  email: string,
): Promise<void> {
  await page.goto('about:blank');
  await page.goto(`${url}/dashboard${fragment}`);
  await page.getByText(`as ${email}`).waitFor();
  await page.keyboard.press('Tab');
  await page.getByRole('button', { name: 'Sign in' }).press('Enter');
  await page.getByRole('button', { name: 'Sign in' }).waitFor({ state: 'detached' });
}
