// Forms of secrets that credential schemas share. They catch a wrong value at upload instead of at
// the first send. Problem texts never repeat the value.

import { createPrivateKey, type KeyObject } from 'node:crypto';
import { z } from 'zod';
import { hasControlCharacter } from '../addresses/address.ts';

/** Printable ASCII without spaces, safe in a header. */
export function secretText(lengthMin: number, lengthMax: number) {
  const form = new RegExp(`^[\\x21-\\x7e]{${lengthMin},${lengthMax}}$`);
  return z
    .string()
    .regex(form, `must be ${lengthMin} to ${lengthMax} printable characters without spaces`);
}

export function oneLine(lengthMin: number, lengthMax: number) {
  const problem = `must be ${lengthMin} to ${lengthMax} characters`;
  return z
    .string()
    .min(lengthMin, problem)
    .max(lengthMax, problem)
    .refine((text) => !hasControlCharacter(text), 'must not contain control characters');
}

/** A PEM private key. Keys pasted through a shell or form often contain `\n` as two characters. */
export function privateKey(kind: 'rsa' | 'p256', problem: string) {
  return z
    .string()
    .max(16_384, { error: problem, abort: true })
    .overwrite((pem) => pem.replaceAll('\\n', '\n'))
    .refine((pem) => keyKind(pem) === kind, problem);
}

function keyKind(pem: string): 'rsa' | 'p256' | undefined {
  let key: KeyObject;
  try {
    key = createPrivateKey(pem);
  } catch {
    return undefined; // OpenSSL's text would confuse; the caller words it
  }
  if (key.asymmetricKeyType === 'rsa') return 'rsa';
  return key.asymmetricKeyDetails?.namedCurve === 'prime256v1' ? 'p256' : undefined;
}
