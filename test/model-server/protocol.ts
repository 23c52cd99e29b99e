/** What the scripted server needs to know of a wire protocol: how a reply and a refusal to reply look in it. */

export const failureKinds = [
  '401',
  '403',
  '404',
  '429',
  'quota',
  '500',
  '503',
  '529',
  'ctx',
] as const;
export type FailureKind = (typeof failureKinds)[number];

/** What a model call may meet. Misspelt ones do not compile. */
export type Behaviour =
  | 'ok'
  | 'text'
  | 'empty'
  | 'maxtok'
  | 'refusal'
  | 'tool'
  | 'hang'
  | 'hangmid'
  | 'drop'
  | 'truncate'
  | 'ssefail'
  | 'garbage'
  | FailureKind;

export interface TokenCounts {
  /** As the protocol counts it: without cached tokens for Anthropic, with them for the others. */
  readonly input: number;
  readonly output: number;
  readonly cached: number;
}

export interface ToolCall {
  readonly name: string;
  readonly input: unknown;
  /** OpenAI Responses only. */
  readonly namespace?: string;
}

export interface Reply {
  /** Unique in the life of the server. */
  readonly number: number;
  readonly model: string;
  /** Empty when the reply has no text. */
  readonly text: string;
  readonly ending: 'normal' | 'limit' | 'refusal';
  readonly tool: ToolCall | null;
  readonly usage: TokenCounts;
  /** Did the client ask for a usage record? Chat Completions sends one only then. */
  readonly wantsUsage: boolean;
}

/** One server-sent event; `data` is sent as JSON unless it is text. */
export interface Frame {
  readonly event?: string;
  readonly data: unknown;
}

/** A streamed reply in the parts between which a server may fail. */
interface Stream {
  readonly opening: readonly Frame[];
  readonly pieces: readonly Frame[];
  readonly closing: readonly Frame[];
  /** What comes instead of pieces and closing when the server breaks down after status 200. */
  readonly breakdown: readonly Frame[];
}

export interface HttpFailure {
  readonly status: number;
  readonly body: unknown;
}

export interface Protocol {
  readonly name: 'anthropic' | 'responses' | 'chat' | 'gemini';
  /** Of the path without its query. */
  readonly path: RegExp;
  stream(reply: Reply): Stream;
  /** The same reply in one piece, for clients that do not stream. */
  whole(reply: Reply): unknown;
  failure(kind: FailureKind, retryAfterSeconds: number): HttpFailure;
}

/** Pieces of at most 16 characters, so that every stream is really one. */
export function piecesOf(text: string): string[] {
  return text.match(/[\s\S]{1,16}/g) ?? [];
}

export function statusOf(kind: FailureKind): number {
  if (kind === 'ctx') return 400;
  return kind === 'quota' ? 429 : Number(kind);
}
