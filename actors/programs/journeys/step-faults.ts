// How a fault of a step is worded: `field` is its plain path, so that a program finds it; the words
// say the step's id as well, which is how its author knows it.

import { type Fault, FaultError } from '../../../engine/base/fault.ts';

/** Where something stands, as `field` of a fault has it and as its words do. */
export interface Place {
  readonly path: string;
  readonly label: string;
}

/** The place of a step whose id is known. */
export function placed(path: string, id: string): Place {
  return { path, label: `${path} (${JSON.stringify(id)})` };
}

/** A fault about a member of what stands there (`.minutes`), or about all of it (`''`). */
export function faultAt({ path, label }: Place, member: string, problem: string): Fault {
  return {
    code: 'invalid',
    field: `${path}${member}`,
    message: `${label}${member}: ${problem}`,
  };
}

/** A fault of something that a step contains, and that named its own member, as the step's. */
export function faultWithin(place: Place, member: string, { field, message }: Fault): Fault {
  if (field === undefined) return faultAt(place, member, message);
  return faultAt(place, `${member}.${field}`, message.slice(field.length + 2));
}

export function failAt(place: Place, member: string, problem: string): never {
  throw new FaultError(faultAt(place, member, problem));
}
