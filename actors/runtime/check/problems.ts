// Collects what is wrong with a partition. Only the first few are kept as sentences: a damaged
// index may be wrong a million times for one reason.

const kept = 20;

/** The problems of one partition. */
export class Problems {
  readonly sentences: string[] = [];
  count = 0;

  /** `sentence` is only made while there is room for it. */
  add(sentence: string | (() => string)): void {
    this.count++;
    if (this.sentences.length < kept)
      this.sentences.push(typeof sentence === 'string' ? sentence : sentence());
  }
}
