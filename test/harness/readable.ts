/** Every text of a row, as it is and as what base64 or hex would make of it: where a secret would be found that is only encoded. */
export function readableTexts(row: object): string[] {
  const texts = Object.values(row).filter((value) => typeof value === 'string');
  const forms = (text: string) =>
    (['base64', 'hex'] as const).map((form) => Buffer.from(text, form).toString('latin1'));
  return texts.flatMap((text) => [text, ...text.split('.').flatMap(forms)]);
}
