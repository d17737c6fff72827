// Own words for those that Engage adds, by language.

import { useState } from 'react';
import { Button } from '../../ui/button.tsx';
import { Segmented } from '../../ui/choices.tsx';
import { Field } from '../../ui/field.tsx';
import { TextInput } from '../../ui/input.tsx';
import { Section } from '../../ui/section.tsx';
import type { PartProps } from './form.ts';
import { words } from './words.ts';

const text = words.wording;
const names = Object.keys(text.fields) as (keyof typeof text.fields)[];

export function Wording({ draft, change, errorOf }: PartProps) {
  const wording = draft.wording ?? {};
  const languages = Object.keys(wording);
  const [chosen, setChosen] = useState<string>();
  const language = chosen !== undefined && chosen in wording ? chosen : languages[0];
  const set = (next: Readonly<Record<string, Readonly<Record<string, string>>>>) =>
    change({ wording: Object.keys(next).length === 0 ? null : next });
  const setWord = (tag: string, name: string, word: string) => {
    const { [name]: _before, ...rest } = wording[tag] ?? {};
    set({ ...wording, [tag]: word === '' ? rest : { ...rest, [name]: word } });
  };
  const error = errorOf('wording');
  return (
    <Section id="wording" title={text.title} intro={text.intro}>
      {languages.length === 0 && <p className="soft">{text.none}</p>}
      {language !== undefined && (
        <>
          <Segmented
            label={text.language}
            choices={languages.map((tag) => ({ value: tag, label: tag }))}
            value={language}
            onChange={setChosen}
          />
          <p className="field-hint">{text.placeholders}</p>
          {names.map((name) => (
            <Field key={name} label={text.fields[name]} isOptional>
              <TextInput
                lang={language === 'default' ? undefined : language}
                value={wording[language]?.[name] ?? ''}
                onChange={(word) => setWord(language, name, word)}
              />
            </Field>
          ))}
          <div className="row">
            <Button
              kind="danger"
              onClick={() => {
                const { [language]: _gone, ...rest } = wording;
                set(rest);
              }}
            >
              {text.remove}
            </Button>
          </div>
        </>
      )}
      {error !== undefined && (
        <p className="field-error" role="alert">
          {error}
        </p>
      )}
      <AddLanguage
        onAdd={(tag) => {
          set({ ...wording, [tag]: wording[tag] ?? {} });
          setChosen(tag);
        }}
      />
    </Section>
  );
}

function AddLanguage({ onAdd }: { readonly onAdd: (tag: string) => void }) {
  const [tag, setTag] = useState('');
  const add = () => {
    if (tag.trim() === '') return;
    onAdd(tag.trim());
    setTag('');
  };
  return (
    <div className="row bottom">
      <Field label={text.language} hint={text.languageHint}>
        <TextInput
          spellCheck={false}
          placeholder={text.example}
          value={tag}
          onChange={setTag}
          onKeyDown={(event) => event.key === 'Enter' && add()}
        />
      </Field>
      <Button icon="plus" isDisabled={tag.trim() === ''} onClick={add}>
        {text.add}
      </Button>
    </div>
  );
}
