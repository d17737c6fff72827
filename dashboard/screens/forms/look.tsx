// The page of a form as it will look, from what is typed. It is drawn and not framed: no site may
// frame the page itself.

import { useRead } from '../../api/queries.ts';
import { PageLook } from '../../preview/page-look.tsx';
import { useAppTopics } from '../../ui/topic-box.tsx';
import { words as common } from '../../words/en.ts';
import type { FieldDraft, FormDraft } from './draft.ts';
import { words } from './words.ts';

const plain = {
  productName: common.product,
  logoUrl: null,
  accentColor: null,
  hideServiceBranding: false,
} as const;

export function FormLook({
  draft: { name, topics, fields, consent },
  scheme,
}: {
  readonly draft: FormDraft;
  readonly scheme: 'light' | 'dark';
}) {
  const branding = useRead('readBranding', {}).data ?? plain;
  const known = useAppTopics().data?.items ?? [];
  const listed = known.filter(({ key }) => topics.includes(key));
  return (
    <PageLook branding={branding} scheme={scheme} caption={words.page}>
      <p className="page-look-title">{name || words.name}</p>
      <div className="page-look-form">
        {listed.length > 0 && (
          <ul>
            {listed.map((topic) => (
              <li key={topic.key}>{topic.name}</li>
            ))}
          </ul>
        )}
        <TextLine label={words.look.email} />
        {fields.map(({ label, type }, at) => (
          // biome-ignore lint/suspicious/noArrayIndexKey: two may have the same label while typed
          <Asked key={at} label={label || words.label} type={type} />
        ))}
        <Tick label={consent} />
        <span className="page-look-button">{words.look.signUp}</span>
      </div>
    </PageLook>
  );
}

function Asked({ label, type }: Pick<FieldDraft, 'label' | 'type'>) {
  return type === 'text' ? <TextLine label={label} /> : <Tick label={label} />;
}

function TextLine({ label }: { readonly label: string }) {
  return (
    <span className="page-look-field">
      {label}
      <i />
    </span>
  );
}

function Tick({ label }: { readonly label: string }) {
  return (
    <span className="page-look-check">
      <i />
      <span>{label}</span>
    </span>
  );
}
