// A step that sends a message: a saved one or one of its own, on every channel or on some.

import { useRef } from 'react';
import type { Channel } from '../../api/generated.ts';
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
    return text.sentence(what) + on;
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
  const { id, type, channels } = step;
  // What the chosen message has set, and nobody changed since, goes with the message.
  const preset = useRef<readonly string[]>(undefined);
  const choose = (message: MessageChoice, written: readonly Channel[] | undefined) => {
    const isChosen = message.messageId !== undefined && message.messageId !== step.messageId;
    const isOwn = channels !== undefined && channels.join() !== preset.current?.join();
    const kept = isChosen && !isOwn ? written : channels;
    if (isChosen) preset.current = written;
    onChange({ id, type, ...message, ...(kept === undefined ? {} : { channels: kept }) });
  };
  return (
    <>
      <MessageField value={step} onChange={choose} errorOf={errorOf} />
      <ChannelsField
        value={channels}
        isPreset={channels !== undefined && channels.join() === preset.current?.join()}
        error={errorOf('channels')}
        onChange={(next) => {
          const { channels: _before, ...rest } = step;
          onChange(next === undefined ? rest : { ...rest, channels: next });
        }}
      />
    </>
  );
}
