// From what was typed into a credential's form to the body of its upload.

import type { CredentialForm } from './form.ts';

export type Typed = Readonly<Record<string, string>>;

/** The body, or the field whose file is no JSON. Empty optional fields are left out. */
export function bodyOf(
  form: CredentialForm,
  typed: Typed,
): { readonly body: Readonly<Record<string, unknown>> } | { readonly badFile: string } {
  const body: Record<string, unknown> = {};
  for (const [name, { kind }] of Object.entries(form.fields)) {
    const text = (typed[name] ?? '').trim();
    if (text === '') continue;
    if (kind !== 'key-file') body[name] = text;
    else {
      const parsed = parsedObject(text);
      if (parsed === undefined) return { badFile: name };
      if (form.wholeBody === name) return { body: parsed };
      body[name] = parsed;
    }
  }
  return { body };
}

function parsedObject(text: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value);
    return isObject ? (value as Record<string, unknown>) : undefined;
  } catch {
    return undefined;
  }
}
