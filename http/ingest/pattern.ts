// The patterns of the paths that the ingest routes serve outside the pipeline, all for POST alone.

import { cdpPath, isCdpPath, isSegmentPath, segmentPath } from './cdp.ts';

export function ingestPattern(path: string): string | undefined {
  if (path === '/e') return path;
  if (isSegmentPath(path)) return segmentPath;
  return isCdpPath(path) ? cdpPath : undefined;
}
