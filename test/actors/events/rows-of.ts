// Rows of a parsed request as plain objects, so that two readers' results can be compared.

import type { EventRows } from '../../../actors/events/log/event-rows.ts';
import { references, sliceText } from '../../../actors/events/log/event-rows.ts';

interface PlainRow {
  readonly index: number;
  readonly name: string | undefined;
  readonly person: string | readonly number[];
  readonly id: string | undefined;
  readonly atMs: number | undefined;
  readonly props: unknown;
  readonly references: readonly (string | undefined)[];
}

export function rowsOf(rows: EventRows): PlainRow[] {
  return Array.from({ length: rows.count }, (_, row) => {
    const props = sliceText(rows, rows.props, row);
    return {
      index: rows.index[row] ?? -1,
      name: sliceText(rows, rows.names, rows.name[row] ?? -1),
      person: sliceText(rows, rows.external, row) ?? [
        rows.person[row] ?? -1,
        rows.personHigh16[row] ?? -1,
        rows.personCreatedMs[row] ?? -1,
      ],
      id: sliceText(rows, rows.id, row),
      atMs: rows.atMs[row],
      props: props === undefined ? undefined : (JSON.parse(props) as unknown),
      references: references.map((_name, which) => {
        const column = rows.reference[which];
        const has = ((rows.refs[row] ?? 0) & (1 << which)) !== 0;
        return has && column !== undefined ? sliceText(rows, column, row) : undefined;
      }),
    };
  });
}

export function appIdOf(rows: EventRows): string {
  return Buffer.from(rows.bytes).toString('utf8', rows.appIdStart, rows.appIdEnd);
}
