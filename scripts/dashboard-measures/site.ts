import type { Installation } from '../../test/harness/installation.ts';

export const itemCount = 10_000;
export const wordCount = 10_000;
/** Each item whose number is a multiple of this has a word in its body that the others lack. */
export const needleStep = 97;

const batchSize = 100;
const words = ['cairn', 'ridge', 'stone', 'path', 'marks', 'the', 'way', 'over', 'and', 'north'];

/** Returns that number of words; equal for equal seeds. */
export const sentence = (seed: number, length: number): string =>
  Array.from({ length }, (_, index) => words[(seed * 7 + index * 3 + (index % 5)) % words.length]).join(' ');

/** The article: ten sections, each with a heading and paragraphs of 100 words. */
function articleBody(): string {
  const paragraphs = Array.from({ length: wordCount / 100 }, (_, index) => `<p>${sentence(index, 100)}</p>`);
  return paragraphs.map((text, index) => (index % 10 === 0 ? `<h2>Part ${index / 10}</h2>\n${text}` : text)).join('\n');
}

/**
 * Creates the items in the demo site: two thirds drafts, one third archived with the tag `paths`; and the article.
 * Returns the id of the article. Throws for a request that fails.
 */
export async function fillSite({ run, request }: Installation): Promise<string> {
  const { key } = await run('keys', 'create', '--name', 'measure', '--scopes', 'admin', '--sites', 'demo');
  for (let start = 0; start < itemCount; start += batchSize) {
    const items = Array.from({ length: batchSize }, (_, index) => {
      const number = start + index;
      const body_html = `<p>${sentence(number, 60)}${number % needleStep === 0 ? ' needle' : ''}</p>`;
      const kind = number % 3 === 0 ? { tags: ['paths'], status: 'archived' } : {};
      return { title: `Item ${number} ${sentence(number, 4)}`, body_html, ...kind };
    });
    const { status } = await request('POST', '/sites/demo/content/batch', { key, body: { items } });
    if (status !== 200) throw new Error(`The items could not be created: status ${status}.`);
  }
  const article = { title: 'The long article', body_html: articleBody() };
  const { status, data } = await request('POST', '/sites/demo/content', { key, body: article });
  if (status !== 201) throw new Error(`The article could not be created: status ${status}.`);
  return data.id;
}
