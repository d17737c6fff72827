// The guard against a slow and obvious reader of the same bytes: JSON.parse and a walk.

import fc from 'fast-check';
import t from 'tap';
import { guardJson } from '../../../../http/call/body/json-guard.ts';
import { tries } from '../../../support/tries.ts';

const jsonLimits = { depth: 32, nodes: 50_000 };

const verdict = (text: string | Uint8Array, limits = jsonLimits) =>
  guardJson(typeof text === 'string' ? Buffer.from(text) : text, limits);
const accepted = { ok: true };

t.test('nesting is allowed up to the bound and refused beyond it', async (t) => {
  const nested = (depth: number) => '['.repeat(depth) + ']'.repeat(depth);
  t.same(verdict(nested(32)), accepted);
  t.same(verdict(nested(33)), { ok: false, problem: 'nested deeper than 32 levels' });
  t.same(verdict(`${'{"a":'.repeat(32)}1${'}'.repeat(32)}`), accepted);
  t.equal(verdict(`${'{"a":'.repeat(33)}1${'}'.repeat(33)}`).ok, false);
  t.same(verdict(`[${Array(100).fill('[[]]').join(',')}]`), accepted, 'depth is not a sum');
  t.same(verdict('"[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[["'), accepted, 'nor is text');
});

t.test('half a million nested arrays are refused, closed or not', async (t) => {
  t.equal(verdict('['.repeat(500_000)).ok, false);
  t.equal(verdict('['.repeat(500_000) + ']'.repeat(500_000)).ok, false);
});

t.test('values are counted exactly, empty containers and spaces included', async (t) => {
  const of = (count: number) =>
    `[${Array(count - 1)
      .fill('1')
      .join(' , ')} ]`;
  t.same(verdict(of(50_000)), accepted);
  t.same(verdict(of(50_001)), { ok: false, problem: 'more than 50000 values' });
  t.same(verdict('[[],{ },[ ]]', { depth: 9, nodes: 4 }), accepted);
  t.equal(verdict('[[],{},[]]', { depth: 9, nodes: 3 }).ok, false);
  t.same(verdict('",,,,[[[["', { depth: 9, nodes: 1 }), accepted);
});

t.test('keys that reach a prototype are refused however they are written', async (t) => {
  for (const key of ['__proto__', 'constructor', 'prototype']) {
    const problem = `the key ${key} is not allowed`;
    const escapes = [
      key,
      [...key].map(escaped).join(''),
      escaped(key[0] ?? '') + key.slice(1),
      key.slice(0, -1) +
        escaped(key.at(-1) ?? '')
          .toUpperCase()
          .replace('\\U', '\\u'),
    ];
    for (const spelled of escapes) {
      t.same(verdict(`{"${spelled}":1}`), { ok: false, problem }, spelled);
      t.same(verdict(`[{"a":{"b":1,\n "${spelled}" \t\r\n : {}}}]`), { ok: false, problem });
      t.same(verdict(`{"a":"${spelled}","b":["${spelled}"]}`), accepted, 'as a value it is text');
    }
    t.same(verdict(`{"${key}_":1,"${key.slice(1)}":2,"\\\\u${key}":3}`), accepted);
  }
});

t.test('bytes that are no UTF-8 are refused', async (t) => {
  t.same(verdict(Buffer.from([0x22, 0xff, 0x22])), { ok: false, problem: 'not valid UTF-8' });
  t.equal(verdict(Buffer.from([0x22, 0xed, 0xa0, 0x80, 0x22])).ok, false, 'a lone surrogate');
  t.same(verdict('"grüße 🎉"'), accepted);
});

t.test('numbers that would become Infinity are refused', async (t) => {
  for (const number of ['1e309', '-1E+400', '9'.repeat(400), '[1,{"a":2e999}]']) {
    t.same(
      verdict(number),
      { ok: false, problem: 'a number is out of range' },
      number.slice(0, 20),
    );
  }
  for (const number of ['-1.5E-400', '0.0', `0.${'1'.repeat(500)}`, '"1e999"']) {
    t.same(verdict(number), accepted, number.slice(0, 20));
  }
});

t.test('numbers beyond 2^53 - 1 are allowed here, and told', async (t) => {
  const inexact = { ok: true, isInexact: true };
  for (const number of ['9007199254740992', '-9007199254740993', '1e16', '1e308', '9'.repeat(308)])
    t.same(verdict(`{"a":[${number},1]}`), inexact, number.slice(0, 20));
  const exact = ['9007199254740991', '-9007199254740991', '1234567890123456', '1e15', '17.25e3'];
  for (const number of [...exact, '0.12345678901234567', '"9007199254740993"'])
    t.same(verdict(`{"a":[${number},1]}`), accepted, number);
});

t.test('a view into a larger buffer is read within its bounds', async (t) => {
  const whole = Buffer.from('[1e309]{"a":1e3}[[[[');
  t.same(verdict(whole.subarray(7, 16)), accepted);
});

