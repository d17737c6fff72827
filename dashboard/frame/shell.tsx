// The frame around every screen: bands, rail or bottom bar, top bar, and the screen itself.

import { Component, type ReactNode, useEffect, useState } from 'react';
import { Redirect, useLocation } from 'wouter';
import { AppContext, useSession } from '../api/session-context.tsx';
import { type Screen, screenOf, screens } from '../screens/list.ts';
import { loaders } from '../screens/load.ts';
import { appPath, base } from '../ui/address.ts';
import { Button, ButtonLink } from '../ui/button.tsx';
import { useShortcuts } from '../ui/keys.ts';
import { late, loadAhead, useLate } from '../ui/late.tsx';
import { useIsNarrow } from '../ui/media.ts';
import { Empty, Grey } from '../ui/note.tsx';
import { words } from '../words/en.ts';
import { Bands } from './bands.tsx';
import { BottomBar } from './bottom-bar.tsx';
import { Conflicts } from './conflicts.tsx';
import { Rail } from './rail.tsx';
import { SignInAgain } from './sign-in-again.tsx';
import { TopBar } from './top-bar.tsx';

const KeysHelp = late(() => import('./keys-help.tsx').then((file) => file.KeysHelp));
const NewApp = late(() => import('./new-app.tsx').then((file) => file.NewApp), Waiting);
const Palette = late(() => import('./palette.tsx').then((file) => file.Palette));

const lastAppKey = 'engage.app';

/** What a path below `/dashboard` leads to. */
function placeOf(path: string) {
  const [first = '', id = '', ...rest] = path.split('/').filter(Boolean).map(decodeURIComponent);
  const isOrg = first === 'org';
  return { first, id, rest, isOrg, screen: screenOf(isOrg, id === '' && !isOrg ? 'home' : id) };
}

/** Loads the screen of the page's address. Never fails: the screen says why it did not load. */
export async function loadScreenHere(): Promise<void> {
  const { screen } = placeOf(location.pathname.slice(base.length));
  if (screen !== undefined) await loadAhead(loaders[screen.id]);
}

export function Shell() {
  const { session } = useSession();
  const [path, go] = useLocation();
  const isNarrow = useIsNarrow();
  const [isPaletteOpen, setPalette] = useState(false);
  const [areKeysShown, setKeysShown] = useState(false);
  const { first, id, rest, isOrg, screen } = placeOf(path);
  const app = session.apps.find((one) => one.id === (isOrg ? lastApp() : first));
  const fallback = app ?? session.apps.find((one) => one.id === lastApp()) ?? session.apps[0];
  const shown = isOrg ? fallback : app;
  useEffect(() => {
    if (app !== undefined && !isOrg) localStorage.setItem(lastAppKey, app.id);
  }, [app, isOrg]);
  useShortcuts([
    { keys: 'mod+k', label: words.frame.palette, run: () => setPalette(true) },
    { keys: '/', label: words.frame.searchHere, run: () => focusSearch(() => setPalette(true)) },
    { keys: '?', label: words.frame.keys, run: () => setKeysShown(true) },
    ...screens.flatMap(({ letter, title, id: to, group }) =>
      letter === undefined || shown === undefined
        ? []
        : [
            {
              keys: `g ${letter}`,
              label: title,
              run: () => go(appPath(group === 'org' ? 'org' : shown.id, to)),
            },
          ],
    ),
  ]);
  if (first === '' && fallback !== undefined)
    return <Redirect to={appPath(fallback.id, 'home')} replace />;

  const isKnown = screen !== undefined && (isOrg || shown !== undefined);
  return (
    <AppContext value={shown}>
      <a className="skip" href="#content">
        {words.frame.skip}
      </a>
      <div className="shell">
        <Bands />
        {!isNarrow && <Rail current={screen} />}
        <div className="shell-main">
          <TopBar onSearch={() => setPalette(true)} onKeys={() => setKeysShown(true)} />
          <main id="content" className="screen" tabIndex={-1} key={`${first}/${id}`}>
            {session.apps.length === 0 && !isOrg ? (
              <NewApp />
            ) : isKnown ? (
              <Guard>
                <ScreenView screen={screen} rest={rest} />
              </Guard>
            ) : (
              <NotFound />
            )}
          </main>
        </div>
        {isNarrow && <BottomBar current={screen} />}
      </div>
      <SignInAgain />
      <Conflicts />
      {isPaletteOpen && <Palette onClose={() => setPalette(false)} />}
      {areKeysShown && <KeysHelp onClose={() => setKeysShown(false)} />}
    </AppContext>
  );
}

function ScreenView({
  screen,
  rest,
}: {
  readonly screen: Screen;
  readonly rest: readonly string[];
}) {
  const View = useLate(loaders[screen.id]);
  const isLoaded = View !== undefined;
  useEffect(() => {
    if (!isLoaded) return;
    // The title takes the focus, unless the screen has given it to a field.
    if (document.querySelector('#content :focus') === null) document.querySelector('h1')?.focus();
  }, [isLoaded]);
  return View === undefined ? <Waiting /> : <View rest={rest} />;
}

function Waiting() {
  return (
    <div className="screen-body">
      <Grey rows={8} />
    </div>
  );
}

function NotFound() {
  return (
    <div className="screen-body">
      <Empty
        icon="search"
        title={words.frame.notFound}
        action={<ButtonLink to="/">{words.frame.home}</ButtonLink>}
      >
        {words.frame.notFoundText}
      </Empty>
    </div>
  );
}

/** A screen that throws leaves the frame alone; one whose code is gone from the server says so. */
class Guard extends Component<{ readonly children: ReactNode }, { readonly error?: unknown }> {
  override state: { readonly error?: unknown } = {};
  static getDerivedStateFromError(error: unknown) {
    return { error };
  }
  override render() {
    const { error } = this.state;
    if (error === undefined) return this.props.children;
    const isOld = /import|module|fetch/i.test(String(error));
    return (
      <div className="screen-body">
        <Empty
          icon="warning"
          title={isOld ? words.frame.old : words.frame.broken}
          action={
            <Button kind="primary" onClick={() => location.reload()}>
              {words.frame.reload}
            </Button>
          }
        >
          {!isOld && <code>{String(error)}</code>}
        </Empty>
      </div>
    );
  }
}

function lastApp(): string | undefined {
  return localStorage.getItem(lastAppKey) ?? undefined;
}

/** The screen's own search, or the palette where it has none. */
function focusSearch(otherwise: () => void): void {
  const own = document.querySelector<HTMLElement>('[data-search]');
  if (own === null) otherwise();
  else own.focus();
}
