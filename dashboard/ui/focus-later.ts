// Gives the focus in a later frame, when what gets it is drawn. Not if a person has gone elsewhere
// meanwhile: what they type there would end up here.

let given: Element | null = null;

/** `give` is called in that frame. */
export function focusLater(give: () => void, frames = 1): void {
  const before = document.activeElement;
  const wait = (left: number) =>
    requestAnimationFrame(() => {
      if (left > 1) {
        wait(left - 1);
        return;
      }
      const now = document.activeElement;
      // Of two calls in one frame the later one counts.
      if (now !== before && now !== document.body && now !== given) return;
      give();
      given = document.activeElement;
    });
  wait(frames);
}
