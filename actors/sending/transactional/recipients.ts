// The people that a send or a batch names. Reads only the members that its texts use, unless a
// recipient has texts of its own. If that finds nobody, or a record that is damaged, looks up the
// usual way: the id may be of a merged person, and the usual fault names the record.

import type { Context } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { asBuffer, DamagedRecord } from '../../../storage/codec.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { personReads } from '../../content/render/person-reads.ts';
import { namedRecipient } from '../../people/audience/find-person.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import { type RecipientRecord, recipientReader } from '../../people/audience/recipient-reader.ts';
import type { SendsView } from '../outbox/reads.ts';
import { hasOwnTexts } from './batch-content.ts';
import type { BatchRecipient, SharedRequest } from './protocol.ts';

type Named = Pick<BatchRecipient, 'to' | 'title' | 'body' | 'data'>;

export class Recipients {
  readonly #app: SendsView;
  readonly #context: Context;
  /** Absent if only rendering finds out what the shared texts read. */
  readonly #read: ((record: Buffer) => RecipientRecord) | undefined;

  constructor(app: SendsView, shared: SharedRequest, context: Context) {
    this.#app = app;
    this.#context = context;
    const reads = personReads(shared);
    this.#read = reads && recipientReader(reads);
  }

  /** How many were found by reading only parts of their records. */
  quick = 0;

  /** Throws `DamagedRecord`. */
  of(recipient: Named): { readonly person: RecipientRecord } | { readonly fault: Fault } {
    const { to } = recipient;
    const quick = hasOwnTexts(recipient) ? undefined : this.#quickly(to);
    if (quick === undefined) return namedRecipient(this.#app, to, this.#context);
    this.quick++;
    return { person: quick };
  }

  #quickly(to: PersonRef): RecipientRecord | undefined {
    const read = this.#read;
    const ordinal = this.#ordinalOf(to);
    if (read === undefined || ordinal === undefined) return undefined;
    let found: RecipientRecord | undefined;
    try {
      this.#context.documents.lend(subscribers, [ordinal], (record) => {
        found = read(asBuffer(record));
      });
    } catch (error) {
      if (!(error instanceof DamagedRecord)) throw error;
      return undefined;
    }
    return 'id' in to && found?.id !== to.id ? undefined : found;
  }

  #ordinalOf(to: PersonRef): PersonOrdinal | undefined {
    if (!('id' in to)) return this.#app.people.find(to.externalUserId);
    const parts = parseId('sub', to.id);
    return parts?.ordinal === this.#context.owner ? parts.low32 : undefined;
  }
}
