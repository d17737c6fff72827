// A share as percents: as a person types them, exact to a hundredth of a percent, and as text.

export function shareOf(percents: number): number {
  return Math.round(percents * 100) / 10_000;
}

export function percentOf(share: number): number {
  return Math.round(share * 10_000) / 100;
}

const format = new Intl.NumberFormat('en', { style: 'percent', maximumFractionDigits: 1 });
const small = new Intl.NumberFormat('en', { style: 'percent', maximumSignificantDigits: 2 });

/** "12.3%". What is not 0 does not look like it. */
export function percentText(share: number): string {
  return (Math.abs(share) < 0.001 ? small : format).format(share);
}

const pointFormat = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

/** A difference of shares as percentage points: 0.031 is "+3.1". */
export function points(share: number): string {
  return pointFormat.format(share * 100);
}
