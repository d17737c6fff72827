// One of many things that have an id and a name, found by typing a part of the name. The server
// filters.

import { Combobox as Base } from '@base-ui/react/combobox';
import { useFieldProps } from './field.tsx';

interface Pick {
  readonly id: string;
  readonly label: string;
  /** At the end of its row. */
  readonly hint?: string;
}

export function Picker({
  label,
  value,
  items,
  empty,
  onSearch,
  onChange,
}: {
  /** Also its placeholder. */
  readonly label: string;
  readonly value: Pick | undefined;
  readonly items: readonly Pick[];
  /** Said when nothing is found. */
  readonly empty: string;
  readonly onSearch: (text: string) => void;
  readonly onChange: (id: string | undefined) => void;
}) {
  const field = useFieldProps();
  return (
    <Base.Root
      items={items as Pick[]}
      filter={null}
      value={value ?? null}
      itemToStringLabel={(item: Pick) => item.label}
      isItemEqualToValue={(one: Pick, other: Pick) => one.id === other.id}
      onInputValueChange={(text, { reason }) => onSearch(reason === 'input-change' ? text : '')}
      onValueChange={(next) => onChange((next as Pick | null)?.id)}
    >
      <Base.Input
        {...field}
        aria-label={'id' in field ? undefined : label}
        className="input"
        placeholder={label}
        spellCheck={false}
      />
      <Base.Portal>
        <Base.Positioner className="popup-layer" sideOffset={4}>
          <Base.Popup className="popup">
            <Base.Empty className="popup-empty">{empty}</Base.Empty>
            <Base.List>
              {(item: Pick) => (
                <Base.Item key={item.id} value={item} className="popup-item">
                  <span className="ellipsis">{item.label}</span>
                  {item.hint !== undefined && <span className="end">{item.hint}</span>}
                </Base.Item>
              )}
            </Base.List>
          </Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  );
}
