// The subcommands by name. Each loads when it is called: most need few of the others' files.

import type { Command } from './command.ts';

export const commands: Readonly<Record<string, () => Promise<{ readonly command: Command }>>> = {
  start: () => import('./start.ts'),
  sandbox: () => import('./sandbox.ts'),
  config: () => import('./config.ts'),
  backup: () => import('./backup.ts'),
  restore: () => import('./restore.ts'),
  resume: () => import('./resume.ts'),
  check: () => import('./check.ts'),
  clock: () => import('./clock.ts'),
  cluster: () => import('./cluster.ts'),
  keys: () => import('./keys.ts'),
  'dashboard-link': () => import('./dashboard-link.ts'),
  'import-endpoints': () => import('./import-endpoints.ts'),
  'import-onesignal': () => import('./import-onesignal.ts'),
  'import-braze': () => import('./import-braze.ts'),
  'import-customerio': () => import('./import-customerio.ts'),
  'import-klaviyo': () => import('./import-klaviyo.ts'),
  'import-mailchimp': () => import('./import-mailchimp.ts'),
  'import-listmonk': () => import('./import-listmonk.ts'),
  pull: () => import('./pull.ts'),
  push: () => import('./push.ts'),
  promote: () => import('./promote.ts'),
  mcp: () => import('./mcp.ts'),
  completion: () => import('./completion.ts'),
  version: () => import('./version-command.ts'),
};
