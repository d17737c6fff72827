// Every table of an app counts for the storage quota, or something else bounds it.

import t from 'tap';
import { everyArea } from '../../../actors/runtime/every-area.ts';

/** By name, with the reason. */
const bounded: Readonly<Record<string, string>> = {
  subscribers: 'counted with the columns: tags, devices and a sum for each person',
  endpoints: 'one of each device, in the sum for a device',
  aliases: 'at most 1,000 of a person, who counts',
  'live activities of people': 'one of each Live Activity, whose own row counts',
  'last edits': 'one small row of each thing that people edit, and things count',
  assets: 'a sum for each picture, beside its bytes',
  'bytes of assets': 'memory has their sum',
  'pieces of assets': 'memory has their sum',
  'files of sends': 'a sum for each file, beside its bytes',
  'bytes of files': 'memory has their sum',
  'days of files': 'one of each file, in the sum for a file',
  sends: 'bounded by the daily send cap and the retention; sends are never refused',
  'send chunks': 'as sends',
  'device sends': 'as sends',
  'dead letters': 'as sends',
  'result polls': 'of sends under way',
  'awaited results': 'one of each text whose outcome is asked for, for three days at most',
  'opt-ins of people': 'one of each sign-up, whose own row counts',
  'opt-in mails': 'at most three instants of an address, for a day',
  'owed opt-in mails': 'one of each sign-up, whose own row counts',
  'provider receipts': 'of sends, and swept with them',
};

t.test('every table of an app is counted, or bounded by something else', async (t) => {
  const counted = new Set(everyArea.stored.tables.map(([, { name }]) => name));
  t.equal(counted.size, everyArea.stored.tables.length, 'each once');
  for (const { name } of everyArea.appTables) {
    const isBounded = bounded[name] !== undefined;
    t.ok(counted.has(name) !== isBounded, `${name}: counted, or in the list of this test`);
  }
  const names = new Set(everyArea.appTables.map(({ name }) => name));
  for (const name of Object.keys(bounded)) t.ok(names.has(name), `${name} is a table`);
});
