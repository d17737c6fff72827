// The contact of web push services (RFC 8292, `sub`), where an app has none of its own.

/** The operator's, else the public host. */
export function vapidSubjectOf(setting: string | undefined, publicUrl: string): string {
  if (setting !== undefined) return setting;
  return `https://${URL.canParse(publicUrl) ? new URL(publicUrl).hostname : 'localhost'}`;
}
