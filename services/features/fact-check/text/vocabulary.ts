/**
 * The words that the checks know, in English, German, French and Spanish together: a word of the wrong language does no
 * harm, and articles quote foreign pages. Numbers, dates and quotations need none of them.
 */
export const stopWords = new Set(
  `the and for with that this these those was were are been being has have had its his her their our your from into onto over under about than then there
  here where when while which who whom whose what will would can could should may might must not but nor yet also only just very more most some any all each
  every both few many much such same she him they them you out off per via upon according said says say told states stated during between among against source sources quelle quellen fuente fuentes
  der die das den dem des ein eine einer eines einem einen und oder aber ist sind war waren wird werden wurde wurden hat haben hatte hatten mit von vom zum zur
  für auf aus bei nach über unter sich nicht auch nur als wie dass sein seine ihr ihre laut sagte
  les des une est sont était étaient été dans pour par avec sur qui que dont aux ses leur leurs mais plus cette ces selon
  los las del una uno unos unas con por para que sus fue era eran son está más como pero este esta según`.split(/\s+/),
);

/** Words before a figure that make it approximate. */
export const hedges = new Set(
  'about around approximately roughly nearly almost some over under circa approx ca well more less than up least most etwa rund ungefähr fast knapp gut über environ près presque casi unos aproximadamente cerca alrededor'.split(
    ' ',
  ),
);

/** Words that multiply the number before them. */
export const scales: Record<string, number> = {
  hundred: 1e2,
  hundert: 1e2,
  cent: 1e2,
  k: 1e3,
  thousand: 1e3,
  thousands: 1e3,
  tausend: 1e3,
  tsd: 1e3,
  mille: 1e3,
  mil: 1e3,
  million: 1e6,
  millions: 1e6,
  mn: 1e6,
  mln: 1e6,
  mio: 1e6,
  millionen: 1e6,
  millón: 1e6,
  millones: 1e6,
  billion: 1e9,
  billions: 1e9,
  bn: 1e9,
  milliarde: 1e9,
  milliarden: 1e9,
  mrd: 1e9,
  milliard: 1e9,
  milliards: 1e9,
  trillion: 1e12,
  trillions: 1e12,
  tn: 1e12,
  billionen: 1e12,
  billones: 1e12,
};

const small =
  'zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen eighteen nineteen'.split(
    ' ',
  );
const tens = ['twenty', 'thirty', 'forty', 'fifty', 'sixty', 'seventy', 'eighty', 'ninety'];

/** Numbers written as words, up to ninety-nine, and words such as century. */
export const numberWords: ReadonlyMap<string, number> = new Map([
  ...small.map((word, value) => [word, value] as const),
  ...tens.flatMap((word, index) => {
    const units = small.slice(1, 10).map((unit, value) => [`${word}-${unit}`, (index + 2) * 10 + value + 1] as const);
    return [[word, (index + 2) * 10] as const, ...units];
  }),
]);

/** Words before a bare four-digit number that make it a year. */
export const yearLeads = new Set(
  'in since from by until till to between and of during early late mid before after around circa year spring summer autumn fall winter born founded established built opened died jahr im seit von bis anno ab um en depuis jusqu de desde hasta año año'.split(
    ' ',
  ),
);

/** Words that distinguish a sentence's figure from one given elsewhere. */
export const contrasts = new Set(
  `another other others second third previous previously former formerly earlier later originally initially today now currently additional further extra expected
  planned forecast projected next last first average maximum minimum target instead unlike compared before after until ander andere früher heute jetzt später geplant zuvor
  autre ancien aujourd ahora antes después otro otra`.split(/\s+/),
);
