// What a campaign sends, on each of its channels, for a person of one's choice.

import { useState } from 'react';
import type { Campaign } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { useApp } from '../../api/session-context.tsx';
import { nobodyYet, PersonChoice, type PreviewPerson, personOf } from '../../preview/person.tsx';
import { Previews } from '../../preview/previews.tsx';
import { useCampaignPreview } from '../../preview/use-preview.ts';
import { useQueryParam } from '../../ui/address.ts';
import { SelectBox } from '../../ui/choices.tsx';
import { words } from './words.ts';

const text = words.message;

export function CampaignMessage({
  campaign,
  occurrences = [],
}: {
  readonly campaign: Campaign;
  /** Those whose copies may be looked at. */
  readonly occurrences?: readonly number[];
}) {
  const app = useApp();
  const fields = useRead('listFields', { path: { appId: app.id } }).data;
  const [person, setPerson] = useState<PreviewPerson>(nobodyYet);
  const [used, setUsed] = useState<readonly string[]>([]);
  const [language, setLanguage] = useState<string>();
  const [variant, setVariant] = useQueryParam('variant');
  const [occurrence, setOccurrence] = useQueryParam('occurrence');
  const variants = (campaign.variants ?? []).map(({ id }) => ({ value: id, label: id }));
  const shown = variants.find(({ value }) => value === variant)?.value;
  const preview = useCampaignPreview(app.id, campaign, {
    ...personOf(person, used, fields),
    ...(language === undefined ? {} : { language }),
    ...(shown === undefined ? {} : { variant: shown }),
    ...(occurrences.includes(Number(occurrence)) ? { occurrence: Number(occurrence) } : {}),
  });
  const { answer } = preview;
  if (answer !== undefined && answer.usesVariables.join() !== used.join())
    setUsed(answer.usesVariables);
  return (
    <div className="stack campaign-message">
      <div className="row">
        {answer !== undefined && (
          <p className="soft grow">{answer.isCopy ? text.isCopy : text.isMessage}</p>
        )}
        {variants.length > 0 && (
          <SelectBox
            isAuto
            label={words.page.variant}
            value={shown ?? variants[0]?.value ?? ''}
            choices={variants}
            onChange={setVariant}
          />
        )}
        {occurrences.length > 1 && (
          <SelectBox
            isAuto
            label={words.page.occurrence}
            value={occurrence ?? ''}
            choices={[
              { value: '', label: words.people.newest },
              ...occurrences.map((number) => ({
                value: String(number),
                label: words.page.number(number),
              })),
            ]}
            onChange={(next) => setOccurrence(next === '' ? undefined : next)}
          />
        )}
      </div>
      <Previews
        preview={preview}
        isWritten
        languages={answer?.languages ?? []}
        language={language}
        onLanguage={setLanguage}
        person={<PersonChoice person={person} onChange={setPerson} names={used} fields={fields} />}
      />
    </div>
  );
}
