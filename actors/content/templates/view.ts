// What templates see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { TemplatesApp } from './state.ts';

export type TemplatesView = TemplatesApp;

export type TemplatesMemory = AppsOf<TemplatesView>;
