// A list as a screen: its head with what makes a new one, the filters, the table and its states.

import { type ReactNode, useContext } from 'react';
import { useLocation } from 'wouter';
import type { ArgumentsOf, OperationName } from '../api/client.ts';
import { useFetchAhead } from '../api/queries.ts';
import { AppContext, type Scope, useRefusal } from '../api/session-context.tsx';
import { appPath, useQueryParam } from '../ui/address.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import type { IconName } from '../ui/icon-paths.ts';
import { useShortcuts } from '../ui/keys.ts';
import { Empty } from '../ui/note.tsx';
import { useCursorRows } from '../ui/rows.ts';
import { ScreenHead } from '../ui/screen.tsx';
import { type Column, type Selection, Table } from '../ui/table.tsx';
import type { PluralForms } from '../words/plural.ts';
import type { AppPlace } from './action.ts';
import { SearchParam } from './params.tsx';

interface ListProps<Row> {
  /** Its name for screen readers. */
  readonly label: string;
  readonly counted: PluralForms;
  /** As `useList` gives it. */
  readonly list: Parameters<typeof useCursorRows<Row>>[0];
  readonly columns: readonly Column<Row>[];
  /** Within the app, or a whole path. */
  readonly to?: (row: Row) => AppPlace | string;
  /** The operation that reads one, called ahead. */
  readonly reads?: OneName;
  /** What the search box says. */
  readonly search?: string;
  /** In place of the search box alone. */
  readonly bar?: ReactNode;
  /** Of several filters, which share a phone's lines. */
  readonly barKind?: 'filters';
  /** The tab that narrows the list. */
  readonly tab?: { readonly id: string; readonly name: string };
  readonly selection?: Selection;
  readonly selectionActions?: ReactNode;
  readonly foot?: ReactNode;
  /** What stands there when nothing matches the search. */
  readonly noneFound?: { readonly title: string; readonly children?: ReactNode };
  readonly empty: {
    readonly icon: IconName;
    readonly title: string;
    readonly text?: ReactNode;
    readonly action?: ReactNode;
    /** The same as a command: a whole one, or what is posted to which path of the app. */
    readonly curl?: string | Post;
  };
}

interface Post {
  readonly path: string;
  readonly body: string;
  /** For a long one. */
  readonly lines?: 3;
}

/** Operations that read one thing of an app by its id. */
type OneName = {
  [Name in OperationName]: {
    readonly path: { readonly appId: string; readonly id: string };
  } extends ArgumentsOf<Name>
    ? Name
    : never;
}[OperationName];

export function ListScreen<Row extends { readonly id: string }>({
  actions,
  head,
  ...props
}: ListProps<Row> & {
  readonly actions?: ReactNode;
  /** Between the head and the filters. */
  readonly head?: ReactNode;
}) {
  return (
    <>
      <ScreenHead title={props.label} actions={actions} />
      {head}
      <ListPane {...props} />
    </>
  );
}

/** The list without a head: a tab of a screen. */
export function ListPane<Row extends { readonly id: string }>({
  list,
  to,
  reads,
  search,
  bar = search !== undefined && <SearchParam label={search} />,
  barKind,
  tab,
  noneFound,
  empty,
  ...table
}: ListProps<Row>) {
  const appId = useContext(AppContext)?.id ?? 'org';
  const [q] = useQueryParam('q');
  const ahead = useFetchAhead();
  const rows = useCursorRows<Row>(list);
  const { text, curl, ...nothing } = empty;
  const command = typeof curl === 'object' ? curlOf(appId, curl) : curl;
  return (
    <>
      {bar !== false && <div className={classNames('screen-bar', barKind)}>{bar}</div>}
      <div className="screen-fill" {...(tab && panelOf(tab))}>
        <Table
          {...table}
          key={`${tab?.id} ${q}`}
          rows={rows}
          keyOf={({ id }) => id}
          {...(to && { to: (row: Row) => pathOf(appId, to(row)) })}
          {...(reads && { onNear: ({ id }: Row) => ahead(reads, { path: { appId, id } }) })}
          empty={
            q === undefined || noneFound === undefined ? (
              <Empty {...nothing} {...(command && { curl: command })}>
                {text}
              </Empty>
            ) : (
              <Empty icon="search" {...noneFound} />
            )
          }
        />
      </div>
    </>
  );
}

function pathOf(appId: string, place: AppPlace | string): string {
  return typeof place === 'string' ? place : appPath(appId, ...place);
}

/** The same as a command. */
export function curlOf(appId: string, { path, body, lines }: Post): string {
  return [
    `curl -X POST ${location.origin}/v1/apps/${appId}/${path}`,
    '-H "authorization: Bearer $ENGAGE_KEY" -H "content-type: application/json"',
    `-d '${body}'`,
  ].join(lines === 3 ? ' \\\n  ' : ' ');
}

function panelOf({ id, name }: { readonly id: string; readonly name: string }) {
  return { id: `${name}-panel`, role: 'tabpanel', 'aria-labelledby': `${name}-${id}` };
}

/** Leads to where a new one is made, unless the role lacks it; the key is `c`. */
export function CreateLink({
  label,
  to,
  needs = 'write',
}: {
  readonly label: string;
  readonly to: AppPlace;
  readonly needs?: Scope;
}) {
  const [, go] = useLocation();
  const appId = useContext(AppContext)?.id ?? 'org';
  const refused = useRefusal(needs);
  const target = appPath(appId, ...to);
  useShortcuts([{ keys: 'c', label, run: () => refused ?? go(target) }]);
  return refused === undefined ? (
    <ButtonLink kind="primary" icon="plus" to={target}>
      {label}
    </ButtonLink>
  ) : (
    <Button kind="primary" icon="plus" refused={refused}>
      {label}
    </Button>
  );
}
