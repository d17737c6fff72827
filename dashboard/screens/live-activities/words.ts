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
  emptyText: 'When your app starts a Live Activity, the iPhone registers it through the SDK.',
  update: 'Update',
  end: 'End',
  contentState: 'Content state (JSON)',
  contentHint: (used: string, max: string) =>
    `${used} of ${max} bytes. Your app defines the fields.`,
  notJson: 'This is not a JSON object.',
  tooLong: 'Apple accepts up to 4 KB for the whole push.',
  alert: 'Alert the person',
  alertTitle: 'Title',
  alertBody: 'Text',
  updating: 'The update is being sent.',
  ended: 'It is being ended.',
  endTitle: 'End this Live Activity?',
  endText:
    'It shows the content above and then disappears from the lock screen. You cannot start it again from here.',
  id: 'ID',
} as const;
