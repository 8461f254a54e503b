import { useEffect, useState } from 'react';
import { isSameJson, mergeEdits } from './json.ts';

/** The forms of a page that have unsaved changes. */
export type Unsaved = Set<object>;

/**
 * Edits the members of a form. When `stored` changes, members that were not edited show the new values and edited ones stay. While a member
 * differs from `stored`, the form is in `unsaved`.
 */
export function useEdited<T extends object>(stored: T, unsaved: Unsaved) {
  const [state, setState] = useState({ stored, value: stored });
  let { value } = state;
  if (!isSameJson(stored, state.stored)) {
    value = mergeEdits(state.stored, value, stored);
    setState({ stored, value });
  }
  const isDirty = !isSameJson(value, stored);
  useEffect(() => {
    if (!isDirty) return undefined;
    const form = {};
    unsaved.add(form);
    return () => void unsaved.delete(form);
  }, [isDirty, unsaved]);
  return {
    value,
    isDirty,
    edit: (change: Partial<T>) => setState((before) => ({ ...before, value: { ...before.value, ...change } })),
    /** Saves the members, then shows what is stored, which the service may have normalized. Members edited since then stay. */
    async submit(save: () => Promise<void>): Promise<void> {
      await save();
      setState((now) => ({ ...now, value: mergeEdits(value, now.value, now.stored) }));
    },
  };
}
