// The module that a page imports: `import {Engage} from '…/engage.js'`.

import { browser } from './browser.ts';
import { coreModules } from './core-modules.ts';
import { WebEngage } from './web-engage.ts';

export const Engage = new WebEngage(browser, {
  ...coreModules,
  push: () => import('./push.ts'),
  inApp: () => import('./in-app/in-app.ts'),
});
