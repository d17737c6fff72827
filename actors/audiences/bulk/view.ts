// What bulk changes see of a partition's memory.

import type { AppsOf } from '../../area.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';
import type { UpsertReads } from '../../people/audience/upsert.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { SegmentsReads } from '../segments/reads.ts';
import type { BulkApp } from './state.ts';

export type BulkView = BulkApp & AccountsReads & AudienceReads & SegmentsReads & UpsertReads;

export type BulkMemory = AppsOf<BulkView>;
