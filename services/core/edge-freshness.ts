/**
 * An edge serves what it read from SQL less than this long ago. A swap of the live release must be seen by every replica within a
 * second (contract: Edge); half of it is spent here.
 */
export const edgeFreshMs = 500;

/** After this, no edge serves what was true before: its own bound, with room for the read itself. */
export const visibleOnEdgesMs = edgeFreshMs + 100;
