// Distinguishes a template from plain text, without the template engine.

/** A text without template tags needs no rendering. */
export function isTemplate(source: string): boolean {
  return source.includes('{{') || source.includes('{%');
}
