// Folds a line of a mail's header (RFC 5322 2.2.3): the same breaks as nodemailer's, without
// regular expressions, because every mail has long headers.

const lineCharsMax = 76;

/** In lines below 76 characters, unless a word is longer. Blanks are the only white space. */
export function foldedHeader(header: string): string {
  let out = '';
  let start = 0;
  while (header.length - start >= lineCharsMax) {
    const end = breakBefore(header, start);
    if (end < 0) break;
    out += `${header.slice(start, end)}\r\n`;
    start = end;
  }
  return start === 0 ? header : out + header.slice(start);
}

/** The blanks that the next line begins with; -1 if there are none. */
function breakBefore(header: string, start: number): number {
  let at = header.lastIndexOf(' ', start + lineCharsMax - 1);
  while (at > start && header[at - 1] === ' ') at--;
  return at > start ? at : header.indexOf(' ', start + lineCharsMax);
}
