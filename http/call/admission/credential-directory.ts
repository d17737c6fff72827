// The marks of all credentials: keys, sessions, sign-in links, write keys. One that is not listed
// is nobody's, and costs no look-up; a listed one is looked up whatever others at its address do.
// What a look-up shows to be over is taken off. Open addressing, at most half full.

import {
  type CredentialMark,
  type CredentialMarksProtocol,
  type CredentialsMade,
  credentialMark,
} from '../../../actors/tenants/accounts/credential-mark.ts';
import type { Asker } from '../../../engine/actor/asker.ts';
import type { Message } from '../../../engine/actor/message.ts';

const free = 0;
const gone = -1;
const placesMin = 1_024;

export class CredentialDirectory {
  #places = new Float64Array(placesMin);
  /** Places that are not free, those of marks that are gone among them. */
  #used = 0;
  #size = 0;

  /** `name` and `hash` as of `credentialMark`. */
  has(name: string, hash: Uint8Array): boolean {
    return this.#placeOf(credentialMark(name, hash)) >= 0;
  }

  add({ marks }: Pick<CredentialsMade, 'marks'>): void {
    for (const mark of marks) this.#add(mark);
  }

  remove(name: string, hash: Uint8Array): void {
    const place = this.#placeOf(credentialMark(name, hash));
    if (place < 0) return;
    this.#places[place] = gone;
    this.#size--;
  }

  /** Asks every partition. Returns how many did not answer: their credentials are not listed. */
  async load(router: Pick<Asker, 'ask'>, partitions: number): Promise<number> {
    let failed = 0;
    for (let partition = 0; partition < partitions; partition++)
      if (!(await this.loadFrom(router, partition))) failed++;
    return failed;
  }

  /** False if the partition did not answer: its credentials are not listed. */
  async loadFrom(router: Pick<Asker, 'ask'>, partition: number): Promise<boolean> {
    for (let from: number | null = 0; from !== null; ) {
      const message = { kind: 'credential.marks', by: -1, from } as Message;
      const answer = await router.ask(partition, message);
      if (!answer.ok) return false;
      const page = answer.value as CredentialMarksProtocol['credential.marks']['reply'];
      for (const mark of page.marks) this.#add(mark);
      from = page.next;
    }
    return true;
  }

  #add(mark: CredentialMark): void {
    if (this.#placeOf(mark) >= 0) return;
    if (2 * (this.#used + 1) > this.#places.length) this.#grow();
    this.#put(mark);
    this.#size++;
  }

  #put(mark: CredentialMark): void {
    const mask = this.#places.length - 1;
    let place = mark & mask;
    while (this.#places[place] !== free) place = (place + 1) & mask;
    this.#places[place] = mark;
    this.#used++;
  }

  /** Marks that are gone give their places back. */
  #grow(): void {
    const old = this.#places;
    let length = placesMin;
    while (length < 4 * (this.#size + 1)) length *= 2;
    this.#places = new Float64Array(length);
    this.#used = 0;
    for (const mark of old) if (mark > free) this.#put(mark);
  }

  /** -1: not listed. */
  #placeOf(mark: CredentialMark): number {
    const mask = this.#places.length - 1;
    for (let place = mark & mask; ; place = (place + 1) & mask) {
      const found = this.#places[place];
      if (found === mark) return place;
      if (found === free) return -1;
    }
  }
}
