// The DNS record of a DKIM key, RFC 6376 3.6.1: as a tenant has to set it, and whether what a
// resolver returned is that record. Pure.

import type { TxtAnswer } from './protocol.ts';
import type { RecordCheck } from './records.ts';

/** Texts kept of an answer, and characters of each. */
const textsMax = 4;
const textCharsMax = 1_024;

export function dkimRecordName(selector: string, domain: string): string {
  return `${selector}._domainkey.${domain}`;
}

/** `publicKey`: an RSA key in base64 (SubjectPublicKeyInfo). */
export function dkimRecordValue(publicKey: string): string {
  return `v=DKIM1; k=rsa; p=${publicKey}`;
}

/** Whether the texts at a key's name let receivers verify its signatures. */
export function judgeDkimRecord(publicKey: string, answer: TxtAnswer): RecordCheck {
  if (answer.answer !== 'records') return unfound(answer);
  const found = bounded(answer.texts);
  const [text] = answer.texts;
  if (text === undefined) return unfound({ answer: 'none' });
  if (answer.texts.length > 1)
    return {
      status: 'wrong',
      found,
      problem: 'there are several TXT records at this name; keep only this one',
    };
  const problem = problemOf(tagsOf(text), publicKey);
  return problem === undefined ? { status: 'found', found } : { status: 'wrong', found, problem };
}

/** Whether the domain has a DMARC policy of its own. */
export function judgeDmarcRecord(answer: TxtAnswer): RecordCheck {
  if (answer.answer !== 'records') return unfound(answer);
  const policies = answer.texts.filter((text) => /^v\s*=\s*DMARC1\s*(;|$)/.test(text));
  if (policies.length === 1) return { status: 'found', found: bounded(policies) };
  const found = bounded(answer.texts);
  return policies.length > 1
    ? { status: 'wrong', found, problem: 'there are several DMARC records; keep only one' }
    : { status: 'missing', found, problem: 'there is no DMARC record at this name' };
}

function unfound(answer: Exclude<TxtAnswer, { answer: 'records' }>): RecordCheck {
  if (answer.answer === 'none')
    return { status: 'missing', found: [], problem: 'there is no TXT record at this name' };
  const problem = `the DNS gave no answer (${answer.reason}); try again in a minute`;
  return { status: 'unanswered', found: [], problem };
}

function bounded(texts: readonly string[]): readonly string[] {
  return texts
    .slice(0, textsMax)
    .map((text) => (text.length > textCharsMax ? `${text.slice(0, textCharsMax)}…` : text));
}

/** RFC 6376 3.2; `undefined` for a text that is not a list of tags, or repeats one. */
function tagsOf(text: string): ReadonlyMap<string, string> | undefined {
  const tags = new Map<string, string>();
  for (const part of text.replace(/;\s*$/, '').split(';')) {
    const [, name = '', value = ''] = /^\s*([a-z]\w*)\s*=\s*(.*?)\s*$/is.exec(part) ?? [];
    if (name === '' || tags.has(name)) return undefined;
    tags.set(name, value);
  }
  return tags;
}

function problemOf(
  tags: ReadonlyMap<string, string> | undefined,
  publicKey: string,
): string | undefined {
  const key = tags?.get('p')?.replace(/\s/g, '');
  if (tags === undefined || key === undefined)
    return 'the TXT record at this name is not a DKIM key';
  const [first] = tags.keys();
  if (tags.has('v') && (first !== 'v' || tags.get('v') !== 'DKIM1'))
    return 'the record must begin with v=DKIM1';
  if (key === '') return 'the record revokes the key: p is empty';
  if (key !== publicKey) return 'the record has another key; copy the value as shown';
  if ((tags.get('k') ?? 'rsa') !== 'rsa') return 'the record must say k=rsa';
  if (!listHas(tags.get('h'), 'sha256')) return 'h must include sha256';
  if (!listHas(tags.get('s'), 'email')) return 's must include email';
  if (tags.has('t') && listHas(tags.get('t'), 'y'))
    return 'remove t=y: receivers ignore signatures of a key in test mode';
  return undefined;
}

/** Absent tags allow everything, and so does `*`. */
function listHas(list: string | undefined, wanted: string): boolean {
  if (list === undefined) return true;
  const items = list.split(':').map((item) => item.trim());
  return items.includes(wanted) || (wanted !== 'y' && items.includes('*'));
}
