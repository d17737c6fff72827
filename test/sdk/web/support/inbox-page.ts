// The page of the shop that has an `<engage-inbox>`, and messages in everybody's inbox.

import type { Page } from 'playwright-core';
import type { Shop } from './shop.ts';

const dayMs = 86_400_000;

/** Keeps a message in everybody's inbox, `days` old; returns its id. */
export async function keep(shop: Shop, content: object, days = 0): Promise<string> {
  const { id: messageId } = (await shop.call('POST /messages', { name: 'news', ...content })) as {
    readonly id: string;
  };
  const startAt = new Date(Date.now() - days * dayMs - 3_600_000).toISOString();
  const shown = { messageId, show: 'inbox', startAt };
  const { id } = (await shop.call('POST /in-app-messages', shown)) as { readonly id: string };
  return id;
}

export const inboxPath = '/inbox';
export const bell = (page: Page) => page.locator('engage-inbox .bell');
export const panel = (page: Page) => page.getByRole('dialog', { name: 'Notifications' });
export const items = (page: Page) => panel(page).getByRole('listitem');

/** The name of the bell says how many are unread. */
export async function says(page: Page, unread: number): Promise<void> {
  const name = unread === 0 ? 'Notifications' : `Notifications, ${unread} unread`;
  await page.getByRole('button', { name, exact: true }).waitFor();
}
