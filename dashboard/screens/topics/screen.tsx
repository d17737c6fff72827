// Topics: the table, and one topic.

import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { Answer } from '../../ui/note.tsx';
import { isNewThing } from '../../ui/thing-key.ts';
import type { ScreenProps } from '../screen-props.ts';
import { TopicEditor } from './editor.tsx';
import { TopicList } from './list.tsx';

export default function Topics({ rest }: ScreenProps) {
  const [key] = rest;
  if (key === undefined) return <TopicList />;
  if (isNewThing(rest)) return <TopicEditor key=" new" saved={undefined} />;
  return <SavedTopic key={key} topicKey={key} />;
}

function SavedTopic({ topicKey }: { readonly topicKey: string }) {
  const app = useApp();
  const read = useRead('readTopic', { path: { appId: app.id, key: topicKey } });
  return <Answer result={read}>{(topic) => <TopicEditor saved={topic} />}</Answer>;
}
