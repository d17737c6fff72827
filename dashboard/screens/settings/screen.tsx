// App settings: one form over all of them, saved together; only what changed is sent.

import { useEffect, useState } from 'react';
import type { App, AppSettings } from '../../api/generated.ts';
import { useRead } from '../../api/queries.ts';
import { TheirsKept } from '../../api/saves.ts';
import { useSecretAct } from '../../api/secret-act.ts';
import { useApp, useRefusal, useSession } from '../../api/session-context.tsx';
import { useDraft } from '../../kit/draft.ts';
import { changedMembers } from '../../kit/draft-state.ts';
import { SaveBar } from '../../kit/save-bar.tsx';
import { PriceFields } from '../../relays/price-fields.tsx';
import { Confirm } from '../../ui/dialog.tsx';
import { useFocusError } from '../../ui/field.tsx';
import { keptKey } from '../../ui/kept-store.ts';
import { Answer } from '../../ui/note.tsx';
import { ScreenHead } from '../../ui/screen.tsx';
import { Section } from '../../ui/section.tsx';
import { tellDone } from '../../ui/toast.tsx';
import { Caps } from './caps.tsx';
import { Sender, SignUps, Tracking, Unsubscribe } from './email.tsx';
import { bodiesOf, errorPath, type Form, formOf, type Versions, versionsOf } from './form.ts';
import { DeleteApp, General } from './general.tsx';
import { Guard, Undo } from './guard.tsx';
import { Identity } from './identity.tsx';
import { Keyless } from './keyless.tsx';
import { Keywords } from './keywords.tsx';
import { CampaignParameters } from './links.tsx';
import { QuietHours } from './quiet-hours.tsx';
import { isShorter, Retention } from './retention.tsx';
import { Webhook } from './webhook.tsx';
import { Wording } from './wording.tsx';
import { words } from './words.ts';

export default function Settings() {
  const { id } = useApp();
  const path = { appId: id };
  const app = useRead('readApp', { path });
  const settings = useRead('readSettings', { path });
  return (
    <>
      <ScreenHead title={words.title} />
      <div className="screen-body">
        <Answer result={app} rows={10}>
          {(one) => (
            <Answer result={settings} rows={10}>
              {(all) => <SettingsForm key={id} saved={versionsOf(one, all)} />}
            </Answer>
          )}
        </Answer>
      </div>
    </>
  );
}

function SettingsForm({ saved }: { readonly saved: Versions }) {
  const { app, settings } = saved;
  const refused = useRefusal('write');
  const tools = useSavedForm(saved, refused);
  const { draft, change, error, save } = tools;
  const [isAsking, setAsking] = useState(false);
  useHash();
  useFocusError(error);
  const part = { draft, change, errorOf: (name: keyof Form) => error?.of(errorPath(name)) };
  const days = draft.eventsRetentionDays;
  const isDangerous = isShorter(settings.eventsRetentionDays, days);
  return (
    <>
      <Jump />
      <General {...part} app={app} />
      <Caps {...part} />
      <QuietHours {...part} />
      <Undo {...part} />
      <Guard
        {...part}
        defaults={settings.campaignGuardDefaults}
        guardErrorOf={(name) => error?.of(`campaignGuard.${name}`)}
      />
      <Sender {...part} platform={settings.email.platformAddress} />
      <Unsubscribe {...part} />
      <Tracking {...part} />
      <CampaignParameters {...part} utmErrorOf={(member) => error?.of(`utm.${member}`)} />
      <Section id="text-prices" title={words.prices.title} intro={words.prices.intro}>
        <PriceFields
          draft={draft.textPrices}
          set={(prices) => change({ textPrices: { ...draft.textPrices, ...prices } })}
          errorOf={(member) =>
            error?.of(member === undefined ? 'textPrices' : `textPrices.${member}`)
          }
        />
      </Section>
      <SignUps {...part} />
      <Keywords {...part} />
      <Wording {...part} />
      <Retention {...part} deletesBefore={settings.deletesBefore} />
      <Identity {...part} />
      <Keyless {...part} />
      <Webhook {...part} isSecretSet={settings.secretSet} />
      <DeleteApp app={app} />
      <SaveBar
        tools={tools}
        refused={refused}
        error={error}
        onSave={() => (isDangerous ? setAsking(true) : void save())}
      />
      <Confirm
        isOpen={isAsking}
        title={words.retention.shorterTitle}
        action={words.retention.shorterAct}
        typed={app.name}
        onClose={() => setAsking(false)}
        onConfirm={() => {
          setAsking(false);
          void save();
        }}
      >
        {words.retention.shorter(days ?? 0)}
      </Confirm>
    </>
  );
}

const secrets = ['secret'] as const;

/** The app and its settings are two calls; the draft goes only when both are saved. */
function useSavedForm(saved: Versions, refused: string | undefined) {
  const { reload } = useSession();
  const appAct = useSecretAct('updateApp');
  const settingsAct = useSecretAct('updateSettings');
  const path = { appId: saved.app.id };
  return useDraft<Form, Versions>({
    saved,
    start: formOf(saved),
    draftOf: formOf,
    keptAs: (one) => keptKey('settings', (one ?? saved).app.id, 'form'),
    restore: (kept) => ({ ...formOf(saved), ...kept }),
    secrets,
    isForm: true,
    refused,
    send: async (draft, _now, version) => {
      let { app, settings } = version as Versions;
      const bodies = bodiesOf(changedMembers(formOf(version as Versions), draft));
      if (bodies.app !== undefined) {
        const sent = appAct.send({ path, body: bodies.app, base: app });
        // Whoever keeps the other name or zone still saves the settings.
        app = await orTheirs<App>(sent, (theirs) => theirs);
        void reload();
      }
      if (bodies.settings !== undefined) {
        const sent = settingsAct.send({ path, body: bodies.settings, base: settings });
        settings = await orTheirs<AppSettings>(sent, (theirs) => {
          throw new TheirsKept({ ...versionsOf(app, theirs) });
        });
      }
      return versionsOf(app, settings);
    },
    onSaved: () => tellDone(words.saved),
  });
}

async function orTheirs<Answer>(
  saving: Promise<Answer>,
  then: (theirs: Answer) => Answer,
): Promise<Answer> {
  try {
    return await saving;
  } catch (failure) {
    if (!(failure instanceof TheirsKept) || failure.theirs === undefined) throw failure;
    return then(failure.theirs as Answer);
  }
}

const parts = [
  ['general', words.general.title],
  ['caps', words.caps.title],
  ['quiet-hours', words.quiet.title],
  ['undo', words.undo.title],
  ['guard', words.guard.title],
  ['sender', words.sender.title],
  ['unsubscribe', words.unsubscribe.title],
  ['tracking', words.tracking.title],
  ['utm', words.utm.title],
  ['text-prices', words.prices.title],
  ['sign-ups', words.signUps.title],
  ['keywords', words.keywords.title],
  ['wording', words.wording.title],
  ['retention', words.retention.title],
  ['identity', words.identity.title],
  ['keyless', words.keyless.title],
  ['webhook', words.webhook.title],
  ['delete', words.remove.title],
] as const;

function Jump() {
  return (
    <nav className="jump" aria-label={words.jump}>
      {parts.map(([id, title]) => (
        <a key={id} href={`#${id}`} className="chip">
          {title}
        </a>
      ))}
    </nav>
  );
}

/** The part that the address names was not there yet when the browser looked for it. */
function useHash(): void {
  useEffect(() => {
    document.getElementById(location.hash.slice(1))?.scrollIntoView();
  }, []);
}
