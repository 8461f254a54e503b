/**
 * The interface that actors are written against (design: idea 2). Two runtimes implement it: Temporal
 * (`workflows/definitions`) and the embedded one (`services/engines/actors/embedded`). Imports only types of the
 * contracts.
 */
import type { BackupOperationActivities } from './backup-operation.ts';
import type { ClientDocumentActivities } from './client-document.ts';
import type { EndpointActivities } from './endpoint-actor.ts';
import type { FactCheckActivities } from './fact-check.ts';
import type { IntegrationActivities } from './integration-actor.ts';
import type { ItemPreviewActivities } from './item-preview.ts';
import type { MediaActivities } from './media.ts';
import type { ShellPreviewActivities } from './shell-preview.ts';
import type { SiteActivities } from './site-actor.ts';

/** Every call that an actor may start: name, input and result. */
export interface Calls
  extends SiteActivities,
    MediaActivities,
    IntegrationActivities,
    EndpointActivities,
    BackupOperationActivities,
    ClientDocumentActivities,
    FactCheckActivities,
    ItemPreviewActivities,
    ShellPreviewActivities {}

export type CallName = keyof Calls;
type Input<Name extends CallName> = Parameters<Calls[Name]>[0];
type Result<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

/** What a runtime passes to an attempt of a call. */
export interface CallContext {
  /** Aborted when the caller cancelled the call, it timed out, or the worker stops. */
  signal: AbortSignal;
  /** Counts from 1. */
  attempt: number;
}

/** The implementation of the calls, provided by a worker. */
export type CallHandlers = {
  [Name in CallName]: (input: Input<Name>, context: CallContext) => Promise<Result<Name>>;
};

/**
 * Thrown by a call's handler to confirm its cancellation, and by `CallHandle.result` to the actor that cancelled it.
 */
export class CallCancelled extends Error {}

/** A running call. */
export interface CallHandle<T> {
  /** Rejects with CallCancelled after `cancel`, otherwise with the error of the last attempt. */
  result: Promise<T>;
  cancel(): void;
}

/** What an actor may do besides computing. Everything else is not deterministic and belongs in a call. */
export interface ActorRuntime {
  /** Set by every wake; the actor clears it before it reads SQL. */
  woken: boolean;
  /** Starts a call with its policy (`workflows/policies`). */
  start<Name extends CallName>(name: Name, input: Input<Name>): CallHandle<Result<Name>>;
  /** Starts a call and waits for its result. */
  call<Name extends CallName>(name: Name, input: Input<Name>): Promise<Result<Name>>;
  /**
   * Waits until the condition holds, which wakes and finished calls may change, or until `timeoutMs` has passed.
   * Resolves to whether the condition holds.
   */
  wait(condition: () => boolean, timeoutMs?: number): Promise<boolean>;
  /** Returns true when the actor has to continue as new as soon as no call is running. */
  shouldContinueAsNew(): boolean;
  /** Ends this run and starts the actor again with the same input. Never resolves. */
  continueAsNew(): Promise<never>;
}
