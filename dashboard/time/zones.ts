// The time zones that the browser knows.

let names: readonly string[] | undefined;

export function zoneNames(): readonly string[] {
  names ??= Intl.supportedValuesOf('timeZone');
  return names;
}

/** The zone of this machine. */
export function ownZone(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}

export function isZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return name !== '';
  } catch {
    return false;
  }
}
