// What stays of a send, and of its dead letters, once their person was erased: ids, devices' ids
// and receipts, nothing that anybody wrote or said. Readers show no more than this from the turn of
// the erasure on; the rows follow within hours (`actors/runtime/erasure.ts`). A provider's words
// are personal too: a refusal mostly repeats the address.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type {
  DeadLetterRow,
  SendOutcomeRow,
  SendRow,
  SendTryRow,
} from '../../../storage/tables/send.ts';

/** A send's row as it is kept for an erased person. */
export function erasedSend(row: SendRow): SendRow {
  return { ...row, content: {}, outcomes: erasedOutcomes(row.outcomes) };
}

/** Receipts without what a provider said, and without its name for the message. */
export function erasedOutcomes(outcomes: readonly SendOutcomeRow[]): SendOutcomeRow[] {
  return outcomes.map(({ detail: _said, providerMessageId: _named, tries, ...outcome }) =>
    tries === undefined ? outcome : { ...outcome, tries: withoutWords(tries) },
  );
}

function withoutWords(tries: readonly SendTryRow[]): SendTryRow[] {
  return tries.map(({ said: _said, ...one }) => one);
}

/** A dead letter as it is kept for an erased person. */
export function erasedLetter(letter: DeadLetterRow): DeadLetterRow {
  const { detail: _said, subscriberId: _who, ...kept } = letter;
  return kept;
}

/** Whether a letter still names its person, or has words of a provider. */
export function isPersonal({ detail, subscriberId }: DeadLetterRow): boolean {
  return detail !== undefined || subscriberId !== undefined;
}

/** Whose letter it is, where it says so; one without is read through its send. */
export function personOfLetter({ subscriberId }: DeadLetterRow): PersonOrdinal | undefined {
  return subscriberId === undefined ? undefined : parseId('sub', subscriberId)?.low32;
}
