/** A component threw, got invalid variables, or exceeded a limit. `message` is for its author. */
export class ComponentFailure extends Error {}

/** A module has nothing to render, whatever the variables. */
export class NoComponent extends ComponentFailure {
  constructor() {
    super('it has no component: export one as the default');
  }
}
