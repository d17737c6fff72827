// A body of `multipart/form-data` (RFC 7578). Pure. Undici's own form draws a random boundary, and
// a retry is to be the same bytes.

import { assert } from '../../../../engine/base/assert.ts';
import { bytesOfPieces, type MailPiece } from '../../email/attached.ts';

export type FormPart =
  | { readonly name: string; readonly value: string }
  /** A file, with its type. */
  | {
      readonly name: string;
      readonly filename: string;
      readonly type: string;
      readonly value: readonly MailPiece[];
    };

/** All texts are ASCII. Asserts that no name or plain value breaks its line. */
export function formBody(parts: readonly FormPart[], boundary: string): Uint8Array {
  const body: MailPiece[] = [];
  for (const part of parts) {
    const { name } = part;
    assert(!/[\r\n"]/.test(name), 'a form part has a name on one line');
    const head = `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    if ('filename' in part) {
      const { filename, type, value } = part;
      body.push(`${head}; filename="${filename}"\r\nContent-Type: ${type}\r\n\r\n`, ...value);
    } else {
      assert(!/[\r\n]/.test(part.value), 'a form value is one line');
      body.push(`${head}\r\n\r\n${part.value}`);
    }
    body.push('\r\n');
  }
  return bytesOfPieces([...body, `--${boundary}--\r\n`]);
}
