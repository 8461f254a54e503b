/** Returns every text of a row, unchanged and decoded from base64 and hex, to find secrets that are only encoded. */
export function readableTexts(row: object): string[] {
  const texts = Object.values(row).filter((value) => typeof value === 'string');
  const forms = (text: string) =>
    (['base64', 'hex'] as const).map((form) => Buffer.from(text, form).toString('latin1'));
  return texts.flatMap((text) => [text, ...text.split('.').flatMap(forms)]);
}
