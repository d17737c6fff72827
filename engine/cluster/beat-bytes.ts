// A beat as bytes: JSON, so that an operator can read along, with a row for each copy. A member of
// another version may say more or something else: what cannot be read is no beat.

import { type CopyRole, copyRoles } from '../log/copy.ts';
import type { Beat, CopySaid } from './beat.ts';

const version = 1;

type Row = readonly (number | string | null)[];

export function encodeBeat({ copies, ...about }: Beat): Uint8Array {
  const rows = copies.map(rowOf);
  return Buffer.from(JSON.stringify({ version, ...about, copies: rows }));
}

/** `undefined` for what is no beat of this version. */
export function decodeBeat(bytes: Uint8Array): Beat | undefined {
  try {
    const said = JSON.parse(Buffer.from(bytes).toString()) as Beat & {
      readonly version: unknown;
      readonly copies: readonly Row[];
    };
    if (said.version !== version || !isWhole(said)) return undefined;
    const copies = said.copies.map(copyOf);
    const { member, count, isJoining, isDraining, isClockWrong, wallMs, planVersion } = said;
    const { name, instance, address, zone, version: build, level } = member;
    return {
      member: { name, instance, address, zone, version: build, level },
      ...{ count, isJoining, isDraining, isClockWrong, wallMs, planVersion, copies },
    };
  } catch {
    return undefined;
  }
}

function rowOf(copy: CopySaid): Row {
  const { partition, generation, role, term, position, seq, sum, movesTo, awaitsTerm } = copy;
  const row = [partition, generation, role, term, position, seq, sum];
  return movesTo === undefined && awaitsTerm === undefined
    ? row
    : [...row, movesTo ?? null, awaitsTerm ?? null];
}

function copyOf([partition, generation, role, term, position, seq, sum, movesTo, awaitsTerm]: Row) {
  const numbers = [partition, generation, term, position, seq, sum];
  if (!numbers.every(isCount) || !copyRoles.includes(role as CopyRole))
    throw new Error('no copy of this version');
  return {
    ...{ partition, generation, role, term, position, seq, sum },
    ...(typeof movesTo === 'string' && { movesTo }),
    ...(isCount(awaitsTerm) && { awaitsTerm }),
  } as CopySaid;
}

function isWhole({ member, copies, ...about }: Beat): boolean {
  const { name, instance, address, zone, version: build, level } = member;
  const { count, isJoining, isDraining, isClockWrong, wallMs, planVersion } = about;
  return (
    [name, address, zone, build].every((text) => typeof text === 'string') &&
    [instance, level, count, wallMs, planVersion].every(isCount) &&
    [isJoining, isDraining, isClockWrong].every((flag) => typeof flag === 'boolean') &&
    Array.isArray(copies)
  );
}

function isCount(value: unknown): value is number {
  return typeof value === 'number' && Number.isFinite(value) && value >= 0;
}
