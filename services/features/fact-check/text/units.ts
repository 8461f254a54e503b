/** The normalized unit of a figure and its factor to the base unit: `5 km` and `5,000 metres` are `['m', 5000]`. */
export type Unit = readonly [name: string, factor: number];

const spellings: [unit: Unit, words: string][] = [
  [['percent', 1], '% percent per_cent pct prozent pour_cent por_ciento'],
  [['points', 1], 'percentage_point percentage_points prozentpunkt prozentpunkte'],
  [['USD', 1], '$ usd us$ dollar dollars dólar dólares'],
  [['EUR', 1], '€ eur euro euros'],
  [['GBP', 1], '£ gbp pound pounds pfund'],
  [['JPY', 1], '¥ jpy yen'],
  [['INR', 1], '₹ inr rupee rupees'],
  [['CHF', 1], 'chf franken'],
  [['m', 1], 'm metre metres meter meters mètre mètres metro metros'],
  [['m', 1000], 'km kilometre kilometres kilometer kilometers kilomètre kilomètres kilómetro kilómetros'],
  [['m', 0.01], 'cm centimetre centimetres centimeter centimeters'],
  [['m', 0.001], 'mm millimetre millimetres millimeter millimeters'],
  [['m', 1609.344], 'mi mile miles meilen'],
  [['m', 0.3048], 'ft foot feet'],
  [['kg', 1], 'kg kilogram kilograms kilogramm kilo kilos'],
  [['kg', 0.001], 'g gram grams gramm'],
  [['kg', 1000], 't tonne tonnes tonnen'],
  [['year', 1], 'year years year-old jahr jahre jahren an ans année années año años'],
  [['month', 1], 'month months monat monate monaten mois mes meses'],
  [['day', 1], 'day days tag tage tagen jour jours día días'],
  [['day', 7], 'week weeks woche wochen semaine semaines semana semanas'],
  [['hour', 1], 'h hour hours stunde stunden heure heures hora horas'],
  [['hour', 1 / 60], 'min minute minutes minuten minuto minutos'],
  [['kmh', 1], 'km/h kph'],
  [['celsius', 1], '°c'],
];

const units = new Map(
  spellings.flatMap(([unit, words]) => words.split(' ').map((word) => [word.replace('_', ' '), unit] as const)),
);

/** Returns the unit of a word or sign; undefined for other words. */
export function readUnit(word: string): Unit | undefined {
  return units.get(word.toLowerCase());
}

/** Returns whether a unit is a currency: an upper-case code. */
export function isCurrency(unitName: string): boolean {
  return /^[A-Z]{3}$/.test(unitName);
}
