// What templates see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { TemplatesApp } from './state.ts';

/** Of an app. */
export type TemplatesView = TemplatesApp;

/** Of a partition. */
export type TemplatesMemory = AppsOf<TemplatesView>;
