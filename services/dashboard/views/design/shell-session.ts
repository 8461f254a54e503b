import { type Problem, toProblem } from '../../app/problem.ts';

/** A file as it is stored. */
export interface StoredFile {
  text: string;
  etag: string;
}

/** What a write returns: the version, and what the check of templates found. */
export interface WrittenFile {
  etag: string;
  warnings: readonly { code: string; message: string }[];
}

/** The calls of a session. */
export interface FileRequests {
  /** Returns null if the file does not exist. */
  read(path: string): Promise<StoredFile | null>;
  /** `expected` is the version that is replaced; null if the file must not exist. Rejects with the status 412 otherwise. */
  write(path: string, text: string, expected: string | null): Promise<WrittenFile>;
}

/** A file that is open in the editor. */
export interface OpenFile {
  path: string;
  text: string;
  /** What the service has as far as known; null if it has no such file. */
  stored: StoredFile | null;
  isSaving: boolean;
  problem: Problem | null;
  /** The version that another user stored meanwhile; null within it if they have deleted the file. */
  conflict: { theirs: StoredFile | null } | null;
  warnings: WrittenFile['warnings'];
}

export type OpenFiles = ReadonlyMap<string, OpenFile>;

export const isUnsaved = ({ text, stored }: OpenFile): boolean => text !== stored?.text;

/** The open files of a shell: their unsaved texts, and saving them without losing what others have saved. */
export class ShellSession {
  readonly #requests: FileRequests;
  #files: OpenFiles = new Map();
  readonly #listeners = new Set<() => void>();

  constructor(requests: FileRequests) {
    this.#requests = requests;
  }

  readonly files = (): OpenFiles => this.#files;

  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener);
    return () => this.#listeners.delete(listener);
  };

  unsaved(): OpenFile[] {
    return [...this.#files.values()].filter(isUnsaved);
  }

  /** The text of a file that is not saved, or undefined. */
  unsavedText(path: string): string | undefined {
    const file = this.#files.get(path);
    return file && isUnsaved(file) ? file.text : undefined;
  }

  /** Opens a file, unless it is open. Returns whether there is such a file. */
  async open(path: string): Promise<boolean> {
    if (this.#files.has(path)) return true;
    const stored = await this.#requests.read(path);
    if (!stored) return false;
    if (!this.#files.has(path)) this.#add({ path, text: stored.text, stored });
    return true;
  }

  edit(path: string, text: string): void {
    this.#change(path, { text, problem: null });
  }

  /** Saves a file; returns whether it is saved. Another user's version is a conflict, which the user resolves. */
  async save(path: string): Promise<boolean> {
    const file = this.#files.get(path);
    if (!file || !isUnsaved(file)) return true;
    if (file.isSaving || file.conflict) return false;
    return this.#write(file, file.stored?.etag ?? null);
  }

  /** Saves all files; returns the paths of those that are saved and of those that are not. */
  async saveAll(): Promise<{ saved: string[]; failed: string[] }> {
    const saved: string[] = [];
    const failed: string[] = [];
    for (const { path } of this.unsaved()) ((await this.save(path)) ? saved : failed).push(path);
    return { saved, failed };
  }

  /** Returns to the stored text, and returns the text that was discarded. */
  discard(path: string): string {
    const { text, stored } = this.#files.get(path)!;
    this.#change(path, { text: stored?.text ?? '', problem: null, conflict: null });
    return text;
  }

  /** Saves the user's text over the version that another user stored. */
  async keepMine(path: string): Promise<boolean> {
    const file = this.#files.get(path)!;
    return this.#write(file, file.conflict?.theirs?.etag ?? null);
  }

  /** Uses the version that another user stored, and returns the user's text. Closes a file that is deleted. */
  takeTheirs(path: string): string {
    const { text, conflict } = this.#files.get(path)!;
    const theirs = conflict?.theirs ?? null;
    if (theirs) this.#change(path, { text: theirs.text, stored: theirs, conflict: null, problem: null, warnings: [] });
    else this.close(path);
    return text;
  }

  close(path: string): void {
    const next = new Map(this.#files);
    next.delete(path);
    this.#set(next);
  }

  /** Follows a file that was renamed: its unsaved text stays. `stored` is the moved file, which another user may have changed. */
  rename(from: string, to: string, stored: StoredFile): void {
    const file = this.#files.get(from);
    if (!file) return;
    const isMine = !isUnsaved(file) || file.text === stored.text;
    const isTheirs = file.conflict !== null || file.stored?.text !== stored.text;
    const next = new Map(this.#files);
    next.delete(from);
    next.set(to, {
      ...file,
      path: to,
      text: isMine ? stored.text : file.text,
      stored,
      isSaving: false,
      conflict: !isMine && isTheirs ? { theirs: stored } : null,
    });
    this.#set(next);
  }

  async #write({ path, text }: OpenFile, expected: string | null): Promise<boolean> {
    this.#change(path, { isSaving: true, problem: null });
    try {
      const { etag, warnings } = await this.#requests.write(path, text, expected);
      this.#change(path, { stored: { text, etag }, conflict: null, warnings, isSaving: false });
      return true;
    } catch (error) {
      await this.#fail(path, text, toProblem(error));
      return !this.#files.has(path) || !isUnsaved(this.#files.get(path)!);
    }
  }

  async #fail(path: string, text: string, problem: Problem): Promise<void> {
    if (problem.status !== 412) return this.#change(path, { isSaving: false, problem });
    try {
      const theirs = await this.#requests.read(path);
      // the same text, such as that of a save whose response was lost, is not a conflict
      if (theirs?.text === text) this.#change(path, { isSaving: false, stored: theirs, conflict: null });
      else this.#change(path, { isSaving: false, conflict: { theirs } });
    } catch (error) {
      this.#change(path, { isSaving: false, problem: toProblem(error) });
    }
  }

  #add(file: Pick<OpenFile, 'path' | 'text' | 'stored'>): void {
    const opened = { ...file, isSaving: false, problem: null, conflict: null, warnings: [] };
    this.#set(new Map(this.#files).set(file.path, opened));
  }

  #change(path: string, members: Partial<OpenFile>): void {
    const file = this.#files.get(path);
    if (file) this.#set(new Map(this.#files).set(path, { ...file, ...members }));
  }

  #set(files: OpenFiles): void {
    this.#files = files;
    for (const listener of this.#listeners) listener();
  }
}
