// A difference of shares as percentage points: 0.031 is "+3.1".

const pointFormat = new Intl.NumberFormat('en', {
  maximumFractionDigits: 1,
  signDisplay: 'exceptZero',
});

export function points(share: number): string {
  return pointFormat.format(share * 100);
}
