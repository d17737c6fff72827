// The sentence above the report on mailbox providers: the gravest of what they do.

import type { AnswerOf } from '../../api/client.ts';
import { reasonText } from '../../words/send-reasons.ts';
import { providerNames, mailboxWords as words } from './mailbox-words.ts';

type Row = AnswerOf<'readMailboxProviders'>['providers'][number];

/** Fewer mails say nothing about a provider. */
const mailsMin = 20;
/** From here on a share is trouble; of spam reports as Gmail and Yahoo demand. */
const deferredShare = 0.1;
const refusedShare = 0.05;
const spamShare = 0.003;

const percent = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const rate = (part: number, all: number) => percent.format(all === 0 ? 0 : part / all);

/** How grave each kind is: its share in units of what is tolerated. */
function troublesOf(row: Row) {
  const { sent, deferred, bouncedHard, bouncedSoft, complained, delivered } = row.total;
  const name = providerNames[row.provider];
  const bounced = bouncedHard + bouncedSoft;
  const of = (part: number, all: number) => (all < mailsMin ? 0 : part / all);
  return [
    {
      weight: of(complained, delivered) / spamShare,
      text: words.complaining(name, rate(complained, delivered)),
    },
    {
      weight: of(deferred, sent + deferred) / deferredShare,
      text: because(row, words.deferring(name, rate(deferred, sent + deferred)), ['deferred']),
    },
    {
      weight: of(bounced, sent) / refusedShare,
      text: because(row, words.refusing(name, rate(bounced, sent)), ['bouncedSoft', 'bouncedHard']),
    },
  ];
}

function because(row: Row, text: string, figures: readonly string[]): string {
  const why = row.reasons.find(({ figure }) => figures.includes(figure));
  return why === undefined ? text : `${text} ${words.because(reasonText(why.reason, 'email'))}`;
}

/** `isBad`: somebody should act. */
export function mailboxTrouble(rows: readonly Row[]): { text: string; isBad: boolean } {
  const worst = rows.flatMap(troublesOf).sort((one, other) => other.weight - one.weight)[0];
  if (worst !== undefined && worst.weight >= 1) return { text: worst.text, isBad: true };
  const isEnough = rows.some(({ total }) => total.sent + total.deferred >= mailsMin);
  return { text: isEnough ? words.well : words.few, isBad: false };
}
