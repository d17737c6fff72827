import { readFileSync } from 'node:fs';
import t from 'tap';
import { words } from '../../dashboard/screens/home/words.ts';
import { fileAt } from '../support/places.ts';

t.test('the README lists the steps that Home shows', (t) => {
  const readme = readFileSync(fileAt('README.md'), 'utf8');
  const [, list = ''] = /Home has a checklist[^\n]*\n\n([\s\S]*?)\n\n/.exec(readme) ?? [];
  const named = [...list.matchAll(/^\d\. \*\*(.+?)\.\*\*/gm)].map(([, title]) => title);
  t.same(
    named,
    Object.values(words.steps).map(({ title }) => title),
  );
  t.end();
});
