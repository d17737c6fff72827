import t from 'tap';
import { type AddressNotes, notesText, withFlags } from '../../../cli/import/address-notes.ts';

t.test('flags of batches add up, and the first ones name their line', async (t) => {
  const typo = (row: number) => ({ row, domain: 'gmial.com', meant: 'gmail.com' });
  const origins = Array.from({ length: 20 }, (_, n) => ({ line: 100 + n, file: 'people.csv' }));
  let notes: AddressNotes = {};
  notes = withFlags(notes, undefined, origins);
  t.same([notes, notesText(notes)], [{}, []], 'a server that tells nothing');
  const samples = Array.from({ length: 8 }, (_, n) => typo(n));
  notes = withFlags(notes, [{ flag: 'typo', count: 8, samples }], origins);
  notes = withFlags(
    notes,
    [
      { flag: 'typo', count: 1_200, samples },
      { flag: 'role', count: 1, samples: [{ row: 3, domain: 'acme.example' }] },
    ],
    [{ line: 1 }, { line: 2 }, { line: 3 }, { line: 4 }],
  );
  t.equal(notes['typo']?.count, 1_208);
  t.equal(notes['typo']?.first.length, 10);
  t.same(notes['typo']?.first.slice(7), [
    { file: 'people.csv', line: 107, domain: 'gmial.com', meant: 'gmail.com' },
    { line: 1, domain: 'gmial.com', meant: 'gmail.com' },
    { line: 2, domain: 'gmial.com', meant: 'gmail.com' },
  ]);
  const [first, second] = notesText(notes);
  t.match(first, /misspelled: 1,208 \(people\.csv, line 100: gmial\.com for gmail\.com; /);
  t.equal(second, 'Addresses of a role, such as info@: 1 (line 4: acme.example).');
});
