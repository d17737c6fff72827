// A message as its recipient sees it, drawn by `looks/`. Drawing and style sheet are loaded when
// the first one is shown.

import looksCss from 'url:../../looks/looks.css';
import { type ComponentType, useEffect, useRef } from 'react';
import { late } from '../ui/late.tsx';
import type { LookMessage } from './look-of.ts';

interface LookProps {
  readonly message: LookMessage;
  /** Its links can be reached by keyboard; not where they lead out of what is being written. */
  readonly hasLinks?: boolean;
}

export const Look = late(loadLook, () => <div className="look-waiting" />);

async function loadLook(): Promise<ComponentType<LookProps>> {
  const [{ drawLook }] = await Promise.all([import('../../looks/looks.js'), loadStyles(looksCss)]);
  return function Drawn({ message, hasLinks = false }) {
    const place = useRef<HTMLDivElement>(null);
    const drawn = JSON.stringify(message);
    // biome-ignore lint/correctness/useExhaustiveDependencies: draw a message once
    useEffect(() => {
      const look = drawLook(message) as HTMLElement;
      if (!hasLinks) for (const link of look.querySelectorAll('a')) link.tabIndex = -1;
      place.current?.replaceChildren(look);
    }, [drawn]);
    return <div ref={place} className="look-place" />;
  };
}

/**
 * Not React's `<link precedence>`: React shows no change of the whole page, not even a ticked box,
 * until such a style sheet has come.
 */
function loadStyles(href: string): Promise<void> {
  const link = document.createElement('link');
  link.rel = 'stylesheet';
  link.href = href;
  return new Promise((done, fail) => {
    link.onload = () => done();
    link.onerror = () => {
      link.remove();
      fail(new Error('the style sheet of the previews could not be loaded'));
    };
    document.head.prepend(link); // before the dashboard's own, which decides what both name
  });
}
