/** A component threw, got variables that it does not take, or took more than it may. `message` is for its author. */
export class ComponentFailure extends Error {}
