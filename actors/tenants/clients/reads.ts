// What other areas read of client workspaces.

import type { ClientRecord } from './records.ts';

export interface ClientsReads {
  readonly clients: ReadonlyMap<string, ClientRecord>;
}
