import { type Problem, toProblem } from '../../../app/problem.ts';
import type { Draft, Item } from '../content-view.ts';

/** The members that the page of an item changes. */
export type Members = Partial<Omit<Item, 'id' | 'url' | 'warnings' | 'created_at' | 'updated_at' | 'source_ref'>>;

/** A record with its entity tag. */
export interface Tagged<T> {
  data: T;
  etag: string | null;
}

/** The requests of a session (docs/decisions/0212). */
export interface DraftRequests {
  readItem(): Promise<Tagged<Item>>;
  /** Null without a draft. */
  readDraft(): Promise<Tagged<Draft> | null>;
  /** `isNew`: the session knows no draft, so that one made meanwhile must not be replaced. */
  putDraft(members: Members, ifMatch: string | null, isNew: boolean): Promise<Tagged<Draft>>;
  deleteDraft(ifMatch: string | null): Promise<void>;
  applyDraft(ifMatch: string | null): Promise<Tagged<Item>>;
}

/**
 * Another user saved in between. `item`: members that both changed; `applying` has the further members that the draft was applied with, and is
 * null if it was not applied. `draft`: the same draft, elsewhere.
 */
export type Conflict =
  | { kind: 'item'; members: readonly string[]; theirs: Tagged<Item>; applying: Members | null }
  | { kind: 'draft' };

export interface DraftState {
  item: Item;
  /** The members that differ from the item, as far as they are known: that of the body is written when it is saved. */
  changes: Members;
  /** What saving is doing. `dirty`: there are changes that are not in the draft. */
  saving: 'saved' | 'dirty' | 'saving' | 'failed';
  savedAt: number | null;
  problem: Problem | null;
  conflict: Conflict | null;
  /** What the sanitizer removed from the draft, or from the item without one. */
  warnings: Item['warnings'];
  /** Grows when the page must show other values than those typed. */
  version: number;
}

/** Writing pauses this long before the draft is saved. */
const pauseMs = 1_200;

const isEqual = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b);

/** The members of a draft's record. */
const membersOf = (draft: Draft): Members => {
  const {
    id: _id,
    base_rev: _rev,
    conflicts: _conflicts,
    warnings: _warnings,
    by: _by,
    created_at: _at,
    updated_at: _up,
    ...members
  } = draft;
  return members as Members;
};

/**
 * The editing of one item: keeps what differs from the item, saves it to the pending draft while the user writes, and applies the draft. One
 * request runs at a time. Nothing is lost by a failed request: the next one sends all changes.
 */
export class DraftSession {
  #state: DraftState;
  #itemEtag: string | null;
  #draftEtag: string | null;
  /** The tag of the item over which the person lets the draft win; null if they were not asked. */
  #seenEtag: string | null = null;
  #hasDraft: boolean;
  /** The members of the draft as the service has them, as far as this session knows. */
  #known: Members;
  /** The changes that the stored draft has, as they were sent: what was typed while they were on the way is not among them. */
  #sent: Members;
  #readBody: (() => string) | undefined;
  #timer: ReturnType<typeof setTimeout> | undefined;
  #queue: Promise<unknown> = Promise.resolve();
  readonly #listeners = new Set<() => void>();
  readonly #requests: DraftRequests;

