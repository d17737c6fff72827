// Which holds are deferrals, told as events: those that policy asks for, not those that the author of a campaign chose.

export function isDeferral(reason: string): boolean {
  return reason === 'quiet_hours' || reason === 'daily_cap';
}
