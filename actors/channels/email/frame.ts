// The default look of an email whose body is no document of its own: a column of 600 pixels in the
// system's font, dark where the reader's screen is. Pure. A table holds the column, because Outlook
// ignores the width of other elements; colors are inline, because many programs drop styles.

const font = "-apple-system,BlinkMacSystemFont,'Segoe UI',Roboto,'Helvetica Neue',Arial,sans-serif";
const dark =
  '@media (prefers-color-scheme:dark){.e-page{background:#111318!important}' +
  '.e-card{background:#1b1e25!important;color:#e6e8ec!important}.e-card a{color:#8ab4ff}' +
  '.e-card a.e-button{background:#e6e8ec!important;color:#111318!important}}';
const table = 'role="presentation" width="100%" cellpadding="0" cellspacing="0" border="0"';

/** The whole document. `language` is the reader's; the text decides its own direction. */
export function framed(inside: string, language: string | undefined): string {
  const lang = language === undefined ? '' : ` lang="${language}"`;
  return (
    `<!doctype html>\n<html${lang}><head><meta charset="utf-8">` +
    '<meta name="viewport" content="width=device-width,initial-scale=1">' +
    '<meta name="color-scheme" content="light dark">' +
    `<meta name="supported-color-schemes" content="light dark"><style>${dark}</style></head>\n` +
    '<body class="e-page" style="margin:0;padding:0;background:#f4f5f7">\n' +
    `<table ${table} class="e-page" style="background:#f4f5f7"><tr><td align="center" style="padding:24px 12px">\n` +
    `<table ${table} style="max-width:600px"><tr><td class="e-card" dir="auto" ` +
    'style="padding:28px 24px;border-radius:8px;background:#ffffff;color:#1f2430;' +
    `font:16px/1.55 ${font};text-align:start;overflow-wrap:anywhere">\n` +
    `${inside}</td></tr></table>\n</td></tr></table>\n</body></html>\n`
  );
}

/** Where a document wants buttons and the unsubscribe link; without it they stand at its end. */
export const endMark = '<!--engage:end-->';

/** Whether a body brings its own page. */
export function isDocument(html: string): boolean {
  return /<(?:html|body)[\s>]/i.test(html);
}
