// For whom previews are drawn: somebody of the app, or a made-up person with values of one's own.

import { useDeferredValue } from 'react';
import type { Fields, Subscriber } from '../api/generated.ts';
import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { Combobox } from '../ui/combobox.tsx';
import { Field } from '../ui/field.tsx';
import { TextInput } from '../ui/input.tsx';
import { sampleValue } from './sample-value.ts';
import type { PreviewQuestion } from './use-preview.ts';
import { words } from './words.ts';

export interface PreviewPerson {
  readonly kind: 'madeUp' | 'person';
  readonly externalUserId: string;
  /** Of the made-up one. */
  readonly values: Readonly<Record<string, string>>;
}

export const nobodyYet: PreviewPerson = { kind: 'madeUp', externalUserId: '', values: {} };

const shownMax = 12;

/** The part of a question that says for whom. */
export function personOf(
  { kind, externalUserId, values }: PreviewPerson,
  names: readonly string[],
  fields: Fields | undefined,
): Pick<PreviewQuestion, 'externalUserId' | 'person'> {
  if (kind === 'person') return externalUserId === '' ? {} : { externalUserId };
  // Without values every name would be told as unknown.
  if (fields === undefined || names.length === 0) return {};
  const isTag = (name: string) => !name.includes('.');
  const tags = names.filter(isTag).flatMap((name) => {
    const value = values[name] ?? usualValue(fields, name);
    return value === undefined || value === '' ? [] : [[name, typed(fields, name, value)] as const];
  });
  return { person: { tags: Object.fromEntries(tags) } };
}

/** What most people have; a sample where nobody has anything. */
function usualValue(fields: Fields | undefined, name: string): string | undefined {
  const top = fields?.tags.find(({ key }) => key === name)?.top[0]?.value;
  return top === undefined ? sampleValue(name) : String(top);
}

function typed(fields: Fields | undefined, name: string, value: string): string | number {
  const types = fields?.tags.find(({ key }) => key === name)?.types ?? [];
  const isNumber = types.length === 1 && types[0] === 'number' && Number.isFinite(Number(value));
  return isNumber ? Number(value) : value;
}

export function PersonChoice({
  person,
  onChange,
  names,
  fields,
}: {
  readonly person: PreviewPerson;
  readonly onChange: (person: PreviewPerson) => void;
  /** Those that the message uses. */
  readonly names: readonly string[];
  readonly fields: Fields | undefined;
}) {
  const { kind, values } = person;
  const shown = names.filter((name) => !name.includes('.')).slice(0, shownMax);
  return (
    <div className="preview-person">
      <PeopleBar person={person} onChange={onChange} />
      {kind === 'madeUp' && shown.length > 0 && (
        <div className="preview-values">
          {shown.map((name) => (
            <Field key={name} label={name}>
              <TextInput
                value={values[name] ?? usualValue(fields, name) ?? ''}
                onChange={(next) => onChange({ ...person, values: { ...values, [name]: next } })}
              />
            </Field>
          ))}
        </div>
      )}
    </div>
  );
}

const peopleShown = 3;

/** The made-up one, three of the app's own people, and the way to anybody else. */
function PeopleBar({
  person,
  onChange,
}: {
  readonly person: PreviewPerson;
  readonly onChange: (person: PreviewPerson) => void;
}) {
  const app = useApp();
  const { kind, externalUserId } = person;
  const some = useRead('searchSubscribers', {
    path: { appId: app.id },
    body: { limit: peopleShown * 4 },
  });
  const people = (some.data?.items ?? []).filter(isNamed).slice(0, peopleShown);
  const isShown = people.some((one) => one.externalUserId === externalUserId);
  const isOther = kind === 'person' && !isShown;
  const show = (id: string) => onChange({ ...person, kind: 'person', externalUserId: id });
  return (
    <>
      <div className="preview-channels" role="toolbar" aria-label={words.forWhom}>
        <Chip
          isOn={kind === 'madeUp'}
          label={words.madeUp}
          onClick={() => onChange({ ...person, kind: 'madeUp' })}
        />
        {people.map((one) => (
          <Chip
            key={one.externalUserId}
            isOn={kind === 'person' && one.externalUserId === externalUserId}
            label={firstTag(one) || one.externalUserId}
            title={one.externalUserId}
            onClick={() => show(one.externalUserId)}
          />
        ))}
        <Chip isOn={isOther} label={words.somebodyElse} onClick={() => isOther || show('')} />
      </div>
      {isOther && (
        <PreviewedPerson
          label={words.person}
          value={externalUserId}
          onChange={(next) => onChange({ ...person, externalUserId: next })}
        />
      )}
    </>
  );
}

function Chip({
  isOn,
  label,
  title,
  onClick,
}: {
  readonly isOn: boolean;
  readonly label: string;
  readonly title?: string;
  readonly onClick: () => void;
}) {
  return (
    <button
      type="button"
      className="preview-channel"
      aria-pressed={isOn}
      title={title}
      onClick={onClick}
    >
      <span className="ellipsis">{label}</span>
    </button>
  );
}

type Named = Subscriber & { readonly externalUserId: string };

function isNamed(one: Subscriber): one is Named {
  return one.externalUserId != null;
}

/** A person by external id, with those that the first letters find. */
export function PreviewedPerson({
  label,
  value,
  onChange,
}: {
  /** Where no field names it. */
  readonly label?: string;
  readonly value: string;
  readonly onChange: (externalUserId: string) => void;
}) {
  const app = useApp();
  const q = useDeferredValue(value);
  const found = useRead(
    'searchSubscribers',
    { path: { appId: app.id }, body: { limit: 12, ...(q === '' ? {} : { q }) } },
    { keepPrevious: true },
  );
  const people = (found.data?.items ?? []).filter(isNamed);
  return (
    <Combobox
      {...(label === undefined ? {} : { label })}
      value={value}
      onChange={onChange}
      isFiltered={false}
      placeholder={words.personPlaceholder}
      suggestions={people.map((one) => ({ value: one.externalUserId, hint: firstTag(one) }))}
    />
  );
}

function firstTag({ tags }: Subscriber): string {
  const name = tags['first_name'] ?? tags['name'] ?? tags['firstName'];
  return typeof name === 'string' ? name : '';
}
