// Whether the caller of a route that answers with JSON or a page is a browser.

/** A browser names HTML before anything else; a program names JSON, or takes everything. */
export function wantsPage(accept = ''): boolean {
  const html = accept.indexOf('text/html');
  const json = accept.indexOf('application/json');
  return html >= 0 && (json < 0 || html < json);
}
