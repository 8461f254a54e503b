/** A refusal of the service: `code` for programs, `message` for people, `details` with 422. */
export declare class FieldstoneError extends Error {
    readonly status: number;
    readonly code: string;
    readonly details: {
        path: string;
        message: string;
    }[];
    /** Names the request in the service's logs. */
    readonly requestId: string | null;
    readonly retryAfterSeconds: number | null;
    constructor(response: Response, failure: {
        code?: string;
        message?: string;
        details?: {
            path: string;
            message: string;
        }[];
    });
}
