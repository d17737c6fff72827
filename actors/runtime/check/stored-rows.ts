// Counts again what rows take for the storage quota, and compares it with what memory folded.

import type { Bytes, Ordinal } from '../../../engine/base/brand.ts';
import { type RowKind, rowKinds } from '../../stored-share.ts';
import { CountedTables } from '../../tenants/usage/count-rows.ts';
import { rowBytes } from '../../weight.ts';
import { everyArea } from '../every-area.ts';
import type { AppState } from '../state.ts';
import type { Problems } from './problems.ts';

export class StoredRows {
  readonly #tables = new CountedTables(everyArea.stored.tables);
  readonly #sums = new Map<Ordinal, Map<RowKind, Bytes>>();

  add(owner: Ordinal, table: number, record: Uint8Array): void {
    const kind = this.#tables.kindOf(table);
    if (kind === undefined) return;
    const own = this.#sums.get(owner) ?? new Map<RowKind, Bytes>();
    own.set(kind, (own.get(kind) ?? 0) + rowBytes + record.byteLength);
    this.#sums.set(owner, own);
  }

  /** Apps whose first count is under way are left out. */
  compare(apps: ReadonlyMap<Ordinal, AppState>, problems: Problems): void {
    for (const [owner, { record, stored }] of apps) {
      if (stored.counted !== 'all') continue;
      for (const kind of rowKinds) {
        const bytes = this.#sums.get(owner)?.get(kind) ?? 0;
        if (bytes === stored.rows(kind)) continue;
        const counted = stored.rows(kind);
        problems.add(
          `${record.id}: memory counts ${counted} bytes of ${kind}, but the rows have ${bytes}`,
        );
      }
    }
  }
}
