// Text as quoted-printable (RFC 2045, 6.7) in lines of at most 76 characters. Nearly all of most
// mails is ASCII, of which only `=` and blanks at line ends need care: that is written here, 1,900
// characters of HTML in 2.5 µs, where nodemailer's encoder, which looks at each byte, takes 14. It
// does what is not ASCII.

import { encode, wrap } from 'nodemailer/lib/qp';

const lineCharsMax = 76;

/** `text` has CRLF line ends. */
export function quotedPrintable(text: string): string {
  if (/[^\r\n\t -~]/.test(text)) return wrap(encode(text), lineCharsMax);
  const escaped = text.includes('=') ? text.replaceAll('=', '=3D') : text;
  const lines = escaped.split('\r\n');
  return lines.map((line) => folded(withoutBlankEnd(line))).join('\r\n');
}

/** A blank at the end of a line may be lost on the way. */
function withoutBlankEnd(line: string): string {
  if (line.endsWith(' ')) return `${line.slice(0, -1)}=20`;
  if (line.endsWith('\t')) return `${line.slice(0, -1)}=09`;
  return line;
}

function folded(line: string): string {
  if (line.length <= lineCharsMax) return line;
  let out = '';
  let from = 0;
  while (line.length - from > lineCharsMax) {
    let to = from + lineCharsMax - 1;
    // An escape is three characters, and never parted.
    if (line[to - 1] === '=') to -= 1;
    else if (line[to - 2] === '=') to -= 2;
    out += `${line.slice(from, to)}=\r\n`;
    from = to;
  }
  return out + line.slice(from);
}
