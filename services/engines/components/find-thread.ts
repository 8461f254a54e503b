import { type FoundComponent, findComponent } from './find-component.ts';

/**
 * Finds the component in code, as the entry of a thread; see `createTextReader`. Returns null for code that nests too
 * deeply for its stack.
 */
export default function find(code: string): FoundComponent | null {
  try {
    return findComponent(code);
  } catch (error) {
    if (error instanceof RangeError) return null;
    throw error;
  }
}
