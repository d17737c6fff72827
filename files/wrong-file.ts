// A file that cannot be read as what its name says.

/** The message is the end of a sentence for a person: what is wrong, and where. */
export class WrongFile extends Error {
  override readonly name = 'WrongFile';
}
