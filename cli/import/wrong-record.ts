// The refusal of one record of an export, where the others go on.

/** A record that must not be imported, with the reason: it begins with the column's name. */
export class WrongRecord extends Error {
  override readonly name = 'WrongRecord';
}
