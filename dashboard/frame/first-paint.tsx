// The frame as it is before any script runs: the build draws it into the page of each screen
// (`build.mjs`), for browsers that bring a session. What the session decides is gray, and nothing
// can be pressed. The frame itself (`shell.tsx`) takes its place where it stands.

import { renderToStaticMarkup } from 'react-dom/server';
import { type Screen, screens } from '../screens/list.ts';
import { Icon } from '../ui/icon.tsx';
import { Grey } from '../ui/note.tsx';
import { words } from '../words/en.ts';
import { inBar } from './bottom-bar.tsx';
import { Logo } from './logo.tsx';
import { railGroups } from './rail.tsx';

/** By screen: one of the app, and of what it lists; the screens of the org too. */
export function firstPaints(): Readonly<Record<string, string>> {
  const drawn = (screen?: Screen) => renderToStaticMarkup(<FirstPaint screen={screen} />);
  return { '': drawn(), ...Object.fromEntries(screens.map((one) => [one.id, drawn(one)])) };
}

/** Known before the session; the server puts it above the frame in sandbox mode. */
export function firstBand(): string {
  return renderToStaticMarkup(
    <p className="band">
      {words.frame.sandbox}
      <span className="band-link">
        {words.frame.inbox}
        <Icon name="external" />
      </span>
    </p>,
  );
}

function FirstPaint({ screen }: { readonly screen: Screen | undefined }) {
  return (
    <div className="shell" aria-busy="true">
      <div className="bands">{'{{band}}'}</div>
      <div className="rail wide-only">
        <FirstSwitch />
        <FirstRail current={screen} />
      </div>
      <div className="shell-main">
        <div className="top-bar">
          <div className="grow narrow-only">
            <FirstSwitch />
          </div>
          <div className="search-open wide-only">
            <Icon name="search" />
            {words.frame.search}
          </div>
        </div>
        <div className="screen">
          <div className="screen-head">
            <div className="screen-title">
              <p className="first-title">{screen?.title ?? words.loading}</p>
            </div>
          </div>
          <div className="screen-body">
            <Grey rows={8} />
          </div>
        </div>
      </div>
      <div className="bottom-bar narrow-only">
        {screens
          .filter(({ id }) => inBar.includes(id))
          .map((one) => (
            <span
              key={one.id}
              className="bottom-link"
              aria-current={one === screen ? 'page' : undefined}
            >
              <Icon name={one.icon} large />
              {one.title}
            </span>
          ))}
        <span className="bottom-link">
          <Icon name="menu" large />
          {words.frame.more}
        </span>
      </div>
    </div>
  );
}

function FirstSwitch() {
  return (
    <div className="app-switch">
      <Logo />
      <span className="grow first-switch">
        <span className="grey width-3" />
        <span className="grey width-2" />
      </span>
    </div>
  );
}

function FirstRail({ current }: { readonly current: Screen | undefined }) {
  return (
    <div className="rail-list">
      {railGroups.map((group) => (
        <div key={group} className="rail-group">
          {group !== 'overview' && <p className="rail-title">{words.groups[group]}</p>}
          {screens
            .filter((one) => one.group === group && one.isHidden !== true)
            .map((one) => (
              <span
                key={one.id}
                className="rail-link"
                aria-current={one === current ? 'page' : undefined}
              >
                <Icon name={one.icon} />
                {one.title}
              </span>
            ))}
        </div>
      ))}
    </div>
  );
}
