import { operations } from './operations.ts';
import type { Operations } from './types.ts';
export { FieldstoneError } from './errors.ts';
export type * from './types.ts';
/** An operation of the OpenAPI document by its operationId. */
export type OperationId = keyof Operations & keyof typeof operations;
export type ListOperation = Extract<OperationId, `list${string}`>;
export interface ClientOptions {
    /** The service's origin, such as `https://cms.example.com`. */
    url: string;
    /** `fs_…` */
    key: string;
    /** Tries after the first one; a `Retry-After` is honoured. Default 4. */
    retries?: number;
    /** The longest wait for one retry; a longer `Retry-After` is thrown instead. Default 60,000. */
    maxWaitMs?: number;
    fetch?: typeof fetch;
}
export interface CallOptions {
    /** POST requests get a random one, so that a retry repeats nothing; null sends none. */
    idempotencyKey?: string | null;
    headers?: Record<string, string>;
    signal?: AbortSignal;
}
/** A body that goes out as it is. */
export type RawBody = string | Blob | FormData | ArrayBuffer | Uint8Array<ArrayBuffer>;
type Filled<T> = keyof T extends never ? unknown : T;
type Optional<T> = {
    [K in keyof T]?: T[K] | undefined;
};
/** Path parameters, query parameters and body members of one operation. */
export type Request<Id extends OperationId> = Filled<Operations[Id]['path']> & {
    query?: Optional<Operations[Id]['query']>;
} & (Operations[Id]['body'] extends null ? {
    body?: RawBody;
} : {
    body: Operations[Id]['body'] | FormData;
});
export interface Result<Data> {
    data: Data;
    /** The bytes of a reply that is not JSON, such as a file of the shell; `data` is then their text. */
    bytes?: Uint8Array<ArrayBuffer>;
    status: number;
    etag: string | null;
    /** The stored reply of an earlier request with the same idempotency key. */
    replayed: boolean;
    pagination?: {
        total: number;
        page: number;
        per_page: number;
        total_pages: number;
    };
}
/** A client of one Fieldstone service. */
export declare function createClient({ url, key, retries, maxWaitMs, fetch: send }: ClientOptions): {
    call: <Id extends OperationId>(id: Id, request: Request<Id>, options?: CallOptions) => Promise<Result<Operations[Id]['data']>>;
    list: <Id extends ListOperation>(id: Id, request: Request<Id>) => AsyncGenerator<Operations[Id]['data']>;
    waitForJob: (uuid: string, { intervalMs, signal }?: {
        intervalMs?: number;
        signal?: AbortSignal;
    }) => Promise<Operations['getJob']['data']>;
};
