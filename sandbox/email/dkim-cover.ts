// Whether DKIM covers what RFC 8058 requires: receivers honor one-click unsubscribe only if both
// headers are signed, and report nothing otherwise. Checks only the list, without DNS.

/** Required in `h=`, if the mail has them. */
const wanted = [
  'from',
  'to',
  'subject',
  'date',
  'message-id',
  'list-unsubscribe',
  'list-unsubscribe-post',
];

/** Headers not signed: `undefined` for an unsigned mail, empty if correct. */
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
