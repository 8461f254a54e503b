/** The position of a node in its template. */
export interface At {
  line: number;
  column: number;
}

/** An argument of a call: named, spread or plain. */
export interface Argument {
  name: string | null;
  spread: boolean;
  value: Expression;
}

export interface ArrayItem {
  spread: boolean;
  value: Expression;
}

export interface HashItem {
  spread: boolean;
  /** Null for a spread. */
  key: Expression | null;
  value: Expression;
}

/** The target of a macro call: this template, or a variable set by `import` or `from`. */
export type MacroSource = { self: true } | { self: false; variable: string };

export type Expression =
  | (At & { type: 'constant'; value: string | number | boolean | null })
  | (At & { type: 'name'; name: string })
  | (At & { type: 'array'; items: ArrayItem[] })
  | (At & { type: 'hash'; items: HashItem[] })
  | (At & { type: 'unary'; operator: string; operand: Expression; enclosed?: boolean })
  | (At & { type: 'binary'; operator: string; left: Expression; right: Expression })
  | (At & { type: 'conditional'; test: Expression; whenTrue: Expression | null; whenFalse: Expression })
  | (At & { type: 'filter'; name: string; operand: Expression; args: Argument[] })
  | (At & { type: 'call'; name: string; args: Argument[] })
  | (At & { type: 'test'; name: string; operand: Expression; args: Argument[] })
  | (At & {
      type: 'attribute';
      target: Expression;
      key: Expression;
      access: 'dot' | 'bracket' | 'method';
      nullSafe: boolean;
      /** The arguments of a method call. */
      args?: Argument[];
    })
  | (At & { type: 'arrow'; parameters: string[]; body: Expression })
  | (At & { type: 'assign'; target: SetTarget; value: Expression })
  | (At & { type: 'parent'; block: string })
  | (At & { type: 'block'; name: Expression; template: Expression | null })
  | (At & { type: 'macro'; source: MacroSource; name: string | Expression; args: Argument[] })
  | (At & { type: 'captured' });

export interface IfBranch {
  test: Expression;
  body: Statement[];
}

export interface IncludeOptions {
  variables: Expression | null;
  only: boolean;
  ignoreMissing: boolean;
}

export type Statement =
  | (At & { type: 'text'; text: string })
  | (At & { type: 'print'; expression: Expression })
  | (At & { type: 'do'; expression: Expression })
  | (At & { type: 'set'; targets: SetTarget[]; values: Expression[] })
  | (At & { type: 'capture'; name: string; body: Statement[] })
  | (At & { type: 'if'; branches: IfBranch[]; otherwise: Statement[] | null })
  | (At & {
      type: 'for';
      key: string | null;
      value: string;
      sequence: Expression;
      body: Statement[];
      otherwise: Statement[] | null;
    })
  | (At & { type: 'with'; variables: Expression | null; only: boolean; body: Statement[] })
  | (At & { type: 'apply'; filters: { name: string; args: Argument[]; at: At }[]; body: Statement[] })
  | (At & { type: 'autoescape'; strategy: string | false; body: Statement[] })
  | (At & { type: 'block'; name: string })
  | (At & { type: 'include'; template: Expression; options: IncludeOptions })
  | (At & { type: 'embed'; index: number; options: IncludeOptions })
  | (At & { type: 'import'; template: Expression; variable: string; global: boolean })
  | (At & { type: 'group'; body: Statement[] });

/** A variable, or a pattern that destructures a list or a hash. */
export type SetTarget =
  | { kind: 'name'; name: string }
  | { kind: 'list'; names: (string | null)[] }
  | { kind: 'hash'; entries: { key: string; name: string }[] };

export interface BlockDefinition extends At {
  name: string;
  body: Statement[];
}

export interface MacroDefinition extends At {
  name: string;
  parameters: { name: string; fallback: Expression | null }[];
  body: Statement[];
}

export interface TraitUse extends At {
  template: string;
  aliases: Map<string, string>;
}

/** One parsed template; the templates of its `embed` tags are in `embedded`, by index. */
export interface TemplateNode extends At {
  parent: Expression | null;
  body: Statement[];
  blocks: Map<string, BlockDefinition>;
  macros: Map<string, MacroDefinition>;
  traits: TraitUse[];
  embedded: TemplateNode[];
}
