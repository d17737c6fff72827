// What remains of sends and dead letters of an erased person: ids and receipts. Readers show no
// more from the erasure on; the rows follow within hours (`actors/runtime/erasure.ts`). A
// provider's texts are personal too: refusals often repeat the address.

import type { PersonOrdinal } from '../../../engine/base/brand.ts';
import { parseId } from '../../../engine/base/id.ts';
import type {
  DeadLetterRow,
  SendOutcomeRow,
  SendRow,
  SendTryRow,
} from '../../../storage/tables/send.ts';
import type { AudienceReads } from '../../people/audience/reads.ts';

export function erasedSend(row: SendRow): SendRow {
  return { ...row, content: {}, outcomes: erasedOutcomes(row.outcomes) };
}

export function erasedOutcomes(outcomes: readonly SendOutcomeRow[]): SendOutcomeRow[] {
  return outcomes.map(({ detail: _said, providerMessageId: _named, tries, ...outcome }) =>
    tries === undefined ? outcome : { ...outcome, tries: withoutWords(tries) },
  );
}

/** What readers show: device ids are kept to tell the receipts of two devices apart, and unseen. */
export function shownOfErased(outcomes: readonly SendOutcomeRow[]): SendOutcomeRow[] {
  return erasedOutcomes(outcomes).map((outcome) => ({ ...outcome, deviceId: '' }));
}

/** Also somebody who was merged into another, who was erased. */
export function isErased(
  people: Pick<AudienceReads['people'], 'canonical' | 'erased'>,
  person: PersonOrdinal,
): boolean {
  return people.erased.has(person) || people.erased.has(people.canonical(person));
}

function withoutWords(tries: readonly SendTryRow[]): SendTryRow[] {
  return tries.map(({ said: _said, ...one }) => one);
}

export function erasedLetter(letter: DeadLetterRow): DeadLetterRow {
  const { detail: _said, subscriberId: _who, ...kept } = letter;
  return kept;
}

/** Whether a letter still names its person or quotes a provider. */
export function isPersonal({ detail, subscriberId }: DeadLetterRow): boolean {
  return detail !== undefined || subscriberId !== undefined;
}

/** `undefined`: read the send to find the person. */
export function personOfLetter({ subscriberId }: DeadLetterRow): PersonOrdinal | undefined {
  return subscriberId === undefined ? undefined : parseId('sub', subscriberId)?.low32;
}
