// Reads the table of endpoints of earlier builds into memory, after a start, some rows in a turn,
// and removes them. What was written since is newer than a row.

import {
  accepted,
  type Context,
  type Decision,
  type Entry,
  type RecordWrite,
  type Tell,
} from '../../../engine/actor/message.ts';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { endpoints } from '../../../storage/tables/subscriber.ts';
import type { AppsOf } from '../../area.ts';
import type { AreaClock, DueTurn } from '../../area-clock.ts';
import type { AccountsReads } from '../../tenants/accounts/reads.ts';
import type { EndpointKey } from './endpoint-index.ts';
import { deviceOf, endpointRows } from './endpoint-rows.ts';
import type { AudienceApp } from './memory.ts';

/** Each reads its person's record. */
const rowsPerTurn = 250;

type Indexed = Pick<AudienceApp, 'endpoints'>;

export function gatherEndpoints(app: Indexed, context: Context): Decision<null> {
  const { documents } = context;
  const gone: RecordWrite[] = [];
  const drop = (key: RecordWrite['key']) => gone.push({ table: endpoints, key, record: undefined });
  const rows = documents.range(endpoints, { limit: rowsPerTurn, damaged: drop });
  const known = rows.filter(({ key: [kind, digest], value }) => {
    const key = [kind, digest] as unknown as EndpointKey;
    return app.endpoints.find(key) === undefined && deviceOf(value.person, key, documents);
  });
  for (const { key } of rows) drop(key);
  const writes = known.map(({ key, value }) => ({ table: endpoints, key, value }));
  const entry = endpointRows.entry(app, writes, context);
  const isWhole = gone.length < rowsPerTurn;
  return accepted(null, {
    entries: [isWhole ? { ...entry, isWhole } : entry],
    records: gone,
  });
}

type Apps = AppsOf<Indexed & Pick<AccountsReads, 'record'>>;

/** Asks for some rows of each such app in each turn, as long as the turns before took some. */
export class GatherClock implements AreaClock<Apps, Indexed> {
  /** What a restore brought back is gathered, too. */
  readonly whileHeld = true;
  readonly #left = new Set<Ordinal>();
  #nowMs: Millis = 0;

  get nextMs(): Millis | undefined {
    return this.#left.size > 0 ? this.#nowMs : undefined;
  }

  begin({ apps }: Apps, nowMs: Millis): void {
    this.#nowMs = nowMs;
    for (const [owner, { endpoints: index }] of apps) if (!index.isWhole) this.#left.add(owner);
  }

  folded(entry: Entry, app: Indexed | undefined): void {
    if (entry.kind === 'endpoints.changed' && app?.endpoints.isWhole === false)
      this.#left.add(entry.owner);
  }

  due(_state: Apps, { nowMs }: DueTurn): readonly Tell[] {
    this.#nowMs = nowMs;
    const tells = [...this.#left].map(gatherTell);
    // What is refused or throws is not asked for again at once.
    this.#left.clear();
    return tells;
  }
}

function gatherTell(owner: Ordinal): Tell {
  return { to: owner, message: { kind: 'endpoints.gather', by: -1 } as Tell['message'] };
}
