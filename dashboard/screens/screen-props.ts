// What the frame gives each screen.

/** The parts of the address after the screen's id. */
export interface ScreenProps {
  readonly rest: readonly string[];
}
