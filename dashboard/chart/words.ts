// The words of charts.

export const words = {
  table: 'Show the numbers as a table',
  chart: 'Show the chart',
  copy: 'Save as CSV',
  keys: 'Use the left and right arrow keys to read the values.',
  unfinished: 'The hatched period is still in progress.',
  failed: 'The chart could not be drawn. The table shows the same numbers.',
  none: '–',
} as const;
