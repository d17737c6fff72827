// The module that a page imports: `import {Engage} from '…/engage.js'`.

import { browser } from './browser.ts';
import { Engage as Surface } from './core.ts';

export const Engage = new Surface(browser);
