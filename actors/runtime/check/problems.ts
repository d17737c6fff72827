// Collects a partition's problems; keeps only the first as sentences, since one cause may produce a
// million.

const kept = 20;

export class Problems {
  readonly sentences: string[] = [];
  count = 0;

  /** A function is called only if the sentence is kept. */
  add(sentence: string | (() => string)): void {
    this.count++;
    if (this.sentences.length < kept)
      this.sentences.push(typeof sentence === 'string' ? sentence : sentence());
  }
}
