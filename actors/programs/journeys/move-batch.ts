// Gathers the moves of one decision into few entries. People who moved alike share a move; each
// person is in at most once. Numbers sends as `apply` counts them.

import type { Entry } from '../../../engine/actor/message.ts';
import type { Millis, Ordinal, PersonOrdinal } from '../../../engine/base/brand.ts';
import { packOrdinals } from '../../../engine/base/ordinal-list.ts';
import { deviceColumns, type SendDevice } from '../../people/audience/device-columns.ts';
import type { Move, RunsMoved } from './entries.ts';

interface Moving {
  readonly person: PersonOrdinal;
  readonly code: number;
  /** By send, in order. */
  readonly sends: readonly (readonly SendDevice[])[];
}

interface Numbering {
  readonly owner: Ordinal;
  readonly journeyId: string;
  readonly atMs: Millis;
  readonly firstSend: number;
}

/** How many moves to compare before looking one up by its key. */
const comparedMax = 4;
/** Codes of moves are bytes. */
const codesMax = 255;

export class MoveBatch {
  readonly #entries: RunsMoved[] = [];
  readonly #moved = new Set<PersonOrdinal>();
  readonly #passed: PersonOrdinal[] = [];
  readonly #of: Pick<Numbering, 'owner' | 'journeyId' | 'atMs'>;
  #firstSend: number;
  #people: Moving[] = [];
  #moves: Move[] = [];
  #codes = new Map<string, number>();

  constructor({ owner, journeyId, atMs, firstSend }: Numbering) {
    this.#of = { owner, journeyId, atMs };
    this.#firstSend = firstSend;
  }

  get size(): number {
    return this.#moved.size;
  }

  /** Whether a person moved already; their next move must wait for the fold. */
  has(person: PersonOrdinal): boolean {
    return this.#moved.has(person);
  }

  /** `sends`: the devices of each send of the move. */
  add(person: PersonOrdinal, move: Move, sends: readonly (readonly SendDevice[])[]): void {
    this.#moved.add(person);
    const code = this.#codeOf(move); // may begin another entry, so it comes first
    this.#people.push({ person, code, sends });
  }

  /** Takes a person off the awaited. Call in ascending order. */
  pass(person: PersonOrdinal): void {
    this.#passed.push(person);
  }

  /** Most people take one of a few moves, and comparing is far cheaper than making a key. */
  #codeOf(move: Move): number {
    const near = Math.min(this.#moves.length, comparedMax);
    for (let code = 0; code < near; code++)
      if (isSame(this.#moves[code] as Move, move)) return code;
    const key = JSON.stringify(move);
    const known = this.#codes.get(key);
    if (known !== undefined) return known;
    if (this.#moves.length === codesMax) this.#flush();
    const code = this.#moves.push(move) - 1;
    this.#codes.set(key, code);
    return code;
  }

  /** The entries, to be folded in this order. */
  entries(): readonly Entry[] {
    if (this.#people.length > 0 || this.#passed.length > 0) this.#flush();
    return this.#entries;
  }

  #flush(): void {
    const people = this.#people.sort((one, other) => one.person - other.person);
    const moves = this.#moves;
    const sends = people.flatMap((one) => one.sends);
    this.#entries.push({
      ...this.#of,
      kind: 'journey.moved',
      people: packOrdinals(people.map(({ person }) => person)),
      moves,
      ...(moves.length > 1 ? { codes: Uint8Array.from(people, ({ code }) => code) } : {}),
      ...(sends.length > 0 ? { sends: deviceColumns(sends), namesSteps: true as const } : {}),
      firstSend: this.#firstSend,
      firstEvent: 0,
      ...(this.#passed.length > 0 ? { passed: packOrdinals(this.#passed) } : {}),
    });
    this.#firstSend += sends.length;
    this.#passed.length = 0;
    this.#people = [];
    this.#moves = [];
    this.#codes = new Map();
  }
}

function isSame(one: Move, other: Move): boolean {
  const { happened, outcome } = one;
  if (one.enrolls !== other.enrolls || happened.length !== other.happened.length) return false;
  return (
    isSameMember(outcome, other.outcome) &&
    happened.every((each, i) => isSameMember(each, other.happened[i] as Move['happened'][number]))
  );
}

/** Compares two flat objects of one union. */
function isSameMember(one: object, other: object): boolean {
  for (const member in one)
    if (one[member as keyof typeof one] !== other[member as keyof typeof other]) return false;
  return true;
}
