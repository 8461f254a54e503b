import { randomUUID } from 'node:crypto';
import { assignTemplates } from '../../../services/build/assign-templates.ts';
import type { BuildInputs, ItemInput, MediaInput } from '../../../services/build/model.ts';
import type { ComponentParts } from '../../../services/build/page-parts.ts';
import { planPages } from '../../../services/build/pages.ts';
import { createReadValues } from '../../../services/build/reads.ts';
import type { RenderedPage, RenderReply } from '../../../services/build/render/protocol.ts';
import { createRenderSession } from '../../../services/build/render/session.ts';
import { createSiteIndex } from '../../../services/build/site-index.ts';
import { initialValues, type PageMembers, pageNames } from '../../../services/core/content-model.ts';
import type { CompiledComponent } from '../../../services/engines/components/compiled.ts';
import { hashBytes } from '../../../services/engines/objects/store.ts';
import type { ReactRunner } from '../../../services/engines/sandbox/components/react-runner.ts';

let clock = 0;

const blank = Object.fromEntries(
  pageNames.map((name) => [name, initialValues[name] ?? null]),
) as unknown as PageMembers;

/** Creates a published item; later ones are newer unless `order` says otherwise. */
export function makeItem(members: Partial<ItemInput> = {}): ItemInput {
  clock++;
  return {
    ...blank,
    id: randomUUID(),
    revision: 1,
    title: `Title ${clock}`,
    slug: `slug-${clock}`,
    locale: 'en',
    status: 'published',
    published_at: '2026-01-01T00:00:00Z',
    created_at: '2026-01-01T00:00:00Z',
    updated_at: '2026-01-01T00:00:00Z',
    order: [clock, clock],
    ...members,
  };
}

export function makeMedia(members: Partial<MediaInput> = {}): MediaInput {
  return {
    id: randomUUID(),
    revision: 1,
    kind: 'image',
    filename: 'a.jpg',
    mime_type: 'image/jpeg',
    bytes: 10,
    sha256: 'f'.repeat(64),
    width: 1200,
    height: 800,
    duration: null,
    alt: 'A picture',
    decorative: false,
    variants: [400, 800].flatMap((width) =>
      ['webp', 'jpeg'].map((format) => ({
        format,
        width,
        height: width / 2,
        bytes: width,
        hash: hashBytes(`${format}${width}`),
      })),
    ),
    ...members,
  };
}

export function makeInputs(members: Partial<BuildInputs> = {}): BuildInputs {
  return {
    site: {
      id: randomUUID(),
      slug: 'demo',
      name: 'Demo',
      domain: null,
      default_locale: 'en',
      locales: [{ locale: 'en' }],
      settings: {},
    },
    items: [],
    shell: [],
    components: [],
    redirects: [],
    scripts: [],
    media: [],
    ...members,
  };
}

const siteUrl = 'https://demo.test';

export interface Snapshot {
  inputs: BuildInputs;
  templates: Record<string, string>;
  bodies: Record<string, string>;
  translations?: Record<string, Record<string, unknown>>;
  assets?: [string, string][];
  components?: Record<string, Partial<CompiledComponent>>;
  preview?: boolean;
  react?: ReactRunner;
}

/** The parts of a site without components. */
export const noComponentParts: ComponentParts = { parts: {}, runtime: null };

/** Used where no React component is rendered, since an isolate needs a separate process. */
const noReact: ReactRunner = {
  render() {
    throw new Error('no React component was expected');
  },
  close() {},
};

function compiledEntry([handle, members]: [string, Partial<CompiledComponent>]): [string, string] {
  const bare: CompiledComponent = { format: 1, type: 'html', code: '', css: null, schema: null, client: null };
  return [handle, JSON.stringify({ ...bare, ...members })];
}

/** Renders every page of a snapshot as a build does. */
export function renderSnapshot(snapshot: Snapshot) {
  const { inputs, templates, bodies } = snapshot;
  const shell = Object.entries({ ...templates, 'translations.json': JSON.stringify(snapshot.translations ?? {}) });
  inputs.shell = shell.map(([path, text]) => ({
    path,
    hash: hashBytes(text),
    bytes: text.length,
    content_type: 'text/plain',
  }));
  const index = createSiteIndex(inputs);
  const byPath = assignTemplates(planPages(index), templates);
  const planned = [...byPath.values()];
  const assetPaths = snapshot.assets ?? [];
  const session = createRenderSession(
    {
      inputs,
      siteUrl,
      assetPaths,
      translations: snapshot.translations ?? {},
      templates: Object.fromEntries(Object.entries(templates).map(([name, text]) => [name, hashBytes(text)])),
      components: Object.fromEntries(Object.entries(snapshot.components ?? {}).map(compiledEntry)),
      componentParts: noComponentParts,
      preview: snapshot.preview ?? false,
    },
    snapshot.react ?? noReact,
  );
  // a session renders for a moment and returns what it has by then, which may not be everything on a busy machine
  const replies: RenderReply[] = [];
  while (replies.length < planned.length)
    replies.push(
      ...session.render({
        pages: planned.slice(replies.length),
        bodies: new Map(Object.entries(bodies)),
        sources: replies.length === 0 ? new Map(Object.entries(templates)) : new Map(),
      }),
    );
  const pages = new Map<string, RenderedPage>();
  const faults: string[] = [];
  for (const reply of replies) {
    if (reply.kind === 'page') pages.set(reply.page.path, reply.page);
    else if (reply.kind === 'fault') faults.push(`${reply.fault.template}:${reply.fault.line} ${reply.fault.message}`);
  }
  const readValue = createReadValues({
    index,
    siteUrl,
    assetPaths: new Map(assetPaths),
    target: 'live',
    componentFiles: new Map(),
    planned: byPath,
  });
  return { pages, faults, replies, readValue };
}
