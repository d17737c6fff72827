// Verifies the DKIM signatures of a mail as a receiver would (RFC 6376, RFC 8463), written apart
// from the signer, with the keys of whatever DNS the caller asks.

import { createHash, createPublicKey, verify } from 'node:crypto';

/** The result of one signature. */
interface DkimResult {
  /** `d=`. */
  readonly domain: string;
  readonly selector: string;
  readonly result: 'pass' | 'fail' | 'no_key';
  /** Why it failed. */
  readonly reason?: string;
  /** Whether `d=` is the domain of From or one above it (DMARC, relaxed). */
  readonly aligned: boolean;
}

/** One text per TXT record of a name; empty for none. */
export type KeysAt = (name: string) => readonly string[];

/** The results of all signatures, in the order of the header. */
export function verifyDkim(mail: string, keysAt: KeysAt): readonly DkimResult[] {
  const end = mail.indexOf('\r\n\r\n');
  const fields = fieldsOf(end === -1 ? mail : mail.slice(0, end + 2));
  const body = end === -1 ? '' : mail.slice(end + 4);
  const from = fields.find(({ name }) => name === 'from')?.value ?? '';
  const fromDomain = /@([^\s>@]+)>?\s*$/.exec(from.trim())?.[1]?.toLowerCase() ?? '';
  return fields
    .filter(({ name }) => name === 'dkim-signature')
    .map((signature) => {
      const tags = tagsOf(signature.value);
      const domain = tags.get('d')?.toLowerCase() ?? '';
      const selector = tags.get('s') ?? '';
      const aligned = fromDomain === domain || fromDomain.endsWith(`.${domain}`);
      const records = keysAt(`${selector}._domainkey.${domain}`);
      const base = { domain, selector, aligned };
      if (records.length === 0) return { ...base, result: 'no_key' };
      const reason = problemOf(signature, tags, fields, body, records[0] ?? '');
      return reason === undefined
        ? { ...base, result: 'pass' }
        : { ...base, result: 'fail', reason };
    });
}

interface Field {
  readonly name: string;
  /** After the colon, folded as it was sent. */
  readonly value: string;
}

function fieldsOf(header: string): readonly Field[] {
  return header
    .split(/\r\n(?![ \t])/)
    .filter((line) => line.includes(':'))
    .map((line) => {
      const colon = line.indexOf(':');
      return { name: line.slice(0, colon).trim().toLowerCase(), value: line.slice(colon + 1) };
    });
}

function tagsOf(value: string): ReadonlyMap<string, string> {
  return new Map(
    value.split(';').flatMap((part) => {
      const equals = part.indexOf('=');
      if (equals === -1) return [];
      return [[part.slice(0, equals).trim(), part.slice(equals + 1).trim()] as const];
    }),
  );
}

function problemOf(
  signature: Field,
  tags: ReadonlyMap<string, string>,
  fields: readonly Field[],
  body: string,
  record: string,
): string | undefined {
  const text = (name: string) => tags.get(name)?.replace(/\s/g, '') ?? '';
  if (text('v') !== '1' || text('c') !== 'relaxed/relaxed') return 'not v=1 and relaxed/relaxed';
  const hash = createHash('sha256').update(relaxedBody(body), 'latin1').digest('base64');
  if (hash !== text('bh')) return 'the body was changed';
  const names = text('h').toLowerCase().split(':');
  if (!names.includes('from')) return 'From is not signed';
  const unsigned = signature.value.replace(/(^|;)(\s*b\s*=)[^;]*/, '$1$2');
  const signed = `${headerText(names, fields)}dkim-signature:${relaxed(unsigned)}`;
  const key = tagsOf(record);
  const p = Buffer.from(key.get('p')?.replace(/\s/g, '') ?? '', 'base64');
  try {
    const b = Buffer.from(text('b'), 'base64');
    return isValid(key.get('k') ?? 'rsa', p, Buffer.from(signed, 'latin1'), b)
      ? undefined
      : 'the signature does not match the header and the key';
  } catch {
    return 'the key is not readable';
  }
}

/** Names listed twice take the fields from the last one up (RFC 6376 5.4.2). */
function headerText(names: readonly string[], fields: readonly Field[]): string {
  const left = [...fields];
  let text = '';
  for (const name of names) {
    const at = left.findLastIndex((field) => field.name === name);
    if (at === -1) continue;
    const [field] = left.splice(at, 1);
    text += `${name}:${relaxed(field?.value ?? '')}\r\n`;
  }
  return text;
}

function isValid(type: string, p: Buffer, signed: Buffer, b: Buffer): boolean {
  if (type === 'ed25519') {
    const x = p.toString('base64url');
    const key = createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' });
    return verify(null, createHash('sha256').update(signed).digest(), key, b);
  }
  const key = createPublicKey({ key: p, format: 'der', type: 'spki' });
  return verify('sha256', signed, key, b);
}

/** RFC 6376 3.4.2. */
function relaxed(value: string): string {
  return value
    .replace(/\r\n/g, '')
    .replace(/[ \t]+/g, ' ')
    .trim();
}

/** RFC 6376 3.4.4. */
function relaxedBody(body: string): string {
  const lines = body.split('\r\n').map((line) => line.replace(/[ \t]+/g, ' ').replace(/ $/, ''));
  while (lines.at(-1) === '') lines.pop();
  return lines.length === 0 ? '' : `${lines.join('\r\n')}\r\n`;
}
