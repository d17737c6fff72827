// What exports see of a partition's memory. They keep nothing in it.

import type { AppsOf } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SegmentsReads } from '../segments/reads.ts';

export type ExportView = AccountsReads & AudienceReads & SegmentsReads;

export type ExportMemory = AppsOf<ExportView>;
