// The relays of an app or an org in their order, which is changed by dragging or by buttons, and a
// new one.

import { type DragEvent, useRef, useState } from 'react';
import { type ApiError, asApiError } from '../api/errors.ts';
import type { Relay } from '../api/generated.ts';
import { useAct } from '../api/queries.ts';
import { TheirsKept } from '../api/saves.ts';
import { useRefusal } from '../api/session-context.tsx';
import { Button } from '../ui/button.tsx';
import { classNames } from '../ui/class-names.ts';
import { focusLater } from '../ui/focus-later.ts';
import { ErrorNote } from '../ui/note.tsx';
import { tellDone } from '../ui/toast.tsx';
import { NewGateway } from './gateway-editor.tsx';
import { RelayCard } from './relay-card.tsx';
import { NewRelay } from './relay-editor.tsx';
import { ordersAfter } from './relay-order.ts';
import { useRelayPlace } from './relay-owner.ts';
import { inOrder } from './relay-standing.ts';
import { useRelayWords } from './relay-words.ts';

/** `relays` of the place's channel alone. */
export function RelayList({ relays }: { readonly relays: readonly Relay[] }) {
  const refused = useRefusal('admin');
  const { owner, channel } = useRelayPlace();
  const text = useRelayWords();
  const New = channel === 'email' ? NewRelay : NewGateway;
  const [isAdding, setAdding] = useState(false);
  return (
    <>
      {relays.length === 0 && <p className="soft">{text.empty[owner]}</p>}
      {relays.length > 0 && <Ordered relays={inOrder(relays)} />}
      {isAdding ? (
        <New onClose={() => setAdding(false)} />
      ) : (
        <div className="row">
          <Button icon="plus" refused={refused} onClick={() => setAdding(true)}>
            {text.add[owner]}
          </Button>
        </div>
      )}
    </>
  );
}

function Ordered({ relays }: { readonly relays: readonly Relay[] }) {
  const refused = useRefusal('admin');
  const { move, isMoving, error } = useRelayOrder(relays);
  const [dragged, setDragged] = useState<number>();
  const [over, setOver] = useState<number>();
  const list = useRef<HTMLOListElement>(null);
  const drop = () => {
    if (dragged !== undefined && over !== undefined && over !== dragged) move(dragged, over);
    setDragged(undefined);
    setOver(undefined);
  };
  /** The button is elsewhere after the move, or gone at the end of the list. */
  const moveBy = (at: number, by: -1 | 1) => {
    const { id } = relays[at] as Relay;
    move(at, at + by, () =>
      focusLater(() => {
        const card = list.current?.querySelector(`[data-relay="${id}"]`);
        const button = (way: number) => card?.querySelector<HTMLElement>(`[data-move="${way}"]`);
        (button(by) ?? button(-by))?.focus();
      }, 2),
    );
  };
  return (
    <>
      <ol className="relays" ref={list} aria-busy={isMoving}>
        {relays.map((relay, at) => (
          <li
            key={relay.id}
            data-relay={relay.id}
            className={classNames('relay', over === at && dragged !== undefined && 'over')}
            onDragOver={(event) => {
              if (dragged === undefined) return;
              event.preventDefault();
              setOver(at);
            }}
          >
            <RelayCard
              relay={relay}
              order={{
                refused,
                ...(at > 0 && { earlier: () => moveBy(at, -1) }),
                ...(at < relays.length - 1 && { later: () => moveBy(at, 1) }),
                onDragStart: (event: DragEvent) => {
                  event.dataTransfer.effectAllowed = 'move';
                  setDragged(at);
                },
                onDragEnd: drop,
              }}
            />
          </li>
        ))}
      </ol>
      {error !== undefined && <ErrorNote error={error} />}
    </>
  );
}

/** `relays`: in their order. What fails leaves the rest as it is, and says why. */
function useRelayOrder(relays: readonly Relay[]) {
  const { appId, operations } = useRelayPlace();
  const text = useRelayWords();
  const update = useAct(operations.update);
  const [isMoving, setMoving] = useState(false);
  const [error, setError] = useState<ApiError>();
  const run = async (from: number, to: number, onMoved?: () => void) => {
    setMoving(true);
    setError(undefined);
    try {
      for (const [relay, order] of ordersAfter(relays, from, to))
        await update.mutateAsync({ path: { appId, id: relay.id }, body: { order }, base: relay });
      tellDone(text.moved(relays[from]?.name ?? '', to + 1, relays.length));
      onMoved?.();
    } catch (failure) {
      if (!(failure instanceof TheirsKept)) setError(asApiError(failure));
    } finally {
      setMoving(false);
    }
  };
  const move = (from: number, to: number, onMoved?: () => void) => {
    if (!isMoving) void run(from, to, onMoved);
  };
  return { move, isMoving, error };
}
