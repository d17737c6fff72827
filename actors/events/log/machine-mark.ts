// Marks opens and clicks that a machine made: they are events, and count for no person. The service
// writes the mark into their meta, where quotes inside a text are escaped.

const mark = '"machine":true';

export function isMarkedMachine(metaJson: string | undefined): boolean {
  return metaJson?.includes(mark) === true;
}
