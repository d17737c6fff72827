// Names one of the app's topics, or none. There are at most 200, which is one page.

import { useRead } from '../api/queries.ts';
import { useApp } from '../api/session-context.tsx';
import { SelectBox } from './choices.tsx';

export function useAppTopics() {
  const app = useApp();
  const query = { order: 'oldest', limit: 200 } as const;
  return useRead('listTopics', { path: { appId: app.id }, query });
}

/** Within a field. One that is not there any more stays in sight by its key. */
export function TopicBox({
  value,
  none,
  onChange,
}: {
  readonly value: string | undefined;
  /** What it says for no topic. */
  readonly none: string;
  readonly onChange: (key: string | undefined) => void;
}) {
  const topics = useAppTopics().data?.items ?? [];
  const isKnown = value === undefined || topics.some(({ key }) => key === value);
  return (
    <SelectBox
      value={value ?? ''}
      choices={[
        { value: '', label: none },
        ...topics.map(({ key, name }) => ({ value: key, label: name })),
        ...(isKnown ? [] : [{ value, label: value }]),
      ]}
      onChange={(key) => onChange(key === '' ? undefined : key)}
    />
  );
}

export function TopicName({ topic }: { readonly topic: string }) {
  return useAppTopics().data?.items.find(({ key }) => key === topic)?.name ?? topic;
}
