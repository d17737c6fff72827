// Words zod's issues for API callers, because zod speaks of inputs, options and `>=`. Our own
// schemas' messages stay unchanged.

import type { z } from 'zod';

const written = /^(Invalid |Too (small|big):)/;

/** The text after the field's name and colon: `is missing; expected a string`. */
export function issueWords(issue: z.core.$ZodIssue): string {
  if (!written.test(issue.message)) return issue.message;
  switch (issue.code) {
    case 'invalid_type':
      return wrongType(issue.expected, issue.message);
    case 'invalid_value':
      return `${isMissing(issue) ? 'is missing; ' : ''}expected ${issue.values.length > 1 ? 'one of ' : ''}${issue.values.map(String).join(', ')}`;
    case 'too_small':
      return `expected ${bound(issue.origin, 'least', Number(issue.minimum), issue.inclusive)}`;
    case 'too_big':
      return `expected ${bound(issue.origin, 'most', Number(issue.maximum), issue.inclusive)}`;
    case 'invalid_format':
      return issue.format === 'regex' ? 'has the wrong format' : `expected ${aWord(issue.format)}`;
    default:
      return 'has the wrong format';
  }
}

/** zod's text names only the received type; the value is known if the parse reports its input. */
function isMissing(issue: z.core.$ZodIssue): boolean {
  return 'input' in issue && issue.input === undefined;
}

function wrongType(expected: string, message: string): string {
  const received = message.slice(message.lastIndexOf('received ') + 9);
  if (received === 'undefined') return `is missing; expected ${aWord(expected)}`;
  // A number instead of an integer: the received type would only repeat it.
  if (expected === 'int' || received === 'NaN') return `expected ${aWord(expected)}`;
  return `expected ${aWord(expected)}, not ${received === 'null' ? 'null' : aWord(received)}`;
}

function bound(origin: string, which: 'least' | 'most', value: number, inclusive = true): string {
  const plural = value === 1 ? '' : 's';
  if (origin === 'string') return `at ${which} ${value} character${plural}`;
  if (origin === 'array' || origin === 'set') return `at ${which} ${value} item${plural}`;
  if (inclusive) return `at ${which} ${value}`;
  return which === 'least' ? `more than ${value}` : `less than ${value}`;
}

const words: Readonly<Record<string, string>> = {
  int: 'an integer',
  record: 'an object',
  url: 'an absolute URL',
  datetime: 'an RFC 3339 date-time',
};

function aWord(type: string): string {
  return words[type] ?? `${/^[aeiou]/.test(type) ? 'an' : 'a'} ${type}`;
}
