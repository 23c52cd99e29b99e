/**
 * Where the state of Jury lies. Paths are absolute, in the manner of the machine. What has not been synced may be lost, in whole or in
 * its later part, when the power goes: bytes until `OpenFile.sync`, names until `syncFolder` of their folder. Every method
 * rejects with an `Error` whose `code` is that of POSIX (`ENOENT`, `EEXIST`, `ENOSPC`, …); a failed sync has `syscall: 'fsync'`.
 */
export interface Disk {
  /**
   * `read`: never follows a link in the last name and never waits for a pipe (`ELOOP`). `append`: makes the file where there is none.
   * `create`: `EEXIST` when the name is taken. `mode` of a new file; default 0600.
   */
  open(path: string, access: 'read' | 'append' | 'create', mode?: number): Promise<OpenFile>;
  /** Of the name itself, whatever a link points to; null when there is none. */
  status(path: string): Promise<FileStatus | null>;
  /** Names in a folder, in no order. */
  list(folder: string): Promise<readonly DiskEntry[]>;
  /** One folder, private to the user (0700). `EEXIST` when the name is taken, `ENOENT` when its parent is missing. */
  makeFolder(path: string): Promise<void>;
  /** Replaces a file of the new name. */
  rename(from: string, to: string): Promise<void>;
  /** A second name for a file. `EEXIST` when it is taken. */
  link(from: string, to: string): Promise<void>;
  /** A file or a folder with everything in it. Nothing when there is none. */
  remove(path: string): Promise<void>;
  /** Makes the names in a folder durable, as far as the machine can. */
  syncFolder(folder: string): Promise<void>;
  /** Where a library that opens files by itself (SQLite) finds this one; null: nowhere, it keeps what it has in memory. */
  localPath(path: string): string | null;
}

/** An open file. Writes go to its end. */
export interface OpenFile {
  status(): Promise<FileStatus>;
  /** Everything in it. */
  read(): Promise<Uint8Array>;
  write(bytes: Uint8Array): Promise<void>;
  truncate(bytes: number): Promise<void>;
  /** Resolves when the bytes are durable. */
  sync(): Promise<void>;
  close(): Promise<void>;
}

export type DiskEntryKind = 'file' | 'folder' | 'link' | 'other';

export interface DiskEntry {
  readonly name: string;
  readonly kind: DiskEntryKind;
}

export interface FileStatus {
  readonly kind: DiskEntryKind;
  /** The same for every name of a file; another one for a file that replaces it. */
  readonly id: number;
  /** Bytes. */
  readonly size: number;
  /** Permission bits: `0o600`. */
  readonly mode: number;
  /** User id of the owner; null where there are none. */
  readonly owner: number | null;
  /** Milliseconds since 1970. */
  readonly modifiedMs: number;
  readonly bornMs: number;
}
