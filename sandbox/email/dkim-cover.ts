// Whether a mail's DKIM signature covers what big receivers insist on (RFC 8058): they honour
// one-click unsubscribe only where both of its headers are signed, and say nothing where they are
// not. Only the list is looked at; there is no DNS to find the key in.

/** What `h=` must name, where the mail has it. */
const wanted = [
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
];

/**
 * What a mail's header block lacks: `undefined` for a mail that is not signed, empty for one that
 * is signed as it should be.
 */
export function unsignedHeaders(header: string): readonly string[] | undefined {
  const unfolded = header.replace(/\r?\n[ \t]+/g, ' ');
  const names = new Set(
    [...unfolded.matchAll(/^([!-9;-~]+):/gm)].map(([, name = '']) => name.toLowerCase()),
  );
  const signatures = [...unfolded.matchAll(/^dkim-signature:(.*)$/gim)].map(([, tags = '']) => {
    const list = /(?:^|;)\s*h\s*=([^;]*)/.exec(tags)?.[1] ?? '';
    return new Set(list.split(':').map((name) => name.trim().toLowerCase()));
  });
  if (signatures.length === 0) return undefined;
  return wanted.filter((name) => names.has(name) && !signatures.some((signed) => signed.has(name)));
}
