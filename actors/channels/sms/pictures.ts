// Which numbers get pictures: only the United States and Canada support MMS; elsewhere the carrier
// would refuse the whole message.

/** +1 area codes outside the United States and Canada. Source: NANPA, geographic area codes. */
const otherCountries = new Set(
  [
    '242 246 264 268 284 340 345 441 473 649 658 664 670 671 684 721 758',
    '767 784 787 809 829 849 868 869 876 939',
  ].flatMap((line) => line.split(' ')),
);

export function takesPictures(number: string): boolean {
  return number.startsWith('+1') && !otherCountries.has(number.slice(2, 5));
}
