// Formats of dates. To make one takes far longer than to use it, and a list shows a hundred
// instants.

const made = new Map<string, Intl.DateTimeFormat>();

/** The same object for the same options. */
export function dateFormat(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let format = made.get(key);
  if (format === undefined) {
    format = new Intl.DateTimeFormat('en-GB', options);
    made.set(key, format);
  }
  return format;
}
