// What assets see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { AssetsApp } from './state.ts';

export type AssetsView = AssetsApp;

export type AssetsMemory = AppsOf<AssetsView>;
