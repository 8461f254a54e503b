/**
 * What an actor is written against (design: idea 2). Two runtimes implement it: Temporal (`workflows/definitions`) and the embedded
 * one (`services/engines/actors/embedded`). Imports nothing but types of the contracts.
 */
import type { EndpointActivities } from './endpoint-actor.ts';
import type { FactCheckActivities } from './fact-check.ts';
import type { IntegrationActivities } from './integration-actor.ts';
import type { ItemPreviewActivities } from './item-preview.ts';
import type { MediaActivities } from './media.ts';
import type { SiteActivities } from './site-actor.ts';

/** Every call that an actor may start: name, input and result. */
export interface Calls
  extends SiteActivities,
    MediaActivities,
    IntegrationActivities,
    EndpointActivities,
    FactCheckActivities,
    ItemPreviewActivities {}

export type CallName = keyof Calls;
type Input<Name extends CallName> = Parameters<Calls[Name]>[0];
type Result<Name extends CallName> = Awaited<ReturnType<Calls[Name]>>;

/** What an attempt of a call is told by its runtime. */
export interface CallContext {
  /** Aborted when the caller cancelled the call, its time is over, or the worker stops. */
  signal: AbortSignal;
  /** Counted from 1. */
  attempt: number;
}

/** The calls as a worker provides them. */
export type CallHandlers = {
  [Name in CallName]: (input: Input<Name>, context: CallContext) => Promise<Result<Name>>;
};

/** A call was cancelled: thrown by the call's handler to confirm it, and by `CallHandle.result` to the actor that cancelled it. */
export class CallCancelled extends Error {}

/** A call under way. */
export interface CallHandle<T> {
  /** Rejects with CallCancelled after `cancel`, else with what the last attempt threw. */
  result: Promise<T>;
  cancel(): void;
}

/** What an actor may do besides computing. Everything else is not deterministic and belongs in a call. */
export interface ActorRuntime {
  /** Set by every wake; the actor clears it before it looks into SQL. */
  woken: boolean;
  /** Starts a call under its policy (`workflows/policies`). */
  start<Name extends CallName>(name: Name, input: Input<Name>): CallHandle<Result<Name>>;
  /** Starts a call and waits for its result. */
  call<Name extends CallName>(name: Name, input: Input<Name>): Promise<Result<Name>>;
  /**
   * Waits until the condition holds, which wakes and ends of calls may change, or until `timeoutMs` has passed. Resolves to whether
   * the condition holds.
   */
  wait(condition: () => boolean, timeoutMs?: number): Promise<boolean>;
  /** True when the actor has to continue as new as soon as it has no call under way. */
  shouldContinueAsNew(): boolean;
  /** Ends this run and begins the actor again with the same input. Never resolves. */
  continueAsNew(): Promise<never>;
}
