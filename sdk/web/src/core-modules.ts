// What the core loads on first use, for platforms that bundle or find modules by themselves.

import type { CoreModules } from './core.ts';

export const coreModules: CoreModules = {
  rare: () => import('./rare.ts'),
  feed: () => import('./feed.ts'),
  profile: () => import('./profile.ts'),
  inboxCalls: () => import('./inbox/inbox-calls.ts'),
};
