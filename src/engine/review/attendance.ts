/** Who of the panel is at work: whoever has no tokens left waits for what others leave, as long as somebody may leave any. */
interface Attendance {
  begin(reviewer: string): void;
  /** It takes nothing more. Wakes whoever waits. */
  end(reviewer: string): void;
  readonly ended: ReadonlySet<string>;
  /** Resolves with true when somebody has ended, with false at once where nobody else is at work. */
  whenMore(reviewer: string): Promise<boolean>;
}

/** `onEnd` is told before anybody is woken. */
export function openAttendance(onEnd: (reviewer: string) => void): Attendance {
  const working = new Set<string>();
  const ended = new Set<string>();
  const waiting = new Map<string, (isMore: boolean) => void>();
  return {
    ended,
    begin: reviewer => void working.add(reviewer),
    end(reviewer) {
      working.delete(reviewer);
      ended.add(reviewer);
      onEnd(reviewer);
      const woken = [...waiting];
      waiting.clear();
      for (const [name, wake] of woken) {
        working.add(name);
        wake(true);
      }
    },
    whenMore(reviewer) {
      working.delete(reviewer);
      if (working.size === 0) {
        working.add(reviewer);
        return Promise.resolve(false);
      }
      return new Promise(resolve => waiting.set(reviewer, resolve));
    },
  };
}
