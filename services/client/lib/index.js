// Made by scripts/build-client.ts from the OpenAPI document. Do not edit.

// services/client/errors.ts
var FieldstoneError = class extends Error {
  status;
  code;
  details;
  /** Names the request in the service's logs. */
  requestId;
  retryAfterSeconds;
  constructor(response, failure) {
    super(failure.message ?? `The service answered ${response.status}.`);
    this.name = "FieldstoneError";
    this.status = response.status;
    this.code = failure.code ?? "unknown";
    this.details = failure.details ?? [];
    this.requestId = response.headers.get("x-request-id");
    const seconds = Number(response.headers.get("retry-after") ?? Number.NaN);
    this.retryAfterSeconds = Number.isFinite(seconds) ? seconds : null;
  }
};

// services/client/operations.ts
var operations = {
  listSites: ["GET", "/sites"],
  createSite: ["POST", "/sites"],
  getSite: ["GET", "/sites/{site}"],
  updateSite: ["PATCH", "/sites/{site}"],
  deleteSite: ["DELETE", "/sites/{site}"],
  listLanguages: ["GET", "/sites/{site}/languages"],
  addLanguage: ["POST", "/sites/{site}/languages"],
  removeLanguage: ["DELETE", "/sites/{site}/languages/{locale}"],
  listContent: ["GET", "/sites/{site}/content"],
  createContent: ["POST", "/sites/{site}/content"],
  createContentBatch: ["POST", "/sites/{site}/content/batch"],
  putContentByRef: ["PUT", "/sites/{site}/content/by-ref/{source_ref}"],
  listTrashedContent: ["GET", "/sites/{site}/content/trash"],
  getContent: ["GET", "/sites/{site}/content/{id}"],
  updateContent: ["PATCH", "/sites/{site}/content/{id}"],
  trashContent: ["DELETE", "/sites/{site}/content/{id}"],
  restoreContent: ["POST", "/sites/{site}/content/{id}/restore"],
  purgeContent: ["DELETE", "/sites/{site}/content/{id}/purge"],
  checkFacts: ["POST", "/sites/{site}/content/{id}/fact-check"],
  listMedia: ["GET", "/sites/{site}/media"],
  uploadMedia: ["POST", "/sites/{site}/media"],
  listTrashedMedia: ["GET", "/sites/{site}/media/trash"],
  getMedia: ["GET", "/sites/{site}/media/{id}"],
  updateMedia: ["PATCH", "/sites/{site}/media/{id}"],
  trashMedia: ["DELETE", "/sites/{site}/media/{id}"],
  restoreMedia: ["POST", "/sites/{site}/media/{id}/restore"],
  purgeMedia: ["DELETE", "/sites/{site}/media/{id}/purge"],
  listShellFiles: ["GET", "/sites/{site}/shell/files"],
  readShellFile: ["GET", "/sites/{site}/shell/file/{path}"],
  writeShellFile: ["PUT", "/sites/{site}/shell/file/{path}"],
  deleteShellFile: ["DELETE", "/sites/{site}/shell/file/{path}"],
  writeShellArchive: ["POST", "/sites/{site}/shell/archive"],
  takeShellSnapshot: ["POST", "/sites/{site}/shell/snapshot"],
  listShellSnapshots: ["GET", "/sites/{site}/shell/snapshots"],
  diffShell: ["GET", "/sites/{site}/shell/diff"],
  restoreShell: ["POST", "/sites/{site}/shell/restore/{rev}"],
  listComponents: ["GET", "/sites/{site}/components"],
  getComponent: ["GET", "/sites/{site}/components/{handle}"],
  putComponent: ["PUT", "/sites/{site}/components/{handle}"],
  deleteComponent: ["DELETE", "/sites/{site}/components/{handle}"],
  listRedirects: ["GET", "/sites/{site}/redirects"],
  createRedirect: ["POST", "/sites/{site}/redirects"],
  updateRedirect: ["PATCH", "/sites/{site}/redirects/{id}"],
  deleteRedirect: ["DELETE", "/sites/{site}/redirects/{id}"],
  listScripts: ["GET", "/sites/{site}/scripts"],
  createScript: ["POST", "/sites/{site}/scripts"],
  updateScript: ["PATCH", "/sites/{site}/scripts/{id}"],
  deleteScript: ["DELETE", "/sites/{site}/scripts/{id}"],
  publishSite: ["POST", "/sites/{site}/publish"],
  listReleases: ["GET", "/sites/{site}/releases"],
  rollBackRelease: ["POST", "/sites/{site}/releases/{release}/rollback"],
  getShellPreview: ["GET", "/sites/{site}/shell/preview"],
  listWebhooks: ["GET", "/sites/{site}/webhooks"],
  createWebhook: ["POST", "/sites/{site}/webhooks"],
  updateWebhook: ["PATCH", "/sites/{site}/webhooks/{id}"],
  deleteWebhook: ["DELETE", "/sites/{site}/webhooks/{id}"],
  rotateWebhookSecret: ["POST", "/sites/{site}/webhooks/{id}/rotate"],
  listDeliveries: ["GET", "/sites/{site}/webhooks/{id}/deliveries"],
  getDelivery: ["GET", "/sites/{site}/webhooks/{id}/deliveries/{delivery}"],
  replayDelivery: ["POST", "/sites/{site}/webhooks/{id}/deliveries/{delivery}/replay"],
  listEventEndpoints: ["GET", "/sites/{site}/event-endpoints"],
  createEventEndpoint: ["POST", "/sites/{site}/event-endpoints"],
  getEventEndpoint: ["GET", "/sites/{site}/event-endpoints/{id}"],
  updateEventEndpoint: ["PATCH", "/sites/{site}/event-endpoints/{id}"],
  deleteEventEndpoint: ["DELETE", "/sites/{site}/event-endpoints/{id}"],
  rotateEventEndpointSecret: ["POST", "/sites/{site}/event-endpoints/{id}/rotate"],
  sendTestEvent: ["POST", "/sites/{site}/event-endpoints/{id}/test"],
  listEvents: ["GET", "/sites/{site}/events"],
  getEvent: ["GET", "/sites/{site}/events/{id}"],
  replayEvent: ["POST", "/sites/{site}/events/{id}/replay"],
  getJob: ["GET", "/jobs/{uuid}"],
  listJobs: ["GET", "/sites/{site}/jobs"],
  getAuthoringGuide: ["GET", "/authoring-guide"],
  getSiteAuthoringGuide: ["GET", "/sites/{site}/authoring-guide"]
};

