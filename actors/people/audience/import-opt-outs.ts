// Opt-outs of an import, as a slice of its rows: each is written as the route for one writes it.
// Rows about one address are joined first, because a decision does not see its own writes.

import type { Context, DocumentWrite, Entry } from '../../../engine/actor/message.ts';
import { addOptOut } from './add-opt-out.ts';
import { doubtAtEnds } from './doubtful-opt-outs.ts';
import { endpointPolicy } from './identity.ts';
import type { AudienceView } from './memory.ts';
import type { OptOutInput, RowError, SuppressionsImported } from './protocol.ts';
import { suppressible } from './suppression-page.ts';

/** The reply, and what is written with it. */
type Imported = [
  reply: SuppressionsImported,
  written: { readonly entries: readonly Entry[]; readonly documents: readonly DocumentWrite[] },
];

export function importOptOuts(
  app: AudienceView,
  rows: readonly OptOutInput[],
  context: Context,
): Imported {
  const policy = endpointPolicy(app.settings);
  const joined = new Map<string, OptOutInput>();
  const errors: RowError[] = [];
  for (const [row, asked] of rows.entries()) {
    const key = suppressible(asked.channel, asked.address, policy);
    if (typeof key === 'string') joined.set(key, wider(joined.get(key), asked));
    else errors.push({ row, error: key.fault.message });
  }
  const entries: Entry[] = [];
  const documents: DocumentWrite[] = [];
  let added = 0;
  for (const [key, { channel, scope, reason }] of joined) {
    const narrow = scope === undefined ? {} : { scope };
    const why = reason === undefined ? {} : { reason };
    const written = addOptOut(key, { source: 'api', channel, ...narrow, ...why }, context);
    if (written.entries.length > 0) added++;
    entries.push(...doubtAtEnds(app, key, context.owner), ...written.entries);
    documents.push(...written.documents);
  }
  const known = rows.length - errors.length - added;
  return [
    { added, known, errors },
    { entries, documents },
  ];
}

/** The first of an address counts, but one of everything wins over one of marketing. */
function wider(first: OptOutInput | undefined, next: OptOutInput): OptOutInput {
  if (first === undefined) return next;
  return first.scope === 'marketing' && next.scope === undefined ? next : first;
}
