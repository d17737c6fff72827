// Hand-written event checks, for when zod measures too slow: Engage's bounds, in one pass over
// plain objects. They must be exact: what PostgreSQL refuses fails the whole COPY.

export interface CheckedEvent {
  readonly id: string;
  readonly name: string;
  readonly externalUserId: string;
  /** ISO 8601, UTC. */
  readonly at: string;
  /** JSON. */
  readonly props: string;
}

const propsBytesMax = 32 * 1024;
const exactForm = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?(?:Z|[+-]\d\d:\d\d)$/;

/** The event, or a sentence about what is wrong with it. */
export function checkEvent(value: unknown, nowMs: number): CheckedEvent | string {
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return 'expected an object';
  const { id, name, externalUserId, at, props } = value as Readonly<Record<string, unknown>>;
  if (!isText(id, 128)) return 'id: expected 1 to 128 characters';
  if (!isText(name, 128)) return 'name: expected 1 to 128 characters';
  if (!isText(externalUserId, 256)) return 'externalUserId: expected 1 to 256 characters';
  const instant = at === undefined || at === null ? new Date(nowMs).toISOString() : checkedTime(at);
  if (instant === undefined) return 'at: expected an ISO 8601 instant';
  if (props === undefined || props === null)
    return { id, name, externalUserId, at: instant, props: '{}' };
  if (typeof props !== 'object' || Array.isArray(props)) return 'props: expected an object';
  const json = JSON.stringify(props);
  if (json.length > propsBytesMax) return 'props: too large';
  if (json.includes('\\u0000')) return 'props: PostgreSQL takes no zero characters';
  return { id, name, externalUserId, at: instant, props: json };
}

function isText(value: unknown, max: number): value is string {
  return (
    typeof value === 'string' && value.length > 0 && value.length <= max && !value.includes('\0')
  );
}

// The date part repeats from event to event, so only a new one is parsed.
let knownDate = '';

/** Checks the form that nearly all senders use without making a Date. */
function checkedTime(value: unknown): string | undefined {
  if (typeof value !== 'string') return undefined;
  if (value.length === 24 && value[10] === 'T' && value[23] === 'Z') {
    const date = value.slice(0, 10);
    if (date === knownDate || isDate(date)) {
      knownDate = date;
      if (isTimeOfDay(value)) return value;
    }
  }
  if (!exactForm.test(value)) return undefined;
  const ms = Date.parse(value);
  return Number.isNaN(ms) ? undefined : new Date(ms).toISOString();
}

function isDate(text: string): boolean {
  const ms = Date.parse(`${text}T00:00:00Z`);
  return !Number.isNaN(ms) && new Date(ms).toISOString().startsWith(text);
}

/** `hh:mm:ss.mmm` from position 11. */
function isTimeOfDay(text: string): boolean {
  if (text[13] !== ':' || text[16] !== ':' || text[19] !== '.') return false;
  const two = (at: number) => digit(text, at) * 10 + digit(text, at + 1);
  return (
    // NaN fails all
    two(11) < 24 && two(14) < 60 && two(17) < 60 && two(20) >= 0 && digit(text, 22) >= 0
  );
}

function digit(text: string, at: number): number {
  const value = text.charCodeAt(at) - 48;
  return value >= 0 && value <= 9 ? value : Number.NaN;
}
