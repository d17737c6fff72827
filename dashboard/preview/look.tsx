// A message as its recipient sees it, drawn by `looks/`. Drawing and style sheet are loaded when
// the first one is shown.

import looksCss from 'url:../../looks/looks.css';
import { Suspense, use, useEffect, useRef } from 'react';
import type { LookMessage } from './look-of.ts';

let drawing: Promise<typeof import('../../looks/looks.js')> | undefined;

function loadDrawing() {
  drawing ??= import('../../looks/looks.js');
  return drawing;
}

export function Look({ message }: { readonly message: LookMessage }) {
  return (
    <Suspense fallback={<div className="look-waiting" />}>
      <link rel="stylesheet" href={looksCss} precedence="default" />
      <Drawn message={message} />
    </Suspense>
  );
}

function Drawn({ message }: { readonly message: LookMessage }) {
  const { drawLook } = use(loadDrawing());
  const place = useRef<HTMLDivElement>(null);
  const drawn = JSON.stringify(message);
  // biome-ignore lint/correctness/useExhaustiveDependencies: draw a message once
  useEffect(() => {
    const look = drawLook(message) as HTMLElement;
    // Its links lead out of what is being written.
    for (const link of look.querySelectorAll('a')) link.tabIndex = -1;
    place.current?.replaceChildren(look);
  }, [drawLook, drawn]);
  return <div ref={place} className="look-place" />;
}
