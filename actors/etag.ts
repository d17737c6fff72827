// The tag of a version of something that people edit: a hash of what an editor sees of it. Equal
// things have equal tags, whatever the order of their members, and data of older builds has one,
// too. Counters, progress and the time of a change are left out: they make no edit stale.

import { createHash } from 'node:crypto';

const charsOfTag = 22;
const alwaysLeftOut: ReadonlySet<string> = new Set(['updatedMs', 'createdMs']);

/** 22 characters of base64url. `leftOut` names members of `thing` that no editor changes. */
export function etagOf(thing: object, leftOut: readonly string[] = []): string {
  const parts: string[] = [];
  write(thing, parts, new Set([...alwaysLeftOut, ...leftOut]));
  return createHash('sha256').update(parts.join('')).digest('base64url').slice(0, charsOfTag);
}

/** JSON with sorted members, without `undefined`; bytes as hex. */
function write(value: unknown, parts: string[], leftOut?: ReadonlySet<string>): void {
  if (value === null || typeof value !== 'object') {
    parts.push(JSON.stringify(value) ?? 'null');
  } else if (ArrayBuffer.isView(value)) {
    const { buffer, byteOffset, byteLength } = value;
    parts.push('#', Buffer.from(buffer, byteOffset, byteLength).toString('hex'));
  } else if (Array.isArray(value)) {
    parts.push('[');
    for (const item of value) {
      write(item, parts);
      parts.push(',');
    }
    parts.push(']');
  } else {
    parts.push('{');
    for (const name of Object.keys(value).sort()) {
      const member = (value as Record<string, unknown>)[name];
      if (member === undefined || leftOut?.has(name) === true) continue;
      parts.push(JSON.stringify(name), ':');
      write(member, parts);
      parts.push(',');
    }
    parts.push('}');
  }
}
