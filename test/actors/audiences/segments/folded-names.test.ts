// A search by name against one that looks at every person's tag.

import fc from 'fast-check';
import t from 'tap';
import { foldedName, searchedName } from '../../../../actors/audiences/segments/folded-name.ts';
import { TagColumn } from '../../../../actors/audiences/segments/tag-column.ts';
import { Bitset } from '../../../../engine/base/bitset.ts';
import { tries } from '../../../support/tries.ts';

const people = 200;
const word = fc.constantFrom(
  ...['Nguyễn', 'nguyen', 'Văn', 'An', 'Anna', 'ana', 'O’Neil', 'Søren', 'SØREN', 'Łukasz', 'Groß'],
  ...['สมชาย', '田中', '太郎', 'Đỗ', 'Jean-Luc', '김', '민수', 'x', '', '\n', '🙂', 'Zoë', 'ZOE'],
);
const name = fc.array(word, { maxLength: 3 }).map((words) => words.join(' '));
const value = fc.oneof(
  { weight: 6, arbitrary: name },
  fc.constantFrom<null | number | string[]>(null, 7, ['An']),
);
const step = fc.record({
  person: fc.nat(people - 1),
  value,
  asks: fc.option(name, { freq: 3 }),
  /** How many values are prepared before the question. */
  folds: fc.constantFrom(0, 1, 1_000),
});

const unspaced = /^[\p{sc=Han}\p{sc=Hangul}\p{sc=Thai}]/u;

function hasWord(text: string, begin: string): boolean {
  if (unspaced.test(begin)) return searchedName(text).includes(begin);
  return ` ${searchedName(text)}`.includes(` ${begin}`);
}

t.test('a search by name finds who a look at each person finds', async (t) => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), fc.boolean(), (steps, isDense) => {
      const column = new TagColumn();
      const values = new Map<number, string>();
      // Dense from 64 people on.
      for (let person = 0; isDense && person < 100; person++) {
        column.set(person, `Filler ${person % 9}`, people);
        values.set(person, `Filler ${person % 9}`);
      }
      for (const { person, value: next, asks, folds } of steps) {
        column.set(person, next, people);
        if (typeof next === 'string' || typeof next === 'number') values.set(person, String(next));
        else values.delete(person);
        column.foldNames(folds);
        const begin = foldedName(asks ?? '').split(' ')[0] ?? '';
        if (begin === '') continue;
        while (column.foldNames(3) > 0);
        const found = new Bitset(people);
        column.addNamed(begin, found);
        const wanted = [...values].filter(([, text]) => hasWord(text, begin));
        if (found.count() !== wanted.length || wanted.some(([who]) => !found.test(who)))
          throw new Error(`${begin}: ${found.count()} of ${wanted.length}`);
      }
    }),
    { numRuns: tries(150) },
  );
  t.pass();
});

t.test('no more values are prepared at once than were asked for', async (t) => {
  const column = new TagColumn();
  for (let person = 0; person < 10; person++) column.set(person, `Ana ${person}`, 10);
  t.equal(column.foldNames(0), 10);
  t.equal(column.foldNames(4), 6);
  t.equal(column.foldNames(0), 6);
  t.equal(column.foldNames(100), 0);
});

t.test('many that match are found as exactly as few', async (t) => {
  const column = new TagColumn();
  const many = 20_000;
  for (let person = 0; person < many; person++)
    column.set(person, `${person % 3 === 0 ? 'Ana' : 'Bo'} ${person} Văn`, many);
  // Values that went leave room that nobody searches.
  for (let person = 0; person < many; person += 2) column.set(person, null, many);
  for (let person = 0; person < many; person += 4) column.set(person, 'Anatol', many);
  while (column.foldNames(777) > 0);
  const found = (begin: string) => {
    const into = new Bitset(many);
    column.addNamed(begin, into);
    return into.count();
  };
  t.equal(found('van'), many / 2);
  const isAna = (person: number) => person % 4 === 0 || (person % 2 === 1 && person % 3 === 0);
  t.equal(found('ana'), Array.from({ length: many }, (_, i) => i).filter(isAna).length);
  t.equal(found('anat'), many / 4);
  t.equal(found('19999'), 1);
  t.equal(found('19998'), 0);
  t.equal(found('zz'), 0);
});

t.test('a name is found as people type it', async (t) => {
  const table: [stored: string, typed: readonly string[]][] = [
    ["Conan O'Brien", ["o'brien", 'obrien', 'O’BRIEN', 'o brien', 'brien', 'OBri']],
    ['Jean-Luc Picard', ['jeanluc', 'jean luc', 'luc', 'Jean‑Luc']],
    ['J.R.R. Tolkien', ['jrr', 'j.r.r. tolkien', 'j r r']],
    ['Al-Ahmad', ['alahmad', 'ahmad']],
    ['Κωνσταντίνος Παπάς', ['ΚΩΝΣ', 'κωνσταντινος', 'ΠΑΠΑΣ', 'παπας']],
    ['مُصْطَفَى', ['مصطفى', 'مصطفي']],
    ['فاطمة', ['فاطمه', 'فَاطِمَة']],
    ['کریم', ['كريم', 'کریم']],
    ['אַבְרָהָם', ['אברהם', 'אבר']],
    ['Hawaiʻi Saʿīd', ['hawaii', 'said', 'saʿid']],
    ['김민수', ['김민', '민수', '김민수'.normalize('NFD')]],
    ['김 민수', ['김민수', '민수']],
    ['田中 太郎', ['田中太郎', '太郎', '田中']],
    ['สมชาย ใจดี', ['สมชายใจดี', 'ใจดี']],
    ['4711', ['4711', '47']],
  ];
  for (const [stored, typed] of table) {
    const column = new TagColumn();
    column.set(0, stored === '4711' ? Number(stored) : stored, 1);
    while (column.foldNames(10) > 0);
    for (const q of typed)
      for (const word of foldedName(q).split(' ')) {
        const found = new Bitset(1);
        column.addNamed(word, found);
        t.equal(found.count(), 1, `${q} finds ${stored}`);
      }
  }
});
