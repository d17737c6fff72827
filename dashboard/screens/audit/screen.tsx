// The audit log: filters in the address, and one entry's values before and after.

import type { ArgumentsOf } from '../../api/client.ts';
import type { App, AuditNote } from '../../api/generated.ts';
import { useList } from '../../api/queries.ts';
import { useSession } from '../../api/session-context.tsx';
import { ListScreen } from '../../kit/list-screen.tsx';
import { FilterParam, given, SearchParam } from '../../kit/params.tsx';
import { useQueryParam } from '../../ui/address.ts';
import type { Choice } from '../../ui/choices.tsx';
import { TextInput } from '../../ui/input.tsx';
import type { Column } from '../../ui/table.tsx';
import { Time } from '../../ui/time.tsx';
import { counted } from '../../words/counted.ts';
import { actions, actionWords } from './actions.ts';
import { differencesOf } from './diff.ts';
import { Entry } from './entry.tsx';
import { TargetCell } from './target.tsx';
import { appOf, whoOf } from './who.ts';
import { words } from './words.ts';

type Filter = ArgumentsOf<'listAuditLog'>['query'];

export default function Audit() {
  const { session } = useSession();
  const [appId] = useQueryParam('app');
  const [action, setAction] = useQueryParam('action');
  const [actor, setActor] = useQueryParam('actor');
  const [target] = useQueryParam('target');
  const [from] = useQueryParam('from');
  const [to] = useQueryParam('to');
  const [entry, setEntry] = useQueryParam('entry');
  const filter = {
    ...given({ appId, action, actor, target }),
    ...instantOf('from', from, 0),
    ...instantOf('to', to, 1),
  } as Filter;
  const list = useList('listAuditLog', { query: filter });
  const open = list.items?.find(({ id }) => id === entry);
  return (
    <>
      <ListScreen
        label={words.title}
        barKind="filters"
        bar={<Filters actors={actorsOf(list.items ?? [], actor)} />}
        list={list}
        counted={counted.changes}
        columns={columnsOf(session.apps, ({ id }) => setEntry(id))}
        empty={{
          icon: 'audit',
          title: words.empty,
          text: Object.keys(filter).length > 0 && words.emptyFilter,
        }}
        foot={words.intro}
      />
      {open !== undefined && (
        <Entry
          one={open}
          apps={session.apps}
          onClose={() => setEntry(undefined)}
          onKind={() => {
            setAction(open.action);
            setEntry(undefined);
          }}
          onActor={() => {
            setActor(open.actor);
            setEntry(undefined);
          }}
        />
      )}
    </>
  );
}

function Filters({ actors }: { readonly actors: readonly Choice[] }) {
  const { apps } = useSession().session;
  return (
    <>
      <FilterParam
        name="app"
        label={words.filter.app}
        none={words.any.app}
        choices={apps.map(({ id, name }) => ({ value: id, label: name }))}
      />
      <FilterParam
        name="action"
        label={words.filter.action}
        none={words.any.action}
        choices={actions.map((value) => ({ value, label: actionWords(value) }))}
      />
      <FilterParam
        name="actor"
        label={words.filter.actor}
        none={words.any.actor}
        choices={actors}
      />
      <DayParam name="from" label={words.filter.from} />
      <DayParam name="to" label={words.filter.to} />
      <SearchParam name="target" label={words.search} />
    </>
  );
}

function columnsOf(
  apps: readonly Pick<App, 'id'>[],
  onOpen: (one: AuditNote) => void,
): readonly Column<AuditNote>[] {
  return [
    {
      id: 'what',
      head: words.what,
      width: '180px',
      narrow: 'title',
      cell: (one) => (
        <button type="button" className="cell-button" onClick={() => onOpen(one)}>
          {actionWords(one.action)}
        </button>
      ),
    },
    { id: 'who', head: words.who, width: '180px', narrow: 'side-sub', cell: whoOf },
    {
      id: 'target',
      head: words.target,
      width: '200px',
      narrow: 'sub',
      cell: (one) => <TargetCell one={one} apps={apps} />,
    },
    {
      id: 'change',
      head: words.change,
      cell: (one) => <span className="soft">{summaryOf(one)}</span>,
    },
    { id: 'app', head: words.app, width: '140px', cell: appOf },
    {
      id: 'at',
      head: words.at,
      width: '120px',
      narrow: 'side',
      cell: (one) => <Time at={one.at} />,
    },
  ];
}

/** The first members that changed, on one line; a name only where it is another than before. */
function summaryOf({ before, after }: AuditNote): string {
  return differencesOf(before, after)
    .filter((one) => one.path !== 'name' || (one.before !== undefined && one.after !== undefined))
    .slice(0, 3)
    .map(
      (one) =>
        `${one.path}: ${[one.before, one.after].filter((text) => text !== undefined).join(' → ')}`,
    )
    .join(' · ');
}

/** Everybody in the entries that are here, and whoever the address names. */
function actorsOf(notes: readonly AuditNote[], chosen: string | undefined) {
  const names = new Map(notes.map((note) => [note.actor, whoOf(note)]));
  names.set('operator', words.operator);
  names.set('system', words.system);
  if (chosen !== undefined && !names.has(chosen)) names.set(chosen, chosen);
  return [...names].map(([value, label]) => ({ value, label }));
}

function DayParam({ name, label }: { readonly name: string; readonly label: string }) {
  const [value, set] = useQueryParam(name);
  return (
    <div className="day-filter">
      <span className="soft" aria-hidden="true">
        {label}
      </span>
      <TextInput aria-label={label} type="date" value={value ?? ''} onChange={set} />
    </div>
  );
}

/** The start of a local day, or of the day after it. */
function instantOf(name: 'from' | 'to', day: string | undefined, after: number) {
  const parts = /^(\d{4})-(\d\d)-(\d\d)$/.exec(day ?? '');
  if (parts === null) return {};
  const [, year, month, date] = parts.map(Number);
  const start = new Date(year ?? 0, (month ?? 1) - 1, (date ?? 1) + after);
  return { [name]: start.toISOString() };
}
