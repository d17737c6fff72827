// What this program knows of what a partition can contain, from the list of areas. A partition
// that has used anything else is not opened (`storage/kinds.ts`).

import { runtimeEntryKinds } from '../../engine/actor/runtime-memory.ts';
import type { KnownKinds } from '../../storage/kinds.ts';
import { tableNamed } from '../../storage/table.ts';
import { type AnyArea, areas } from './areas.ts';

/**
 * What entries, and the records in them, contain. Raise it for a member that is added to one:
 * `test/actors/runtime/known-kinds.test.ts` fails until then.
 */
const entriesVersion = 1;

const entries: ReadonlySet<string> = new Set([
  ...runtimeEntryKinds,
  ...areas.flatMap(({ apply }: AnyArea) => Object.keys(apply ?? {})),
]);
const timers: ReadonlySet<string> = new Set(
  areas.flatMap((area: AnyArea) => Object.keys(area.timers ?? {})),
);

const nameForm = /^(?:(table|timer) )?([^@]+?)(?:@([1-9]\d*))?$/;

export const knownKinds: KnownKinds = {
  always: [`entries@${entriesVersion}`],
  has(name) {
    const [, kind, of = '', version] = nameForm.exec(name) ?? [];
    if (kind === 'timer') return timers.has(of);
    if (version === undefined) return kind === undefined && entries.has(of);
    if (kind === 'table') return Number(version) <= (tableNamed(of)?.version ?? 0);
    return of === 'entries' && Number(version) <= entriesVersion;
  },
};