  constructor(requests: DraftRequests, item: Tagged<Item>, draft: Tagged<Draft> | null) {
    this.#requests = requests;
    this.#itemEtag = item.etag;
    this.#draftEtag = draft?.etag ?? null;
    this.#hasDraft = draft !== null;
    this.#known = draft ? membersOf(draft.data) : {};
    this.#sent = this.#known;
    const conflicts = draft?.data.conflicts ?? [];
    this.#state = {
      item: item.data,
      changes: draft ? membersOf(draft.data) : {},
      saving: 'saved',
      savedAt: draft ? Date.parse(draft.data.updated_at) : null,
      problem: null,
      conflict: conflicts.length > 0 ? { kind: 'item', members: conflicts, theirs: item, applying: null } : null,
      warnings: draft?.data.warnings ?? item.data.warnings,
      version: 0,
    };
  }

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  readonly state = (): DraftState => this.#state;

  #set(change: Partial<DraftState>): void {
    this.#state = { ...this.#state, ...change };
    for (const listener of this.#listeners) listener();
  }

  /** Changes members. A member with the item's value is not a change. */
  change(members: Members): void {
    const all = { ...this.#state.changes, ...members } as Record<string, unknown>;
    const item = this.#state.item as Record<string, unknown>;
    const changed = Object.entries(all).filter(([name, value]) => !isEqual(value, item[name]));
    this.#set({ changes: Object.fromEntries(changed) as Members, saving: 'dirty' });
    this.#schedule();
  }

  /** Says that the body was edited. `read` writes it when it is saved. */
  bodyChanged(read: () => string): void {
    this.#readBody = read;
    if (this.#state.saving !== 'dirty') this.#set({ saving: 'dirty' });
    this.#schedule();
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => void this.save(), pauseMs);
  }

  /** Ends the session: what was typed is saved, and the listeners are not called any more. */
  async close(): Promise<void> {
    this.#listeners.clear();
    await this.save();
  }

  /** Runs after the requests before it. */
  #inTurn<T>(work: () => Promise<T>): Promise<T> {
    const turn = this.#queue.then(work, work);
    this.#queue = turn.catch(() => undefined);
    return turn;
  }

  /** Saves what is not in the draft yet. Returns whether everything is saved; the state has the problem if not. */
  save(): Promise<boolean> {
    clearTimeout(this.#timer);
    return this.#inTurn(() => this.#saveNow());
  }

  /** Makes the body that was edited a change. */
  #takeBody(): void {
    if (!this.#readBody) return;
    const body_html = this.#readBody();
    this.#readBody = undefined;
    const { body_html: _before, ...others } = this.#state.changes;
    this.#set({ changes: body_html === this.#state.item.body_html ? others : { ...others, body_html } });
  }

  async #saveNow(): Promise<boolean> {
    this.#takeBody();
    if (this.#state.conflict) return false;
    if (this.#state.saving !== 'dirty' && this.#state.saving !== 'failed') return true;
    this.#set({ saving: 'saving' });
    try {
      await this.#sendChanges().catch((error: unknown) => this.#sendAgain(error));
      // something may have been typed meanwhile
      if (this.state().saving === 'saving') this.#set({ saving: 'saved', savedAt: Date.now(), problem: null });
      return true;
    } catch (error) {
      const problem = toProblem(error);
      const conflict: Conflict | null = problem.status === 412 ? { kind: 'draft' } : null;
      this.#set({ saving: 'failed', problem: conflict ? null : problem, conflict });
      return false;
    }
  }

  async #sendChanges(): Promise<void> {
    const { changes, item } = this.#state;
    if (Object.keys(changes).length > 0) {
      const { data, etag } = await this.#requests.putDraft(changes, this.#draftEtag, !this.#hasDraft);
      this.#draftEtag = etag;
      this.#hasDraft = true;
      this.#known = membersOf(data);
      this.#sent = changes;
      this.#set({ warnings: data.warnings });
    } else if (this.#hasDraft) {
      await this.#requests.deleteDraft(this.#draftEtag);
      this.#forgetDraft();
      this.#set({ warnings: item.warnings });
    }
  }

  /** Records that the draft no longer exists. */
  #forgetDraft(): void {
    this.#draftEtag = null;
    this.#seenEtag = null;
    this.#hasDraft = false;
    this.#known = {};
    this.#sent = {};
  }

  /**
   * Sends the changes again if the tag of the draft is another one and the draft is not: its record names the conflicts with the item, so that
   * a change of the item changes its tag.
   */
  async #sendAgain(error: unknown): Promise<void> {
    if (toProblem(error).status !== 412) throw error;
    const draft = await this.#requests.readDraft();
    if (draft && !isEqual(membersOf(draft.data), this.#known)) throw error;
    this.#draftEtag = draft?.etag ?? null;
    this.#hasDraft = draft !== null;
    await this.#sendChanges();
  }

  /**
   * Saves, and makes the item what the draft says, with further `members` such as a status. Returns whether it did; a conflict or a problem is in
   * the state, and `members` are as before.
   */
  apply(members: Members = {}): Promise<boolean> {
    return this.#inTurn(async () => {
      const before = this.#state.changes;
      if (Object.keys(members).length > 0) this.change(members);
      clearTimeout(this.#timer);
      const isSaved = await this.#saveNow();
      if (isSaved && !this.#hasDraft) return true;
      if (isSaved && (await this.#applyNow(members))) return true;
      if (this.#restore(members, before) && isSaved) {
        // the stored draft must not publish the item when it is applied later; the state keeps the problem of the apply
        const send = this.#sendChanges().catch((error: unknown) => this.#sendAgain(error));
        await send.catch(() => this.#set({ saving: 'failed' }));
      }
      return false;
    });
  }

  /** Gives the members that an apply set the values from before it, unless they were changed meanwhile. Returns whether it changed any. */
  #restore(members: Members, before: Members): boolean {
    const changes = { ...this.#state.changes } as Record<string, unknown>;
    const earlier = before as Record<string, unknown>;
    const names = Object.entries(members)
      .filter(([name, value]) => isEqual(changes[name], value) && !isEqual(earlier[name], value))
      .map(([name]) => name);
    for (const name of names) {
      if (name in earlier) changes[name] = earlier[name];
      else delete changes[name];
    }
    if (names.length > 0) this.#set({ changes: changes as Members });
    return names.length > 0;
  }

  async #applyNow(applying: Members): Promise<boolean> {
    const sent = this.#sent;
    try {
      const { data, etag } = await this.#requests.applyDraft(this.#seenEtag);
      this.#accept(data, etag, sent);
      return true;
    } catch (error) {
      const problem = toProblem(error);
      const isConflict = problem.code === 'draft_conflict' || problem.status === 412;
      const theirs = isConflict ? await this.#requests.readItem().catch(() => null) : null;
      if (theirs) {
        const named = problem.details.map(({ path }) => path);
        const members = named.length > 0 ? named : differing(sent, theirs.data);
        this.#set({ conflict: { kind: 'item', members, theirs, applying } });
      } else this.#set({ problem, saving: 'failed' });
      return false;
    }
  }

  /** Takes over the item after the draft was applied. What was typed meanwhile stays a change. */
  #accept(item: Item, etag: string | null, sent: Members): void {
    this.#itemEtag = etag;
    this.#forgetDraft();
    // a member that was sent and no longer differs has the item's earlier value again
    const before = Object.keys(sent).map((name) => [name, (this.#state.item as Record<string, unknown>)[name]]);
    const now = { ...Object.fromEntries(before), ...this.#state.changes };
    const later = Object.entries(now).filter(
      ([name, value]) => !isEqual(value, (sent as Record<string, unknown>)[name]),
    );
    const shown = sent.body_html ?? this.#state.item.body_html;
    const isOtherBody = shown !== item.body_html && !this.#readBody;
    this.#set({
      item,
      changes: Object.fromEntries(later) as Members,
      warnings: item.warnings,
      problem: null,
      version: this.#state.version + (isOtherBody ? 1 : 0),
    });
  }

  /**
   * Solves a conflict with one's own changes. Those of others that are not in conflict stay. The item changes only if the conflict came from
   * applying the draft: otherwise the draft wins when it is applied.
   */
  async keepMine(): Promise<boolean> {
    const { conflict } = this.#state;
    if (!conflict) return true;
    if (conflict.kind === 'item') {
      this.#seenEtag = conflict.theirs.etag;
      this.#set({ conflict: null, saving: 'dirty' });
      return conflict.applying ? this.apply(conflict.applying) : this.save();
    }
    const draft = await this.#requests.readDraft();
    this.#draftEtag = draft?.etag ?? null;
    this.#hasDraft = draft !== null;
    this.#set({ conflict: null, saving: 'dirty' });
    return this.save();
  }

  /** Solves a conflict with what the others saved. One's own changes that are not in conflict stay, those of the body too. */
  async takeTheirs(): Promise<boolean> {
    this.#takeBody();
    const { conflict, changes, version } = this.#state;
    if (!conflict) return true;
    if (conflict.kind === 'item') {
      this.#seenEtag = null;
      const kept = Object.entries(changes).filter(([name]) => !conflict.members.includes(name));
      const { data, etag } = conflict.theirs;
      this.#itemEtag = etag;
      const next = { item: data, changes: Object.fromEntries(kept) as Members };
      this.#set({ ...next, conflict: null, saving: 'dirty', version: version + 1 });
      return this.save();
    }
    await this.reload();
    return true;
  }

  /** Forgets all changes, and deletes the draft. Returns what they were, for an undo. */
  async discard(): Promise<Members> {
    const { changes, version } = this.#state;
    clearTimeout(this.#timer);
    this.#readBody = undefined;
    this.#set({ changes: {}, saving: 'dirty', conflict: null, problem: null, version: version + 1 });
    await this.save();
    return changes;
  }

  /** Shows changes that were discarded again. */
  async reinstate(changes: Members): Promise<void> {
    this.change(changes);
    this.#set({ version: this.#state.version + 1 });
    await this.save();
  }

  /** Reads item and draft again, and shows them, after the requests before it. Changes that are not saved are forgotten. */
  reload(): Promise<void> {
    clearTimeout(this.#timer);
    return this.#inTurn(() => this.#reloadNow());
  }

  async #reloadNow(): Promise<void> {
    const [item, draft] = await Promise.all([this.#requests.readItem(), this.#requests.readDraft()]);
    this.#itemEtag = item.etag;
    this.#draftEtag = draft?.etag ?? null;
    this.#hasDraft = draft !== null;
    this.#known = draft ? membersOf(draft.data) : {};
    this.#sent = this.#known;
    this.#readBody = undefined;
    this.#seenEtag = null;
    // a save of what is forgotten would only repeat what the draft has
    clearTimeout(this.#timer);
    this.#set({
      item: item.data,
      changes: draft ? membersOf(draft.data) : {},
      saving: 'saved',
      savedAt: draft ? Date.parse(draft.data.updated_at) : null,
      conflict: null,
      problem: null,
      warnings: draft?.data.warnings ?? item.data.warnings,
      version: this.#state.version + 1,
    });
  }

  /** The entity tag of the item as it is shown. */
  get itemEtag(): string | null {
    return this.#itemEtag;
  }
}

const differing = (changes: Members, item: Item): string[] =>
  Object.entries(changes)
    .filter(([name, value]) => !isEqual(value, (item as Record<string, unknown>)[name]))
    .map(([name]) => name);
