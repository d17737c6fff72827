// A worker thread cannot have a TypeScript entry under tsx: this plain one registers it first.

import { register } from 'tsx/esm/api';

register();
await import('./reader-thread.ts');