t.test('it agrees with a walk over what JSON.parse makes of the same text', async (t) => {
  const key = fc.oneof(
    { weight: 6, arbitrary: fc.string({ maxLength: 12 }) },
    {
      weight: 1,
      arbitrary: fc.constantFrom('__proto__', 'constructor', 'prototype', 'prototypes'),
    },
  );
  const { tree } = fc.letrec<{ tree: Node }>((tie) => ({
    tree: fc.oneof(
      { maxDepth: 5 },
      fc.oneof(fc.string(), fc.double({ noNaN: true }), fc.boolean(), fc.constant(null)),
      fc.array(tie('tree'), { maxLength: 4 }),
      fc.array(fc.tuple(key, tie('tree')), { maxLength: 4 }).map((members) => ({ members })),
    ),
  }));
  const style = fc.record({ space: fc.constantFrom('', ' ', '\n\t'), escapeAll: fc.boolean() });
  const limits = { depth: 3, nodes: 12 };
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(tree, style, (value, { space, escapeAll }) => {
        const text = write(value, space, escapeAll);
        const found = measure(value, 0);
        const good =
          found.depth <= limits.depth &&
          found.nodes <= limits.nodes &&
          !found.forbidden &&
          !found.infinite;
        JSON.parse(text); // the writer writes JSON
        return verdict(text, limits).ok === good;
      }),
      { seed: 7, numRuns: tries(5_000) },
    ),
  );
});

t.test('it ends on any bytes, and what it lets pass and parses is within the bounds', async (t) => {
  const noise = fc.oneof(
    fc.uint8Array({ maxLength: 60 }),
    fc
      .string({ unit: fc.constantFrom(...'[]{}",:\\u0012e-. 9ntf'), maxLength: 60 })
      .map((s) => Buffer.from(s)),
  );
  t.doesNotThrow(() =>
    fc.assert(
      fc.property(noise, (bytes) => {
        const judged = verdict(bytes, { depth: 3, nodes: 8 });
        let parsed: unknown;
        try {
          parsed = JSON.parse(Buffer.from(bytes).toString('utf8'));
        } catch {
          return true;
        }
        const found = measurePlain(parsed, 0);
        return !judged.ok || (found.depth <= 3 && found.nodes <= 8);
      }),
      { seed: 8, numRuns: tries(20_000) },
    ),
  );
});

/** A tree whose objects keep repeated keys, as the text may have them. */
type Node = string | number | boolean | null | Node[] | { members: [string, Node][] };

function write(node: Node, space: string, escapeAll: boolean): string {
  const text = (value: string) =>
    escapeAll ? `"${[...value].map(escaped).join('')}"` : JSON.stringify(value);
  if (typeof node === 'string') return text(node);
  if (typeof node === 'number')
    return Number.isFinite(node) ? JSON.stringify(node) : `${node > 0 ? '' : '-'}1e999`;
  if (node === null || typeof node === 'boolean') return String(node);
  if (Array.isArray(node)) {
    return `[${space}${node.map((n) => write(n, space, escapeAll)).join(`${space},${space}`)}${space}]`;
  }
  const members = node.members.map(
    ([k, v]) => `${text(k)}${space}:${space}${write(v, space, escapeAll)}`,
  );
  return `{${space}${members.join(`${space},${space}`)}${space}}`;
}

interface Found {
  depth: number;
  nodes: number;
  forbidden: boolean;
  infinite: boolean;
}

function measure(node: Node, above: number): Found {
  const found: Found = { depth: above, nodes: 1, forbidden: false, infinite: false };
  if (typeof node === 'number') found.infinite = !Number.isFinite(node);
  if (typeof node !== 'object' || node === null) return found;
  found.depth = above + 1;
  const members: [string, Node][] = Array.isArray(node) ? node.map((n) => ['', n]) : node.members;
  for (const [key, child] of members) {
    const inner = measure(child, above + 1);
    found.depth = Math.max(found.depth, inner.depth);
    found.nodes += inner.nodes;
    found.infinite ||= inner.infinite;
    found.forbidden ||= inner.forbidden || ['__proto__', 'constructor', 'prototype'].includes(key);
  }
  return found;
}

function measurePlain(value: unknown, above: number): { depth: number; nodes: number } {
  if (typeof value !== 'object' || value === null) return { depth: above, nodes: 1 };
  const found = { depth: above + 1, nodes: 1 };
  for (const child of Object.values(value)) {
    const inner = measurePlain(child, above + 1);
    found.depth = Math.max(found.depth, inner.depth);
    found.nodes += inner.nodes;
  }
  return found;
}

/** Every UTF-16 unit of the text as `\uXXXX`. */
function escaped(text: string): string {
  let out = '';
  for (let i = 0; i < text.length; i++)
    out += `\\u${text.charCodeAt(i).toString(16).padStart(4, '0')}`;
  return out;
}
