// The people of a batch. Where a recipient has no texts of its own, what the shared ones read is
// known before, and no more of a record is made than that. What a reader would get wrong: whoever
// is not found so is looked for as everybody else is, since an id may be the former one of somebody
// who was merged.

import type { Context } from '../../../engine/actor/message.ts';
import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import type { Fault } from '../../../engine/base/fault.ts';
import { parseId } from '../../../engine/base/id.ts';
import { asBuffer } from '../../../storage/codec.ts';
import { subscribers } from '../../../storage/tables/subscriber.ts';
import { personReads } from '../../content/person-reads.ts';
import { namedRecipient } from '../../people/audience/find-person.ts';
import type { PersonRef } from '../../people/audience/protocol.ts';
import { type RecipientRecord, recipientReader } from '../../people/audience/recipient-reader.ts';
import { hasOwnTexts } from './batch-words.ts';
import type { BatchRecipient, SharedRequest } from './protocol.ts';
import type { SendsView } from './view.ts';

export class BatchPeople {
  readonly #app: SendsView;
  readonly #context: Context;
  /** Absent where the shared texts find out while they render what they read. */
  readonly #read: ((record: Buffer) => RecipientRecord) | undefined;

  constructor(app: SendsView, shared: SharedRequest, context: Context) {
    this.#app = app;
    this.#context = context;
    const reads = personReads(shared);
    this.#read = reads && recipientReader(reads);
  }

  /** The person whom a recipient names. Throws `DamagedRecord`. */
  of(recipient: BatchRecipient): { readonly person: RecipientRecord } | { readonly fault: Fault } {
    const { to } = recipient;
    const quick = hasOwnTexts(recipient) ? undefined : this.#quickly(to);
    return quick === undefined ? namedRecipient(this.#app, to, this.#context) : { person: quick };
  }

  #quickly(to: PersonRef): RecipientRecord | undefined {
    const read = this.#read;
    const ordinal = this.#ordinalOf(to);
    if (read === undefined || ordinal === undefined) return undefined;
    let found: RecipientRecord | undefined;
    this.#context.documents.lend(subscribers, [ordinal], (record) => {
      found = read(asBuffer(record));
    });
    return 'id' in to && found?.id !== to.id ? undefined : found;
  }

  #ordinalOf(to: PersonRef): PersonOrdinal | undefined {
    if (!('id' in to)) return this.#app.people.find(to.externalUserId);
    const parts = parseId('sub', to.id);
    return parts?.ordinal === this.#context.owner ? parts.low32 : undefined;
  }
}
