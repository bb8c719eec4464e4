/** Minor units as people write them: `12000` of EUR is `120.00 EUR`. ISO 4217 gives the yen no minor unit. */
export const moneyText = (minorUnits: string, currency: string): string => {
  const places = currency === 'JPY' ? 0 : 2;
  const digits = minorUnits.padStart(places + 1, '0');
  return `${digits.slice(0, digits.length - places)}${places > 0 ? `.${digits.slice(-places)}` : ''} ${currency}`;
};
