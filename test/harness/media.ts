import sharp from 'sharp';
import { type ApiReply, eventually, type RequestOptions, request, type TestSite } from './api.ts';

export interface UploadOptions extends RequestOptions {
  filename?: string;
  /** Form fields in addition to the file. */
  fields?: Record<string, string>;
}

/** Creates a picture with visible content that every decoder can read. */
export function picture(width: number, height: number) {
  const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="${width}" height="${height}"><defs><linearGradient id="g"><stop stop-color="#d50"/><stop offset="1" stop-color="#05d"/></linearGradient></defs><rect width="100%" height="100%" fill="url(#g)"/><circle cx="30%" cy="40%" r="20%" fill="#fff"/></svg>`;
  return sharp(Buffer.from(svg), { limitInputPixels: false });
}

export const jpeg = (width = 64, height = 48): Promise<Buffer> => picture(width, height).jpeg().toBuffer();

/** Sends one multipart upload, with the file last, as browsers do. */
export function upload(site: TestSite, file: Buffer | null, options: UploadOptions = {}): Promise<ApiReply> {
  const { filename = 'photo.jpg', fields = { alt: 'A circle' }, ...rest } = options;
  const form = new FormData();
  for (const [name, value] of Object.entries(fields)) form.append(name, value);
  if (file) form.append('file', new Blob([new Uint8Array(file)]), filename);
  return request('POST', `/sites/${site.slug}/media`, { key: site.key, raw: form, ...rest });
}

/** Sends a handwritten body that no client library would send. */
export function sendRaw(site: TestSite, body: Buffer | string, contentType: string, options: RequestOptions = {}) {
  return request('POST', `/sites/${site.slug}/media`, {
    key: site.key,
    raw: new Uint8Array(Buffer.from(body)),
    ...options,
    headers: { 'Content-Type': contentType, ...options.headers },
  });
}

/** Returns the record once the item has left `processing`. */
export function waitUntilProcessed(site: TestSite, id: string) {
  return eventually(`media ${id} is processed`, async () => {
    const { data } = await site.request('GET', `/media/${id}`);
    return data && data.status !== 'processing' ? data : undefined;
  });
}

/** Returns the record once its variants have this format. */
export function waitForFormat(site: TestSite, id: string, format: string, timeoutMs?: number) {
  const probe = async () => {
    const { data } = await site.request('GET', `/media/${id}`);
    return data?.variants.some((variant: { format: string }) => variant.format === format) ? data : undefined;
  };
  return eventually(`media ${id} has ${format}`, probe, timeoutMs);
}

/** Returns the number of items in the library. */
export async function countLibrary(site: TestSite): Promise<number> {
  return (await site.request('GET', '/media')).json.pagination.total;
}
