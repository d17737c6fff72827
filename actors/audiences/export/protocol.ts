// What an export of an app's people answers, page by page.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Caller } from '../../tenants/accounts/protocol.ts';
import type { CountedTimes } from '../segments/protocol.ts';
import type { ExportFormat, ExportRead } from './pool-read.ts';

/** What every page of one export asks for, and where it stands. */
interface ExportPage {
  /** Only members of this segment. */
  readonly segmentId?: string;
  /** The first ordinal of the page; 0 to begin. */
  readonly from: PersonOrdinal;
  /** Where the export ends, as its first page said: who comes later is not waited for. */
  readonly end?: PersonOrdinal;
}

export interface ExportProtocol {
  /**
   * What memory knows of the ordinals of a page, which are `from` up to `to`. `times`: see
   * `segment.uncounted`.
   */
  'subscribers.window': {
    body: Caller & ExportPage & { readonly times?: CountedTimes };
    reply: Omit<ExportRead, 'app' | 'format'> & { readonly end: PersonOrdinal };
  };
  /** A page of text; `next` is where the one after begins, `null` after the last. */
  'subscribers.export': {
    body: Caller & ExportPage & { readonly format: ExportFormat };
    reply: { text: Uint8Array; next: PersonOrdinal | null; end: PersonOrdinal };
  };
}
