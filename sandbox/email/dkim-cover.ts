// Whether a mail's DKIM signature covers what big receivers require (RFC 8058): they honour
// one-click unsubscribe only if both of its headers are signed, and report nothing otherwise. Only
// the list of headers is checked; there is no DNS to find the key in.

/** The headers that `h=` must name, if the mail has them. */
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
 * The headers that the signature misses: `undefined` for an unsigned mail, empty for a correctly
 * signed one.
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
