// The module that a page imports: `import {Engage} from '…/engage.js'`.

import { browser } from './browser.ts';
import { WebEngage } from './web-engage.ts';

export const Engage = new WebEngage(browser, () => import('./in-app/in-app.ts'));
