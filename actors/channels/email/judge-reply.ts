// Judges what a mail server said by the table in `reply-rules.ts`. Pure. Strangers write these
// texts, so only a bounded beginning is read.

import { type ReplyRule, replyRules } from './reply-rules.ts';
import type { SmtpReply, SmtpStage } from './smtp-reply.ts';

/** The first rule that fits, if one does. */
export function ruleOf(reply: SmtpReply, stage: SmtpStage): ReplyRule | undefined {
  const said = saidBy(reply);
  return replyRules.find((rule) => fits(rule, said, stage));
}

/** A reply in the form that the rules read. */
interface SaidReply {
  readonly code: number;
  /** The reply's own, or one within its text, such as qmail's `(#5.1.1)`; or empty. */
  readonly enhanced: string;
  /** All of it in lower case on one line. */
  readonly marks: string;
  /** Without links, addresses and codes. */
  readonly words: string;
}

/** More than any server has to say. */
const charsMax = 1_500;

export function saidBy({ code, enhanced, text }: SmtpReply): SaidReply {
  const marks = text
    .slice(0, charsMax)
    .toLowerCase()
    .replace(/[’`´]/g, "'")
    .replace(/\s{1,200}/g, ' ');
  return { code, enhanced: enhanced ?? enhancedIn(marks, code), marks, words: wordsOf(marks) };
}

/** The first enhanced code in the text whose class is the reply's: `5.1.1`, not `192.0.2.1`. */
function enhancedIn(text: string, code: number): string {
  const first = String(code)[0];
  for (const [found] of text.matchAll(/(?<![\d.])[45]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)/g))
    if (found[0] === first) return found;
  return '';
}

function wordsOf(marks: string): string {
  return marks
    .replace(/(?:https?:\/\/|www\.)[^\s<>()"']{1,500}/g, ' ')
    .replace(
      /<[^<>\s]{0,250}@[^<>\s]{0,250}>|[^\s<>()"',;:=]{1,250}@[\w.-]{1,250}?(?=\.\.|[^\w.-]|$)/g,
      ' ',
    )
    .replace(/(?<![\d.\w])[245]\d\d[- ](?=[245]\.\d|[a-z#])/g, ' ')
    .replace(/[([]?#?(?<![\d.])[245]\.\d{1,3}\.\d{1,3}(?![\d.]*\d)[)\]]?/g, ' ')
    .replace(/ {1,200}/g, ' ')
    .replace(/^[ :;,."'<>-]{1,50}/, '')
    .trim();
}

function fits(rule: ReplyRule, said: SaidReply, stage: SmtpStage): boolean {
  if (rule.codes !== undefined && !rule.codes.includes(said.code)) return false;
  if (isAboutRecipient(rule) && !recipientStages.has(stage)) return false;
  if (rule.enhanced !== undefined && !rule.enhanced.test(said.enhanced)) return false;
  if (rule.words !== undefined && !rule.words.test(said.words)) return false;
  return rule.marks === undefined || rule.marks.test(said.marks);
}

/** Before RCPT TO nobody has named a recipient. */
export const recipientStages: ReadonlySet<SmtpStage> = new Set(['rcpt', 'data', 'final']);

function isAboutRecipient({ judged }: ReplyRule): boolean {
  return judged === 'dead' || judged === 'later';
}
