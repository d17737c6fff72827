// The words of the Live Activities.

export const words = {
  title: 'Live Activities',
  states: { active: 'Active', ended: 'Ended', closed: 'Closed' },
  anyState: 'Any state',
  state: 'State',
  type: 'Type',
  person: 'Person',
  updated: 'Updated',
  created: 'Started',
  attributes: 'Attributes',
  empty: 'No Live Activities',
  emptyText: 'An iPhone registers each one through the SDK when your app starts it.',
  update: 'Update',
  end: 'End it',
  contentState: 'Content state (JSON)',
  contentHint: (used: string, max: string) =>
    `${used} of ${max} bytes. Your app decides its fields.`,
  notJson: 'This is not a JSON object.',
  tooLong: 'Apple takes at most 4 KB for the whole push.',
  alert: 'Alert the person',
  alertTitle: 'Title',
  alertBody: 'Text',
  updating: 'The update is on its way.',
  ended: 'It is being ended.',
  endTitle: 'End this Live Activity?',
  endText:
    'It leaves the lock screen with the content above. It cannot be started again from here.',
  id: 'Id',
} as const;
