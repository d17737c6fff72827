// Tells a template from a plain text, without the template engine.

/** Whether a text has anything to render; a text without template tags is its own rendering. */
export function isTemplate(source: string): boolean {
  return source.includes('{{') || source.includes('{%');
}
