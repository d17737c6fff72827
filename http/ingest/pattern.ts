// The patterns of the paths that the ingest routes serve outside the pipeline, all for POST alone.

import { cdpPath, isCdpPath } from './cdp.ts';

export function ingestPattern(path: string): string | undefined {
  if (path === '/e') return path;
  return isCdpPath(path) ? cdpPath : undefined;
}