// services/client/index.ts
var retriedStatuses = /* @__PURE__ */ new Set([408, 429, 500, 502, 503, 504]);
function mayRetry(method, error, hasKey) {
  if (error.code === "idempotency_in_flight" || error.status === 429) return true;
  return retriedStatuses.has(error.status) && (method !== "POST" || hasKey);
}
function requireMembers(id, template, request) {
  const names = [...template.matchAll(/\{(\w+)\}/g)].map((match) => match[1]);
  const missing = names.find((name) => request[name] === void 0 || request[name] === "");
  if (missing) throw new TypeError(`${id} needs ${missing}.`);
  const unknown = Object.keys(request).find((name) => ![...names, "query", "body"].includes(name));
  if (unknown)
    throw new TypeError(`${id} takes ${[...names, "query", "body"].join(", ")}; ${unknown} is none of them.`);
}
function addressOf(base, template, request) {
  const path = template.replace(/\{(\w+)\}/g, (_match, name) => {
    const encoded = encodeURIComponent(String(request[name]));
    return name === "path" ? encoded.replaceAll("%2F", "/") : encoded;
  });
  const query = Object.entries(request["query"] ?? {});
  const search = new URLSearchParams(
    query.filter(([, value]) => value !== void 0).map(([name, value]) => [name, String(value)])
  );
  return `${base}/api/v1${path}${search.size > 0 ? `?${search}` : ""}`;
}
function bodyOf(body) {
  if (body === void 0 || body === null) return {};
  const isSent = typeof body === "string" || body instanceof FormData || body instanceof Blob || body instanceof ArrayBuffer || ArrayBuffer.isView(body);
  return isSent ? { body } : { body: JSON.stringify(body), contentType: "application/json" };
}
var wait = (ms, signal) => new Promise((resolve, reject) => {
  signal?.throwIfAborted();
  const abort = () => {
    clearTimeout(timer);
    reject(signal.reason);
  };
  const timer = setTimeout(() => {
    signal?.removeEventListener("abort", abort);
    resolve();
  }, ms);
  signal?.addEventListener("abort", abort, { once: true });
});
function createClient({ url, key, retries = 4, maxWaitMs = 6e4, fetch: send = fetch }) {
  const base = url.replace(/\/+$/, "");
  async function read(response) {
    const isJson = response.headers.get("content-type")?.startsWith("application/json") ?? false;
    const bytes = new Uint8Array(await response.arrayBuffer());
    const text = new TextDecoder().decode(bytes);
    const parsed = isJson ? JSON.parse(text) : void 0;
    if (!response.ok) throw new FieldstoneError(response, parsed?.error ?? {});
    return {
      data: isJson ? parsed.data : response.status === 204 ? null : text,
      ...isJson ? {} : { bytes },
      status: response.status,
      etag: response.headers.get("etag"),
      replayed: response.headers.get("idempotency-replayed") === "true",
      ...parsed?.pagination ? { pagination: parsed.pagination } : {}
    };
  }
  async function call(id, request, options = {}) {
    const [method, template] = operations[id];
    requireMembers(id, template, request);
    const { body, contentType } = bodyOf(request.body);
    const idempotencyKey = method === "POST" && options.idempotencyKey === void 0 ? crypto.randomUUID() : options.idempotencyKey;
    const headers = {
      "X-API-Key": key,
      ...contentType ? { "Content-Type": contentType } : {},
      ...idempotencyKey ? { "Idempotency-Key": idempotencyKey } : {},
      ...options.headers
    };
    const target = addressOf(base, template, request);
    for (let attempt = 0; ; attempt++) {
      const backoffMs = 250 * 2 ** attempt * (0.5 + Math.random() / 2);
      try {
        const init = { method, headers, ...body === void 0 ? {} : { body } };
        if (options.signal) init.signal = options.signal;
        return await read(await send(target, init));
      } catch (error) {
        if (options.signal?.aborted || attempt >= retries) throw error;
        let waitMs = backoffMs;
        if (error instanceof FieldstoneError) {
          if (!mayRetry(method, error, Boolean(idempotencyKey))) throw error;
          if (error.retryAfterSeconds !== null) waitMs = error.retryAfterSeconds * 1e3;
        } else if (method === "POST" && !idempotencyKey) throw error;
        if (waitMs > maxWaitMs) throw error;
        await wait(waitMs, options.signal);
      }
    }
  }
  async function* list(id, request) {
    for (let page = 1; ; page++) {
      const query = { per_page: 100, ...request.query, page };
      const { data, pagination } = await call(id, { ...request, query });
      yield* data;
      if (!pagination || page >= pagination.total_pages) return;
    }
  }
  async function waitForJob(uuid, { intervalMs = 1e3, signal } = {}) {
    for (; ; ) {
      const { data } = await call("getJob", { uuid }, signal ? { signal } : {});
      if (data.finished_at !== null) return data;
      await wait(intervalMs, signal);
    }
  }
  return { call, list, waitForJob };
}
export {
  FieldstoneError,
  createClient
};
