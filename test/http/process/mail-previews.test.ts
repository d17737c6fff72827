import t from 'tap';
import type { Millis, Ordinal } from '../../../engine/base/brand.ts';
import { seededRng } from '../../../engine/base/rng.ts';
import { MailPreviews } from '../../../http/process/mail-previews.ts';

const at = (ms: number) => ms as Millis;
const app = (ordinal: number) => ordinal as Ordinal;
const mailPreviewMs = 300_000;
const mail = 'x'.repeat(524_288);

t.test('a preview is there for five minutes', async (t) => {
  const kept = new MailPreviews();
  const token = kept.keep(app(1), 'hello', at(0), seededRng(1));
  t.equal(kept.read(token, at(mailPreviewMs - 1)), 'hello');
  t.equal(kept.read(token, at(mailPreviewMs)), undefined);
  t.equal(kept.read('other', at(0)), undefined);
});

t.test('an org that previews without end loses its own previews, and no others', async (t) => {
  const kept = new MailPreviews();
  const rng = seededRng(1);
  const others = kept.keep(app(2), 'hello', at(0), rng);
  const tokens = Array.from({ length: 100 }, (_, i) =>
    kept.keep(app(1 + 4_096 * (i % 10)), mail, at(0), rng),
  );
  t.equal(kept.read(others, at(1)), 'hello');
  t.equal(tokens.filter((token) => kept.read(token, at(1)) !== undefined).length, 8);
  t.equal(kept.read(tokens.at(-1) ?? '', at(1)), mail);
});

t.test(
  'many orgs together keep a bounded amount, at the cost of those with the most',
  async (t) => {
    const kept = new MailPreviews();
    const rng = seededRng(1);
    const small = kept.keep(app(4_000), 'hello', at(0), rng);
    const tokens = Array.from({ length: 200 }, (_, i) =>
      kept.keep(app((i % 20) + 1), mail, at(0), rng),
    );
    t.equal(tokens.filter((token) => kept.read(token, at(1)) !== undefined).length, 63);
    t.equal(kept.read(small, at(1)), 'hello');
  },
);
