// Which addresses of a message a page opens: the schemes that the API takes, but for those of apps.

/** Of the web, mail and telephones; nothing that runs a script. */
export function webAddress(text: string | null | undefined): string | undefined {
  if (!text || !URL.canParse(text, location.href)) return undefined;
  const { protocol, href } = new URL(text, location.href);
  return /^(https?|mailto|tel):$/.test(protocol) ? href : undefined;
}
