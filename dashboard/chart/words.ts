// The words of charts.

export const words = {
  table: 'Show the numbers as a table',
  chart: 'Show the chart',
  copy: 'Save as CSV',
  keys: 'Left and right arrow keys read the values.',
  unfinished: 'The hatched part is not over yet.',
  failed: 'The chart could not be drawn. The table has the same numbers.',
  none: '–',
} as const;
