/**
 * What a body may contain, declared once. The sanitizer works from these tables and the authoring guide is generated
 * from them (`describe.ts`); nothing else decides what is allowed.
 */

/** Block elements: each closes an open paragraph, as in every browser. */
export const blockTags = [
  ...['address', 'article', 'aside', 'blockquote', 'details', 'div', 'dl', 'figcaption', 'figure', 'footer', 'header'],
  ...['h1', 'h2', 'h3', 'h4', 'h5', 'h6', 'hgroup', 'hr', 'li', 'dd', 'dt', 'main', 'nav', 'ol', 'p', 'pre'],
  ...['section', 'summary', 'table', 'ul'],
] as const;

/** Parts of a table; valid only inside `table`. */
export const tablePartTags = ['caption', 'colgroup', 'col', 'thead', 'tbody', 'tfoot', 'tr', 'th', 'td'] as const;

export const inlineTags = [
  ...['a', 'abbr', 'b', 'bdi', 'bdo', 'br', 'cite', 'code', 'data', 'del', 'dfn', 'em', 'i', 'ins', 'kbd', 'mark', 'q'],
  ...['rp', 'rt', 'ruby', 's', 'samp', 'small', 'span', 'strong', 'sub', 'sup', 'time', 'u', 'var', 'wbr'],
] as const;

export const mediaTags = ['img', 'picture', 'source', 'audio', 'video', 'track'] as const;

/** The element that renders a component of the site. */
export const componentTag = 'x-component';

export const allowedTags: readonly string[] = [
  ...blockTags,
  ...tablePartTags,
  ...inlineTags,
  ...mediaTags,
  componentTag,
];

/** Allowed elements that have no content and no end tag. */
export const voidTags: readonly string[] = ['br', 'hr', 'img', 'col', 'source', 'track', 'wbr'];

/** Elements removed together with their content; any other refused element loses only its tags. */
export const tagsRemovedWithContent: readonly string[] = [
  ...['script', 'style', 'iframe', 'object', 'applet', 'svg', 'math', 'template', 'noscript', 'noembed'],
  ...['noframes', 'frameset', 'select', 'textarea', 'datalist', 'title', 'xmp', 'plaintext', 'canvas', 'portal'],
];

const ariaNames = `activedescendant atomic autocomplete braillelabel brailleroledescription busy checked colcount colindex
  colindextext colspan controls current describedby description details disabled errormessage expanded flowto haspopup
  hidden invalid keyshortcuts label labelledby level live modal multiline multiselectable orientation owns placeholder
  posinset pressed readonly relevant required roledescription rowcount rowindex rowindextext rowspan selected setsize
  sort valuemax valuemin valuenow valuetext`;

/** Attributes allowed on every element. */
export const globalAttributes: readonly string[] = [
  ...['class', 'id', 'lang', 'dir', 'title', 'role'],
  ...ariaNames.split(/\s+/).map((name) => `aria-${name}`),
];

export const attributesByTag: Readonly<Record<string, readonly string[]>> = {
  a: ['href', 'name', 'target', 'rel', 'hreflang', 'type', 'download'],
  audio: ['src', 'controls', 'loop', 'muted', 'preload'],
  blockquote: ['cite'],
  col: ['span'],
  colgroup: ['span'],
  data: ['value'],
  del: ['cite', 'datetime'],
  details: ['open', 'name'],
  img: ['src', 'srcset', 'sizes', 'alt', 'width', 'height', 'loading', 'decoding', 'fetchpriority'],
  ins: ['cite', 'datetime'],
  li: ['value'],
  ol: ['start', 'type', 'reversed'],
  q: ['cite'],
  source: ['src', 'srcset', 'sizes', 'type', 'media', 'width', 'height'],
  td: ['colspan', 'rowspan', 'headers'],
  th: ['colspan', 'rowspan', 'headers', 'scope', 'abbr'],
  time: ['datetime'],
  track: ['src', 'kind', 'srclang', 'label', 'default'],
  video: ['src', 'poster', 'controls', 'loop', 'muted', 'playsinline', 'preload', 'width', 'height'],
  [componentTag]: ['handle', 'vars'],
};

/** Boolean attributes; written without a value. */
export const booleanAttributes: readonly string[] = [
  ...['controls', 'loop', 'muted', 'playsinline', 'open', 'reversed', 'default'],
];

/** Attributes that contain one URL, with the schemes each accepts; relative URLs and anchors always pass. */
export const urlAttributes: Readonly<Record<string, readonly string[]>> = {
  href: ['http', 'https', 'mailto', 'tel'],
  cite: ['http', 'https'],
  src: ['http', 'https', 'media'],
  poster: ['http', 'https', 'media'],
  srcset: ['http', 'https', 'media'],
};

/** What follows `media:`: the id of a media item. */
export const mediaIdPattern = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/i;

/** Attributes with a fixed list of values, because others make no sense or are unsafe. */
export const attributeValues: Readonly<Record<string, readonly string[]>> = {
  target: ['_blank', '_self'],
  dir: ['ltr', 'rtl', 'auto'],
};

/** Words removed from `rel`: they would give the opened page access to this one. */
export const refusedRelWords: readonly string[] = ['opener'];

/** Names of built-in properties that scripts of the page use; an `id` or `name` of this value could shadow them. */
export const refusedNames: readonly string[] = [
  ...['__proto__', 'prototype', 'constructor', 'hasownproperty', 'tostring', 'valueof', 'window', 'document', 'self'],
  ...['globalthis', 'body', 'head', 'cookie', 'domain', 'childnodes', 'firstchild', 'lastchild', 'parentnode'],
  ...['parentelement', 'nodename', 'nodetype', 'nodevalue', 'ownerdocument', 'innerhtml', 'outerhtml', 'textcontent'],
  ...['defaultview', 'currentscript', 'documentelement', 'createelement', 'getelementbyid', 'getelementsbytagname'],
  ...['getelementsbyclassname', 'getelementsbyname', 'queryselector', 'queryselectorall', 'addeventlistener'],
  ...['removeeventlistener', 'setattribute', 'getattribute', 'removeattribute', 'appendchild', 'insertbefore'],
  ...['removechild', 'replacechild', 'eval', 'alert', 'fetch', 'xmlhttprequest', 'localstorage', 'sessionstorage'],
  ...['postmessage', 'settimeout', 'setinterval', 'readystate', 'baseuri', 'trustedtypes', 'customelements'],
  ...['activeelement', 'designmode'],
];

/** The allowed form of an `id` or a `name`. */
export const namePattern = /^[\p{L}\p{N}_][\p{L}\p{M}\p{N}_.:-]{0,199}$/u;

/** Limits that keep the work and the stored page small for any input. */
export const limits = {
  /** Nesting depth; browsers stop at 512. */
  maxDepth: 100,
  maxElements: 100_000,
  maxUrlLength: 8192,
  maxWarnings: 100,
};
