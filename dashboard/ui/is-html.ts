// No DOM types here.

/** A text that the server takes for HTML. */
export function isHtml(body: string): boolean {
  return /<[a-z!/][^>]*>/i.test(body);
}
