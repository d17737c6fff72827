// Messages of an export, page by page.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { CountedTimes } from '../segments/protocol.ts';
import type { ExportFormat, ExportRead } from './pool-read.ts';

interface ExportPage {
  readonly segmentId?: string;
  /** The first ordinal of the page; 0 to begin. */
  readonly from: PersonOrdinal;
  /** Where the export ends, from its first page: later people are not exported. */
  readonly end?: PersonOrdinal;
}

export interface ExportProtocol {
  /** What memory knows of the ordinals `from` up to `to`. `times`: see `segment.uncounted`. */
  'subscribers.window': {
    body: Caller & ExportPage & { readonly times?: CountedTimes };
    reply: Omit<ExportRead, 'app' | 'format'> & { readonly end: PersonOrdinal };
  };
  /** A page of text; `next` begins the next page, `null` after the last. */
  'subscribers.export': {
    body: Caller & ExportPage & { readonly format: ExportFormat };
    reply: { text: Uint8Array; next: PersonOrdinal | null; end: PersonOrdinal };
  };
}
