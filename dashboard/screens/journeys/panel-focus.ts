// Where the keys go in the panel beside the drawing.

/**
 * Its first field; of a frozen step what can be pressed. `undefined` where the panel is a drawer.
 */
export function firstOfPanel(): HTMLElement | undefined {
  const panel = document.querySelector('[data-panel] .panel-body');
  const field = panel?.querySelector<HTMLElement>('input, textarea, select');
  return field ?? panel?.querySelector<HTMLElement>('button, a') ?? undefined;
}
