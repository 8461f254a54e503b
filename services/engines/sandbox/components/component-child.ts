// must be first: it disables network access
import { serveSandbox } from '../serve.ts';
import { findTemplateFault } from '../template-fault.ts';
import { ComponentFailure, NoComponent } from './component-failure.ts';
import type { InspectReply, InspectRequest } from './inspector.ts';
import { createReactRunner } from './react-runner.ts';
import { exampleVariables, readVariablesSchema, SchemaFault } from './variables-schema.ts';

const trialTimeoutMs = 2_000;

type Json = Record<string, unknown>;

function inspectSchema(schema: Json | null): { schema: Json | null; fault: string | null } {
  if (schema === null) return { schema: null, fault: null };
  try {
    return { schema: readVariablesSchema(schema), fault: null };
  } catch (error) {
    if (!(error instanceof SchemaFault)) throw error;
    return { schema: null, fault: error.message };
  }
}

function checkTemplate(handle: string, source: string, functions: readonly string[]): InspectReply['templateFault'] {
  const fault = findTemplateFault(handle, source, functions);
  return fault && { line: fault.line, column: fault.column, message: fault.message };
}

/** Renders a component as a trial, in an isolate of its own, since each may belong to another site. */
function tryRender(key: string, code: string, schema: Json | null): Pick<InspectReply, 'hasComponent' | 'trialFault'> {
  const runner = createReactRunner({ nowMs: Date.now(), timeoutMs: trialTimeoutMs });
  try {
    runner.render({ key, code, props: JSON.stringify(exampleVariables(schema)), live: false, place: '', idPrefix: '' });
    return { hasComponent: true, trialFault: null };
  } catch (error) {
    if (error instanceof NoComponent) return { hasComponent: false, trialFault: null };
    if (error instanceof ComponentFailure) return { hasComponent: true, trialFault: error.message };
    throw error;
  } finally {
    runner.close();
  }
}

serveSandbox({
  inspect({ handle, type, code, schema: given, functions }: InspectRequest): InspectReply {
    const { schema, fault } = inspectSchema(given);
    const templateFault = type === 'html' ? checkTemplate(handle, code, functions) : null;
    const isTried = type === 'react' && fault === null;
    const trial = isTried ? tryRender(handle, code, schema) : { hasComponent: true, trialFault: null };
    return { schema, schemaFault: fault, templateFault, ...trial };
  },
});
