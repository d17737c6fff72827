// The contact of web push services (RFC 8292, `sub`). Apple answers 403 BadJwtToken to a contact on
// localhost, and that 403 stops the web push of the app.

/** The operator's, else the public host. */
export function vapidSubjectOf(setting: string | undefined, publicUrl: string): string {
  if (setting !== undefined) return setting;
  return `https://${URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost'}`;
}

/** Whether a `mailto:` or `https:` address names this machine. */
export function isLocalSubject(subject: string): boolean {
  const host = /^mailto:/i.test(subject)
    ? (/@([^@?>]+)[^@]*$/.exec(subject)?.[1] ?? '')
    : new URL(subject).hostname;
  const name = host.trim().toLowerCase().replace(/\.$/, '');
  return (
    name === '' ||
    /^(?:.+\.)?localhost(?:\.localdomain)?$/.test(name) ||
    /^\[?(?:127(?:\.\d+){3}|0\.0\.0\.0|::1?)\]?$/.test(name)
  );
}
