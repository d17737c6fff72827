// Between instants and the texts of `datetime-local` controls, in the browser's time zone.

/** `2026-11-24T10:30`; empty for none. */
export function localText(instant: string | null): string {
  if (instant === null) return '';
  const at = new Date(instant);
  const two = (value: number) => String(value).padStart(2, '0');
  const day = `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
  return `${day}T${two(at.getHours())}:${two(at.getMinutes())}`;
}

/** `null` for an empty or half-typed one. */
export function instantOf(local: string): string | null {
  const atMs = Date.parse(local);
  return Number.isNaN(atMs) ? null : new Date(atMs).toISOString();
}

export function zoneName(): string {
  return Intl.DateTimeFormat().resolvedOptions().timeZone;
}
