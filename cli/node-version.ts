// What an operator should know of the Node that runs this: which versions get security fixes, and
// on which the tests run.

import type { Millis } from '../engine/base/brand.ts';

/** The last day of fixes of each version that Engage is tested on, as nodejs.org announced it. */
const fixesEnd: Readonly<Record<number, Millis>> = {
  20: Date.UTC(2026, 3, 30),
  22: Date.UTC(2027, 3, 30),
  24: Date.UTC(2028, 3, 30),
};
const oldest = [20, 18, 1] as const;

/** `undefined` where there is nothing to say. `version` is `process.versions.node`. */
export function nodeWarning(version: string, nowMs: Millis): string | undefined {
  const [major = 0, minor = 0, patch = 0] = version.split('.').map(Number);
  const advice = `Run ${better(nowMs)}.`;
  if (
    major < oldest[0] ||
    (major === oldest[0] && minor * 1000 + patch < oldest[1] * 1000 + oldest[2])
  )
    return `Engage needs Node ${oldest.join('.')} or newer, and this is ${version}. ${advice}`;
  const end = fixesEnd[major];
  if (end === undefined)
    return major % 2 === 1
      ? `Node ${major} is not a long-term version, and Engage is not tested on it. ${advice}`
      : `Engage is not tested on Node ${major}. ${advice}`;
  if (nowMs < end) return undefined;
  const month = new Date(end).toLocaleString('en-US', { month: 'long', timeZone: 'UTC' });
  const year = new Date(end).getUTCFullYear();
  return `Node ${major} is out of support: it has had no security fixes since ${month} ${year}. ${advice}`;
}

function better(nowMs: Millis): string {
  const supported = Object.entries(fixesEnd).flatMap(([major, end]) => (nowMs < end ? major : []));
  return supported.length === 0 ? 'a long-term version of Node' : `Node ${supported.join(' or ')}`;
}
