/** A component threw, got variables that it does not take, or took more than it may. `message` is for its author. */
export class ComponentFailure extends Error {}

/** There is nothing to render, with whatever variables. */
export class NoComponent extends ComponentFailure {
  constructor() {
    super('it has no component: export one as the default');
  }
}
