// The words of the guard: when a campaign pauses itself because of what becomes of its emails.

export const guardWords = {
  bounces: 'Pause when too many emails bounce',
  bounceShare: 'Above this share, in %',
  bouncesAfter: 'After so many emails',
  complaints: 'Pause when too many people report spam',
  complaintShare: 'Above this share, in %',
  complaintsAfter: 'After so many deliveries',
  refusals: 'Pause when the sender is refused',
  refusalsInARow: 'After so many refusals in a row',
  choice: 'If its emails bounce, are reported as spam, or are refused',
  choices: {
    app: 'Pause by the limits in App settings',
    own: 'Pause by limits of its own',
    off: 'Never pause by itself',
  },
} as const;
