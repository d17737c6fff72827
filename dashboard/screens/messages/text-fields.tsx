// What each language has of its own: title, text, picture, link and buttons.

import type { ReactNode } from 'react';
import { PictureChoice } from '../../editor/blocks/picture-choice.tsx';
import { CodeEditor } from '../../editor/code-editor.tsx';
import { smsParts } from '../../preview/measure.ts';
import { count } from '../../ui/figure.tsx';
import { isHtml } from '../../ui/written-for.ts';
import { ButtonsEditor } from './buttons-editor.tsx';
import type { TextDraft } from './draft.ts';
import type { FieldFacts, Issue } from './field-facts.ts';
import { words } from './words.ts';

const none: readonly Issue[] = [];
/** Of the API, in characters. */
const plainMax = 16_384;
const htmlMax = 262_144;

interface TextFieldsProps {
  readonly text: TextDraft;
  readonly onChange: (text: TextDraft) => void;
  readonly facts: FieldFacts;
  /** `localizations.de.` for a language. */
  readonly prefix: string;
  /** Shown gray where a language has nothing of its own. */
  readonly inherited?: TextDraft | undefined;
  readonly asHtml: boolean;
  /** Instead of the text, where a mail is made of blocks. */
  readonly body?: ReactNode;
}

export function TextFields(props: TextFieldsProps) {
  const { text, onChange, facts, prefix, inherited, asHtml } = props;
  const { issues, error, names, isReadOnly } = facts;
  const field = (member: 'title' | 'body' | 'image' | 'deepLink') => ({
    value: text[member],
    onChange: (value: string) => onChange({ ...text, [member]: value }),
    issues: issues.get(`${prefix}${member}`) ?? none,
    error: error?.of(`${prefix}${member}`),
    names,
    isReadOnly,
    placeholder: inherited?.[member] ?? '',
  });
  const body = field('body');
  const isMarkup = isHtml(text.body);
  return (
    <div className="stack">
      <CodeEditor label={words.subject} isOneLine {...field('title')} hint={words.subjectHint} />
      {props.body ?? (
        <CodeEditor
          key={asHtml ? 'html' : 'text'}
          label={words.body}
          isTall={asHtml}
          {...body}
          placeholder={body.placeholder || words.bodyPlaceholder}
          hint={<BodyHint text={text.body} isMarkup={isMarkup} />}
        />
      )}
      <div className="message-pair">
        <div className="stack-tight">
          <CodeEditor label={words.image} isOneLine {...field('image')} hint={words.imageHint} />
          {!isReadOnly && <PictureChoice onChoose={(image) => onChange({ ...text, image })} />}
        </div>
        <CodeEditor label={words.link} isOneLine {...field('deepLink')} hint={words.linkHint} />
      </div>
      <ButtonsEditor
        buttons={text.buttons}
        onChange={(buttons) => onChange({ ...text, buttons })}
        facts={facts}
        prefix={`${prefix}buttons`}
      />
    </div>
  );
}

function BodyHint({ text, isMarkup }: { readonly text: string; readonly isMarkup: boolean }) {
  const length = words.bodyHint(count(text.length), count(isMarkup ? htmlMax : plainMax));
  if (text === '') return undefined;
  const { parts, alphabet } = smsParts(text);
  return (
    <span className="message-count">
      <span>{length}</span>
      {!isMarkup && <span>{words.sms(parts, alphabet)}</span>}
    </span>
  );
}
