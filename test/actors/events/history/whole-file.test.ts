// Files of history of earlier builds. The bytes below were written by the last build before version
// 2.

import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import t from 'tap';
import { DamagedEvents } from '../../../../actors/events/byte-cursor.ts';
import { encodeDrafts } from '../../../../actors/events/drafts.ts';
import { decodeBatch } from '../../../../actors/events/event-batch.ts';
import { eventFileProblem } from '../../../../actors/events/history/file-problems.ts';
import { openEventFile } from '../../../../actors/events/history/open-event-file.ts';
import { openWholeBlock, wholeForm } from '../../../../actors/events/history/whole-file.ts';
import { dayOf, HistoryWriter, historyPath } from '../../../../storage/history.ts';
import { temporaryDirectory } from '../../../storage/support/directory.ts';
import { eventAt, eventsOf, type PlainEvent } from '../stored.ts';
import { app, oldFileOf } from './files.ts';

const base64 = [
  'AdooKhc8DkJAZykoGyQBAQECOCtrEQACAgABQAhBCEEQQgABAAM+E9PhVjRnkDMR1uRglTYUUONVtmSS0BPV5lIwY5c1FtLg',
  'V7VmkTLQ5VGyYBQ3FdHilGeTMRJU51OxYpbUBwAAAQMBCAIDAAEEIR0AZGVsaXZlcmVkcHVyY2hhc2XguJvguLjguYjguKEB',
  'AAIDAAECKUGplIlESUJkApkKkSKRAQACAgACHDvHOEecMQ4CAQMBbgNza3UEZ2lmdAEBAQMg41IwE9JgkTLgUbIQ0WKTMeJT',
  'sdJhEDPhkBNQY5LQAwAAAAAEU0tVLQEAAgUAAQIDBBkYiIMyMRCRjREHAQQCAgABQoyJDAEAAgIAAnAIAoFBIAgEAgEBBnJl',
  'YXNvbgAAAQEABwcAb3B0X291dAAAAQADJGNgYGBgYWRlYGBgYAMRDFxgkoEbQjExgyl2CI8DTPJAOLwMAAECAgABYAAQRKBA',
  'ggAKAQEABQUAcGhvbmUAAAECAgABYAAQRKBAggAKAARzbmRfAQADDGOQkzATMuDRYlMBAAICAhABFgADCWtgwAQviBQDAAMJ',
  'm8aACZiJFAMAAwYTZCAfAAADBitnIB8AAAMGm81APgAAAwZjZCAfAAAy10UDErv+AgI8kGgGVC6YYsBQ9eIFAAMSU2KGgHdI',
  'NAMqF0wxYKhiZgYAAQMJY2BkZGQgEwMALQABZQIBAzIBLQDS/wADCBgjMFBjeKjD4CBDaLjjEHCj2EiDwECDyFij8JDjOOhD',
  'oGDDKPhj0LAjmAMjRcHJEQAgCAQwXG6Q/tt1eJkQfWcBADOLiKqauUdkVnXfmQc=',
].join('');
const bytes = Buffer.from(base64, 'base64');
const nowMs = Date.UTC(2026, 0, 1, 1);

/** What was written: three batches of twenty. */
const sources = [0, 20, 40].map((from, batch) => {
  const drafts = Array.from({ length: 20 }, (_, k) => {
    const i = from + k;
    return {
      name: ['delivered', 'purchase', 'ปุ่ม'][i % 3] as string,
      person: (i * 7) % 11,
      atMs: nowMs - ((i * 7919) % 60_000),
      ...(i % 4 === 0 ? {} : { id: `e${i * i}` }),
      ...(i % 2 === 0
        ? {}
        : { propsJson: JSON.stringify({ n: i, sku: `SKU-${i % 5}`, gift: i % 3 === 0 }) }),
      ...(i % 5 === 0 ? { metaJson: '{"reason":"opt_out"}', channel: 1 + (i % 13) } : {}),
      ...(i % 6 === 0 ? { deviceId: 'phone', sendId: `snd_${i}` } : {}),
    };
  });
  return decodeBatch(encodeDrafts(drafts, nowMs + batch * 1000, 1 + from));
});
const events = sources
  .flatMap((source) => eventsOf(source))
  .sort((a, b) => a.person - b.person || a.atMs - b.atMs || a.seq - b.seq);

t.test('what an earlier build wrote reads back, all of it and a person at a time', async (t) => {
  t.same(eventsOf(openWholeBlock(bytes, 'a file')), events);
  const path = temporaryDirectory();
  const draft = new HistoryWriter(path, 1, wholeForm).begin(app, dayOf(nowMs));
  draft.append(bytes);
  const times = events.map(({ atMs }) => atMs);
  const listed = draft.keep({
    count: 60,
    minSeq: 1,
    maxSeq: 60,
    minAtMs: Math.min(...times),
    maxAtMs: Math.max(...times),
  });
  t.equal(eventFileProblem(path, listed), undefined);
  t.match(eventFileProblem(path, { ...listed, count: 59 }), /does not match its manifest/);
  const file = openEventFile(path, listed);
  for (let person = 0; person < 12; person++) {
    const found: PlainEvent[] = [];
    for (const rows of file.find({ person }))
      for (let row = rows.from; row < rows.to; row++) found.push(eventAt(rows.events, row));
    t.same(
      found,
      events.filter((one) => one.person === person),
    );
    t.equal(file.holdsAny([person]), person < 11);
  }
});

t.test('a damaged file of an earlier build is refused, wherever the damage is', async (t) => {
  for (let at = 0; at < bytes.length; at++) {
    const harmed = Buffer.from(bytes);
    harmed[at] = (harmed[at] as number) ^ 0x10;
    t.throws(() => openWholeBlock(harmed, 'a file'), DamagedEvents);
    t.throws(() => openWholeBlock(bytes.subarray(0, at), 'a file'), DamagedEvents);
  }
});

t.test('a damaged one is named', async (t) => {
  const path = temporaryDirectory();
  const listed = oldFileOf(path, sources);
  const full = join(historyPath(path), listed.file);
  const harmed = readFileSync(full);
  harmed[50] = (harmed[50] as number) ^ 1;
  writeFileSync(full, harmed);
  t.match(eventFileProblem(path, listed), /\.ev fails its checksum/);
  t.throws(() => [...openEventFile(path, listed).find({})], /\.ev fails its checksum/);
});
