import t from 'tap';
import { limits } from '../../../../actors/limits.ts';
import { MonthlyActive } from '../../../../actors/tenants/usage/monthly-active.ts';
import { OrgMeter } from '../../../../actors/tenants/usage/org-meter.ts';
import { utcMonthOf, utcMonthStart } from '../../../../engine/time/utc-month.ts';

const deletedAppsMax = 1_000;

const month = utcMonthOf(Date.UTC(2026, 0, 1));
const startMs = utcMonthStart(month);

function usedBy(people: number, atMs: number): MonthlyActive {
  const active = new MonthlyActive();
  for (let person = 0; person < people; person++) active.touch(person, atMs);
  return active;
}

t.test(
  'deleted apps are kept by name up to a bound, and none of their people is lost',
  async (t) => {
    let meter = new OrgMeter();
    for (let n = 0; n < deletedAppsMax + 5; n++) {
      meter.keepDeleted({ id: `app_${n}`, name: `${n}` }, usedBy(1 + (n % 3), startMs), startMs);
      if (n % 400 === 399) meter = OrgMeter.restore(structuredClone(meter.snapshot()));
    }
    const deleted = meter.deleted(month);
    t.equal(deleted.length, deletedAppsMax);
    t.match(deleted[0], { appId: 'app_5', name: '5', mau: 3 });
    t.equal(meter.earlier(month), 1 + 2 + 3 + 1 + 2);
    const again = OrgMeter.restore(structuredClone(meter.snapshot()));
    t.same(again.snapshot(), meter.snapshot());
  },
);

t.test(
  'an app that nobody used leaves nothing, and months leave when they are no longer kept',
  async (t) => {
    const meter = new OrgMeter();
    meter.keepDeleted({ id: 'app_idle', name: 'Idle' }, new MonthlyActive(), startMs);
    t.same(meter.snapshot().deleted, []);
    meter.keepDeleted({ id: 'app_used', name: 'Used' }, usedBy(2, startMs), startMs);
    const lastMs = utcMonthStart(month + limits.usageMonthsKept + 1) - 1;
    meter.keepDeleted({ id: 'app_late', name: 'Late' }, usedBy(1, lastMs), lastMs);
    t.match(meter.deleted(month), [{ appId: 'app_used', mau: 2 }], 'the last month it is kept');
    meter.keepDeleted({ id: 'app_later', name: 'Later' }, usedBy(1, lastMs + 1), lastMs + 1);
    t.same(meter.deleted(month), []);
    t.same(
      meter.snapshot().deleted.map(({ appId }) => appId),
      ['app_late', 'app_later'],
    );
  },
);

t.test('a month says what was included when its last email was delivered', async (t) => {
  const meter = new OrgMeter();
  meter.countEmails(startMs, 1, 20_000);
  meter.countEmails(startMs + 1, 1, 5);
  meter.countEmails(utcMonthStart(month + 1), 1, null);
  t.same(meter.emails(month), { delivered: 2, included: 5 });
  t.same(meter.emails(month + 1), { delivered: 1, included: null });
  t.equal(meter.emails(month + 2), undefined);
  for (let n = 2; n < 50; n++) meter.countEmails(utcMonthStart(month + n), 1, 1);
  t.equal(meter.snapshot().emails.length, limits.usageMonthsKept + 3, 'two for a wrong clock');
});

t.test('emails of a clock that was ahead count in the true month', async (t) => {
  const meter = new OrgMeter();
  meter.countEmails(startMs, 1, 5);
  meter.countEmails(utcMonthStart(month + 20), 1, 5);
  meter.rebase(startMs + 1);
  t.same(meter.emails(month), { delivered: 2, included: 5 });
  t.equal(meter.emails(month + 20), undefined);
});
