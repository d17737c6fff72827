// A body of `multipart/form-data` (RFC 7578). Pure. Undici's own form draws a random boundary, and
// a retry is to be the same bytes.

import { assert } from '../../../../engine/base/assert.ts';

export interface FormPart {
  readonly name: string;
  readonly value: string;
  /** Of a file, with its type. */
  readonly filename?: string;
  readonly type?: string;
}

/** Asserts that no name or plain value breaks its line. */
export function formBody(parts: readonly FormPart[], boundary: string): string {
  let body = '';
  for (const { name, value, filename, type } of parts) {
    assert(!/[\r\n"]/.test(name), 'a form part has a name on one line');
    assert(filename !== undefined || !/[\r\n]/.test(value), 'a form value is one line');
    body += `--${boundary}\r\nContent-Disposition: form-data; name="${name}"`;
    if (filename !== undefined) body += `; filename="${filename}"`;
    body += type === undefined ? '\r\n\r\n' : `\r\nContent-Type: ${type}\r\n\r\n`;
    body += `${value}\r\n`;
  }
  return `${body}--${boundary}--\r\n`;
}
