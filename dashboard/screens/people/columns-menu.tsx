// Which tags are columns. The choice stands in the address and is kept for the next visit.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { useQueryParam } from '../../ui/address.ts';
import { shortCount } from '../../ui/figure.tsx';
import { Icon } from '../../ui/icon.tsx';
import { Menu } from '../../ui/menu.tsx';
import { words } from './words.ts';

const columnsMax = 6;
const noneChosen = '-';

export function useTagColumns(
  app: string,
): readonly [readonly string[], (tags: readonly string[]) => void] {
  const [text, setText] = useQueryParam('tags');
  const storeKey = `engage.people.tags.${app}`;
  const chosen = text ?? localStorage.getItem(storeKey) ?? '';
  const tags = chosen === noneChosen ? [] : chosen.split(',').filter((tag) => tag !== '');
  return [
    tags.slice(0, columnsMax).map(decodeURIComponent),
    (next) => {
      const kept = next.length === 0 ? noneChosen : next.map(encodeURIComponent).join(',');
      localStorage.setItem(storeKey, kept);
      setText(kept);
    },
  ];
}

export function ColumnsMenu({
  tags,
  onChange,
}: {
  readonly tags: readonly string[];
  readonly onChange: (tags: readonly string[]) => void;
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } });
  const known = fields.data?.tags ?? [];
  const others = tags.filter((tag) => !known.some(({ key }) => key === tag));
  const all = [...others.map((key) => ({ key, people: 0 })), ...known];
  return (
    <Menu
      trigger={
        <button type="button" className="button">
          <Icon name="menu" />
          {words.columns}
        </button>
      }
      items={[
        { heading: all.length === 0 ? words.columnsNone : words.columnsTitle },
        ...all.map(({ key, people }) => {
          const isChecked = tags.includes(key);
          return {
            label: key,
            hint: shortCount(people),
            isChecked,
            refused: !isChecked && tags.length >= columnsMax ? words.columnsFull : undefined,
            onChoose: () =>
              onChange(isChecked ? tags.filter((one) => one !== key) : [...tags, key]),
          };
        }),
      ]}
    />
  );
}
