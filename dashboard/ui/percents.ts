// A share as the percents that a person types. Shares are exact to a hundredth of a percent.

export function shareOf(percents: number): number {
  return Math.round(percents * 100) / 10_000;
}

export function percentOf(share: number): number {
  return Math.round(share * 10_000) / 100;
}
