// A day of a forecast, short: "24 Nov".

const shown = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', timeZone: 'UTC' });

export function dayText(day: string): string {
  return day === '' ? '' : shown.format(Date.parse(`${day}T00:00:00Z`));
}
