// Faults of steps: `field` is the plain path for programs; the sentence adds the step's id for its
// author.

import { type Fault, FaultError } from '../../../engine/base/fault.ts';

/** A place, as `field` has it and as the sentence does. */
export interface Place {
  readonly path: string;
  readonly label: string;
}

/** The place of a step with a known id. */
export function placed(path: string, id: string): Place {
  return { path, label: `${path} (${JSON.stringify(id)})` };
}

/** A fault about a field there (`.minutes`), or about the whole (`''`). */
export function faultAt({ path, label }: Place, member: string, problem: string): Fault {
  return {
    code: 'invalid',
    field: `${path}${member}`,
    message: `${label}${member}: ${problem}`,
  };
}

/** A fault of something within a step, as the step's. */
export function faultWithin(place: Place, member: string, { field, message }: Fault): Fault {
  if (field === undefined) return faultAt(place, member, message);
  return faultAt(place, `${member}.${field}`, message.slice(field.length + 2));
}

export function failAt(place: Place, member: string, problem: string): never {
  throw new FaultError(faultAt(place, member, problem));
}
