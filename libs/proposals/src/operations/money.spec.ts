import { moneyText } from './money.js';

describe('An amount', () => {
  it.each([
    ['0', 'EUR', '0.00 EUR'],
    ['5', 'EUR', '0.05 EUR'],
    ['12000', 'EUR', '120.00 EUR'],
    ['999999999999999999', 'USD', '9999999999999999.99 USD'],
    ['120', 'JPY', '120 JPY'],
  ])('of %s minor units in %s reads %s', (minorUnits, currency, text) => expect(moneyText(minorUnits, currency)).toBe(text));
});
