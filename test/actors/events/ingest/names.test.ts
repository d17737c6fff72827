import t from 'tap';
import {
  beaconNames,
  clientNameProblem,
  countsAsActivity,
  isPlainClientName,
  isServiceName,
  originOfEvent,
} from '../../../../actors/events/ingest/names.ts';

const serviceNames = [
  'sent',
  'delivered',
  'bounced',
  'failed',
  'suppressed',
  'deferred',
  'unsubscribed',
];

const plain = (name: string) => {
  const bytes = Buffer.from(`"${name}"`);
  return isPlainClientName(bytes, 1, bytes.length - 1);
};

t.test('no client can send a name that the service records', async (t) => {
  for (const name of [...serviceNames, 'journey_enrolled', 'journey_', 'journey_x']) {
    t.ok(isServiceName(name), name);
    t.match(clientNameProblem(name), /recorded by the service/);
    t.notOk(plain(name));
    t.notOk(countsAsActivity(name), `${name} was done to the person, not by them`);
  }
});

t.test('beacons and custom names may be sent, and are activity', async (t) => {
  for (const name of [...beaconNames, 'purchase', 'Delivered', 'sent_', 'journey', 'ปุ่ม', '😀']) {
    t.equal(clientNameProblem(name), undefined, name);
    t.ok(plain(name));
    t.ok(countsAsActivity(name));
  }
});

t.test('events about messages and journeys are of Engage, all others of the app', async (t) => {
  const engage = [...serviceNames, ...beaconNames.filter((name) => name !== 'session')];
  for (const name of [...engage, 'journey_enrolled']) t.equal(originOfEvent(name), 'engage', name);
  for (const name of ['session', 'purchase', 'Opened', 'journey', 'inapp_', ''])
    t.equal(originOfEvent(name), 'app', name);
});

t.test('a name has 1 to 128 characters, none of them a control character', async (t) => {
  t.equal(clientNameProblem(''), 'expected 1 to 128 characters');
  t.equal(clientNameProblem('x'.repeat(128)), undefined);
  t.equal(clientNameProblem('x'.repeat(129)), 'expected 1 to 128 characters');
  t.equal(clientNameProblem('ข'.repeat(128)), undefined, 'characters are counted, not bytes');
  for (const name of ['a\0', 'a\n', '\u007f', 'a\u0080', '\u009fb']) {
    t.equal(clientNameProblem(name), 'must not contain control characters');
  }
  t.equal(clientNameProblem('\ud800'), 'expected valid Unicode');
});

t.test(
  'the look at the bytes never lets through what the look at the text does not take as it is',
  async (t) => {
    const differing: number[] = [];
    for (let point = 0x20; point < 0x3000; point++) {
      const name = `a${String.fromCodePoint(point)}`;
      const isGood = clientNameProblem(name) === undefined && name === name.normalize('NFC');
      if (plain(name) !== isGood) differing.push(point);
    }
    t.strictSame(differing, []);
    t.notOk(plain('x'.repeat(129)));
  },
);
