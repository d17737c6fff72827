// What filters and templates may use of an app: its tags with their commonest values, its events,
// and who can be reached. Exact, from the columns; a turn looks at a counted number of cells, and
// the caller asks again for the rest.

import { accepted } from '../../../engine/actor/message.ts';
import type { Decisions } from '../../../engine/actor/protocol.ts';
import { clear, countMembers, scratchSets } from '../../../engine/columns/sets.ts';
import { channelIds } from '../../channels/channel-ids.ts';
import { deferral } from '../../events/ingest/names.ts';
import { limits } from '../../limits.ts';
import { keptFromMs } from '../../tenants/accounts/records.ts';
import { withApp } from '../../tenants/accounts/with-app.ts';
import type { SegmentsMemory, SegmentsView } from './memory.ts';
import { MostUsed } from './most-used.ts';
import type { EventField, FieldsProtocol, TagField, ValueUse } from './protocol.ts';
import type { TagColumn } from './tag-column.ts';

/** Cells of columns that one turn looks at, one to two milliseconds' work. */
const cellsPerTurn = 200_000;
/** What an entry of a map costs, in cells. */
const entryCells = 8;

export const fieldsDecisions: Decisions<FieldsProtocol, SegmentsMemory> = {
  'fields.names': (state, _message, context) =>
    withApp(state, context, ({ traits }) =>
      accepted({
        tags: namesOfMost(traits.tags),
        events: namesOfMost(traits.events),
        channels: channelIds.map((channel) => ({
          channel,
          reachable: traits.reachOn(channel).count(),
        })),
      }),
    ),

  'fields.tags': (state, { keys }, context) =>
    withApp(state, context, ({ traits }) => {
      const tags: TagField[] = [];
      let cells = 0;
      let handled = 0;
      for (; handled < keys.length && cells < cellsPerTurn; handled++) {
        const key = keys[handled] as string;
        const column = traits.tags.get(key);
        if (column === undefined) continue;
        const { people, types, valuesHeld } = column;
        const isCounted = valuesHeld <= limits.fieldValuesMax;
        if (isCounted) cells += valuesHeld;
        const top = isCounted ? commonest(column) : [];
        tags.push({ key, types, people, top });
      }
      return accepted({ handled, tags });
    }),

  'fields.events': (state, { names }, context) =>
    withApp(state, context, (app) => {
      const { ages, nowMs } = context;
      const cutMs = keptFromMs(app.settings, ages, nowMs) - 1;
      const events: EventField[] = [];
      let cells = 0;
      let handled = 0;
      for (; handled < names.length && cells < cellsPerTurn; handled++) {
        const name = names[handled] as string;
        const few = app.traits.events.get(name)?.peopleIfFew;
        cells += few === undefined ? app.traits.next : few * entryCells;
        const field = eventField(app, name, cutMs);
        if (field !== undefined) events.push(field);
      }
      return accepted({ handled, events });
    }),
};

function commonest(column: TagColumn): readonly ValueUse[] {
  const nameOf = ({ value }: ValueUse) => `${typeof value} ${value}`;
  const found = new MostUsed<ValueUse>(limits.fieldTopMax, nameOf);
  column.forEachValue((value, people) => {
    if (found.takes(people)) found.offer({ value, people });
  });
  return found.items;
}

function namesOfMost(columns: ReadonlyMap<string, { readonly people: number }>): readonly string[] {
  const found = new MostUsed<{ name: string; people: number }>(
    limits.fieldsMax,
    ({ name }) => name,
  );
  for (const [name, { people }] of columns)
    if (name !== deferral && people > 0) found.offer({ name, people });
  return found.items.map(({ name }) => name);
}

/** `undefined` for an event that nobody who is left did, as far as events are kept. */
function eventField({ traits }: SegmentsView, name: string, cutMs: number): EventField | undefined {
  const column = traits.events.get(name);
  const lastMs = column?.newest() ?? 0;
  if (column === undefined || lastMs <= Math.max(0, cutMs)) return undefined;
  const sets = scratchSets();
  sets.begin(traits.next, 2);
  const who = sets.at(0);
  clear(who);
  column.addAfter(cutMs, who, sets.at(1));
  return { name, people: countMembers(who), lastMs };
}
