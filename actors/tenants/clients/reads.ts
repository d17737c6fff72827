// What other areas read of client workspaces.

import type { ClientRecord, Reported } from './records.ts';

export interface ClientsReads {
  readonly clients: ReadonlyMap<string, ClientRecord>;
  readonly reported: Reported;
}
