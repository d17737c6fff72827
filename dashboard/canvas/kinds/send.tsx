// A step that sends a message: a saved one or one of its own, on every channel or on some.

import { useRef } from 'react';
import type { Channel } from '../../api/generated.ts';
import { Segmented } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TopicBox, useAppTopics } from '../../ui/topic-box.tsx';
import { channelName } from '../../words/channels.ts';
import { ChannelsField } from '../channels-field.tsx';
import type { FormProps, MessageNames, StepKind } from '../kind.ts';
import { type MessageChoice, MessageField } from '../message-field.tsx';
import type { SendStep } from '../model.ts';
import { words } from '../words.ts';

const text = words.send;

export const sendStep: StepKind<SendStep> = {
  id: 'send',
  label: text.label,
  text: text.text,
  icon: 'send',
  name: text.name,
  owns: (step): step is SendStep => step.type === 'send',
  blank: (id) => ({ id, type: 'send' }),
  isComplete: ({ messageId, message }) =>
    (messageId ?? '') !== '' || (message !== undefined && Object.keys(message).length > 0),
  sentence: (step, names) => {
    const what = messageName(step, names);
    if (what === undefined) return text.unset;
    const channels = step.channels ?? [];
    const on = channels.length === 0 ? '' : text.on(channels.map(channelName).join(', '));
    const about = step.topic === undefined ? '' : text.about(step.topic);
    const as = step.stream === 'transactional' ? text.asTransactional : '';
    return text.sentence(what) + on + about + as;
  },
  Form,
};

/** As it is read: without tags, and a tag of the person by its name. */
function plain(source: string): string {
  return source
    .replace(/<[^>]*>/g, ' ')
    .replace(/\{\{-?\s*([\w.]+)[^}]*\}\}/g, '{$1}')
    .replace(/\s+/g, ' ')
    .trim();
}

function messageName(step: SendStep, names: MessageNames): string | undefined {
  const { messageId, message } = step;
  if (messageId !== undefined && messageId !== '') return names.get(messageId) ?? messageId;
  if (message === undefined) return undefined;
  const told = [message['title'], message['body']].find(
    (one) => typeof one === 'string' && one.trim() !== '',
  );
  return told === undefined ? text.untitled : plain(String(told));
}

function Form({ step, onChange, errorOf }: FormProps<SendStep>) {
  const { messageId: _saved, message: _own, channels: _channels, ...rest } = step;
  const { channels } = step;
  // What the chosen message has set, and nobody changed since, goes with the message.
  const preset = useRef<readonly string[]>(undefined);
  const choose = (message: MessageChoice, written: readonly Channel[] | undefined) => {
    const isChosen = message.messageId !== undefined && message.messageId !== step.messageId;
    const isOwn = channels !== undefined && channels.join() !== preset.current?.join();
    const kept = isChosen && !isOwn ? written : channels;
    if (isChosen) preset.current = written;
    onChange({ ...rest, ...message, ...(kept === undefined ? {} : { channels: kept }) });
  };
  return (
    <>
      <MessageField value={step} onChange={choose} errorOf={errorOf} />
      <ChannelsField
        value={channels}
        isPreset={channels !== undefined && channels.join() === preset.current?.join()}
        error={errorOf('channels')}
        onChange={(next) => {
          const { channels: _before, ...others } = step;
          onChange(next === undefined ? others : { ...others, channels: next });
        }}
      />
      <TopicField
        value={step.topic}
        error={errorOf('topic')}
        onChange={(topic) => {
          const { topic: _before, ...others } = step;
          onChange(topic === undefined ? others : { ...others, topic });
        }}
      />
      <StreamField step={step} error={errorOf('stream')} onChange={onChange} />
    </>
  );
}

/** Nothing, where the step sends no email. */
function StreamField({
  step,
  error,
  onChange,
}: Pick<FormProps<SendStep>, 'step' | 'onChange'> & { readonly error: string | undefined }) {
  const hasEmail = step.channels === undefined || step.channels.includes('email');
  if (!hasEmail && step.stream === undefined && error === undefined) return null;
  return (
    <Field label={text.stream} hint={text.streamHint} error={error}>
      <Segmented
        label={text.stream}
        value={step.stream ?? 'marketing'}
        choices={streams.map((id) => ({ value: id, label: text.streams[id] }))}
        onChange={(next) => {
          const { stream: _before, ...others } = step;
          onChange(next === 'marketing' ? others : { ...others, stream: next });
        }}
      />
    </Field>
  );
}

const streams = ['marketing', 'transactional'] as const;

/** Nothing, while the app has no topics. */
function TopicField({
  value,
  error,
  onChange,
}: {
  readonly value: string | undefined;
  readonly error: string | undefined;
  readonly onChange: (topic: string | undefined) => void;
}) {
  const topics = useAppTopics().data?.items ?? [];
  if (topics.length === 0 && value === undefined && error === undefined) return null;
  return (
    <Field label={text.topic} hint={text.topicHint} error={error}>
      <TopicBox value={value} none={text.noTopic} onChange={onChange} />
    </Field>
  );
}
